import Accounts
import CCurl
import Files
import FoundationEssentials
import ShareModel
import SystemPackage
import Transfers

/// A request as its caller describes it.
struct Outgoing: Sendable {
    var method: String
    /// As ``RequestHead/url``.
    var url: String
    var headers: [HeaderField] = []
    var body: RequestOrder.Body?
    /// The open file of the body, whose bytes from `offset` on are sent.
    var file: FileDescriptor?
    var offset: Int64 = 0
    var meter: Meter?
    /// The SHA-256 of the body, if it is known.
    var digest: Digest?
    /// When it has to have ended; `nil` for as long as bytes move.
    var end: ContinuousClock.Instant?
    /// Whether it must not use a connection of an earlier request.
    var isFresh = false
    /// Gets the body of a successful answer.
    var target: DownloadTarget?
}

/// Makes requests under one login and network policy.
struct Exchange: Sendable {
    let head: RequestHead
    let engine: Engine
    let tokens: Tokens

    /// Makes the request of an order.
    ///
    /// - Parameter file: the open file that came with the order.
    func run(_ order: RequestOrder, _ file: FileDescriptor?) async -> RequestEnd {
        do {
            if case .file = order.body, file == nil {
                throw RequestFailure(.permanent, "the file of its body did not come with it")
            }
            return .answered(
                try await answer(
                    to: Outgoing(
                        method: head.method, url: head.url, headers: head.headers, body: order.body, file: file,
                        end: .now + .seconds(order.seconds))))
        } catch let failure as RequestFailure {
            return .failed(failure)
        } catch let offline as OfflineError {
            return .failed(RequestFailure(.transient, offline.why))
        } catch {
            return .failed(RequestFailure(.transient, "the request was interrupted", mayHaveArrived: true))
        }
    }

    /// The account, as it is defined now.
    private var definition: AccountDefinition? {
        get throws { try head.login.map { try Self.definition(of: $0.account, head.places) } }
    }

    /// Why a body is too large for the account; `nil` if it is not.
    func fault(ofSize size: Int64) throws -> String? {
        guard let login = head.login, let most = try definition?.maxMiB, size > Int64(most) << 20 else { return nil }
        return "its body has \(size) bytes, and the account \(login.account) takes \(most) MiB ('max_mib')"
    }

    /// The most transfers to the place at a time.
    var width: Int { ((try? definition) ?? nil)?.maxTransfers ?? TransferLimits.perHost }

    /// The host that the requests go to, with the port; `nil` if there is none.
    var place: String? { (try? absolute(head.url)).flatMap(Destination.place) }

    /// The absolute URL of a path below the address of the account.
    func absolute(_ url: String) throws -> String { try Self.absolute(url, definition) }

    /// Makes a request. With the methods GET and HEAD it follows redirections, under the same policy.
    ///
    /// - Throws: ``RequestFailure``; ``OfflineError``; `CancellationError`.
    func answer(to outgoing: Outgoing) async throws -> RequestAnswer {
        var outgoing = outgoing
        var count = 0
        while true {
            var answer = try await answer(to: outgoing, isRedirected: count > 0)
            guard Self.redirections.contains(answer.status), ["GET", "HEAD"].contains(outgoing.method),
                let reference = answer.headers.first(where: { $0.name == "location" })?.value, !reference.isEmpty,
                let next = Destination.resolved(reference, against: try absolute(outgoing.url))
            else {
                if count > 0 { answer.url = try absolute(outgoing.url) }
                return answer
            }
            count += 1
            guard count <= RequestLimits.redirections else {
                throw RequestFailure(
                    .permanent,
                    "\(outgoing.url.prefix(200)) is redirected more than \(RequestLimits.redirections) times")
            }
            if Destination.origin(of: next) != Destination.origin(of: try absolute(outgoing.url)) {
                // What a sink says to one server is not for another one.
                outgoing.headers.removeAll { !$0.name.lowercased().hasPrefix("accept") }
                outgoing.body = nil
            }
            outgoing.url = next
        }
    }

    /// The statuses with which a service says that the content is elsewhere (RFC 9110, section 15.4).
    private static let redirections: Set<Int> = [301, 302, 303, 307, 308]

    private func answer(to outgoing: Outgoing, isRedirected: Bool) async throws -> RequestAnswer {
        if let fault = RequestRules.fault(method: outgoing.method) ?? RequestRules.fault(headers: outgoing.headers) {
            throw RequestFailure(.permanent, fault)
        }
        if case .file(let size)? = outgoing.body, let fault = try fault(ofSize: size) {
            throw RequestFailure(.permanent, fault)
        }
        guard outgoing.body == nil || outgoing.method != "HEAD" else {
            throw RequestFailure(.permanent, "a request with the method HEAD has no body")
        }
        let definition = try definition
        let destination = try Destination(Self.absolute(outgoing.url, definition), head, definition)
        var job = Engine.Job(
            method: outgoing.method, url: destination.url, headers: outgoing.headers, body: outgoing.body,
            file: outgoing.file, offset: outgoing.offset, meter: outgoing.meter, target: outgoing.target,
            isFresh: outgoing.isFresh, end: outgoing.end)
        // Without one, some services wait for the length.
        if job.body == nil, ["POST", "PUT", "PATCH"].contains(job.method) { job.body = .bytes(Data()) }
        job.anyAddress = destination.isNamed
        if destination.isAccounts { (job.caFile, job.proxy) = (definition?.caFile, definition?.proxy) }
        job.plainHTTP = destination.allowsPlainHTTP
        guard let login = head.login, let definition else { return try await perform(job, destination) }
        guard destination.isAccounts else {
            // The credential does not follow.
            if isRedirected { return try await perform(job, destination) }
            throw RequestFailure(
                .permanent,
                "\(destination.origin) is no address of the account \(login.account), so it does not get the credential"
            )
        }
        if definition.kind == .s3 { job.signature = definition.signature(of: &job, outgoing.digest) }
        let token = try await token(of: login, definition)
        let first = try await perform(job, destination, token, definition.kind)
        guard first.status == 401 else {
            await tokens.noteSuccess(token)
            return first
        }
        // The token may have ended early. Another one is asked for, once; any other login has no other one.
        guard definition.kind == .oauth, let next = try? await self.token(of: login, definition, refused: token),
            next != token, next.login == token.login
        else { return first }
        return try await perform(job, destination, next, definition.kind)
    }

    /// The token for a server that the definition names, which must still be the account's.
    private func token(of login: AccountUser, _ definition: AccountDefinition, refused: ShareToken? = nil) async throws
        -> ShareToken
    {
        let token = try await tokens.token(of: login, definition, head.places, refused: refused)
        guard try Self.definition(of: login.account, head.places) == definition else {
            throw RequestFailure(.transient, "the account \(login.account) has just been changed")
        }
        return token
    }

    private func perform(
        _ job: Engine.Job, _ destination: Destination, _ token: ShareToken? = nil,
        _ kind: AccountDefinition.Kind = .token
    ) async throws -> RequestAnswer {
        var job = job
        job.headers += job.target?.begin(at: destination.url) ?? []
        if let token {
            if kind == .s3 {
                job.secret = token.secret
            } else {
                job.headers.append(HeaderField("Authorization", kind.authorization(token.secret)))
            }
        }
        guard let ended = await engine.perform(job) else { throw CancellationError() }
        func failure(_ kind: RequestFailure.Kind, _ why: String) -> RequestFailure {
            RequestFailure(kind, "\(destination.origin) \(why)", mayHaveArrived: ended.mayHaveArrived)
        }
        if let refusal = job.target?.refusal { throw refusal }
        switch ended.end {
        case CCURL_ANSWERED: break
        case CCURL_REFUSED_ADDRESS:
            throw failure(
                .permanent,
                "is not called: its address is one of a private network, and no one has named it in 'hosts' of the sink's settings"
            )
        case CCURL_UNROUTED where !NetworkWatch.hasDefaultRoute:
            throw OfflineError("\(destination.origin) cannot be reached")
        case CCURL_UNREACHABLE, CCURL_UNROUTED: throw failure(.transient, "cannot be reached: \(ended.failure)")
        case CCURL_UNTRUSTED: throw failure(.permanent, "is not who it says it is: \(ended.failure)")
        case CCURL_TOO_LARGE:
            if job.target?.isOutOfRoom == true {
                throw RequestFailure(.transient, "there is no room for its file in the container; free some disk space")
            }
            throw failure(
                .permanent, "answers with more than \(job.target?.limit ?? Int64(RequestLimits.answerBytes)) bytes")
        case CCURL_LONG_HEADERS:
            throw failure(.permanent, "answers with headers of more than \(RequestRules.headerBytes) bytes")
        case CCURL_TOO_SLOW: throw failure(.transient, "is too slow: \(ended.failure)")
        case CCURL_UNWRITABLE: throw RequestFailure(.transient, "its file cannot be written: \(ended.failure)")
        case CCURL_UNUSABLE: throw failure(.permanent, "cannot be asked: \(ended.failure)")
        default: throw failure(.transient, "broke the connection: \(ended.failure)")
        }
        var answer = try checked(ended.answer, job.target, token, failure)
        answer.login = token?.login
        return answer
    }

    /// The answer, if a sink may have it.
    private func checked(
        _ answer: RequestAnswer, _ target: DownloadTarget?, _ token: ShareToken?,
        _ failure: (RequestFailure.Kind, String) -> RequestFailure
    ) throws -> RequestAnswer {
        var answer = answer
        // Where such an answer ends depends on who reads it.
        guard Set(answer.headers.filter { $0.name == "content-length" }.map(\.value)).count < 2 else {
            throw failure(.transient, "broke the connection: its answer has two lengths")
        }
        answer.headers.removeAll { ["set-cookie", "set-cookie2"].contains($0.name) }
        // None was asked for, and a small one can become a large one.
        let encodings = answer.headers.filter { $0.name == "content-encoding" }.map(\.value)
        if let encoding = encodings.first(where: { !["", "identity"].contains($0.lowercased()) }) {
            throw failure(.permanent, "answers in the encoding '\(encoding.prefix(40))', which was not asked for")
        }
        let secrets = token.map { [$0.secret] + $0.forms } ?? []
        guard target?.contains(secrets) != true else {
            throw failure(.permanent, "answers with the credential of the account; the answer is withheld")
        }
        for secret in secrets {
            let bytes = Data(secret.utf8)
            guard answer.body.firstRange(of: bytes) == nil,
                !answer.headers.contains(where: { Data("\($0.name):\($0.value)".utf8).firstRange(of: bytes) != nil })
            else {
                throw failure(.permanent, "answers with the credential of the account; the answer is withheld")
            }
        }
        return answer
    }

    private static func definition(of account: AccountName, _ places: AccountPlaces) throws -> AccountDefinition {
        let found: AccountDefinition?
        do {
            found = try places.definitions.flatMap {
                try AccountDefinition.read(account, in: PrivateFolder(FilePath($0)))
            }
        } catch {
            throw RequestFailure(.transient, "\(error)")
        }
        guard let found else {
            throw RequestFailure(.auth, "the account \(account) does not exist".with(.addAccount("\(account)")))
        }
        return found
    }

    /// A path is one below the address of the account.
    private static func absolute(_ url: String, _ definition: AccountDefinition?) throws -> String {
        guard url.isEmpty || url.hasPrefix("/") else { return url }
        guard let definition else {
            throw RequestFailure(.permanent, "its URL is a path, and only a request with the account may have one")
        }
        guard var base = definition.url else {
            throw RequestFailure(
                .transient,
                "its URL is a path, and the account has no 'url'; replace the account by one with the address of the service"
            )
        }
        if url.hasPrefix("/"), base.hasSuffix("/") { base.removeLast() }
        return base + url
    }
}

extension AccountDefinition {
    /// How requests of the account are signed, with the header that a signature needs.
    fileprivate func signature(of job: inout Engine.Job, _ digest: Digest?) -> String {
        let header = "x-amz-content-sha256"
        if !job.headers.contains(where: { $0.name.lowercased() == header }) {
            let sum: String =
                switch job.body {
                case .bytes(let bytes): Digest(of: Array(bytes)).description
                case .file: digest?.description ?? "UNSIGNED-PAYLOAD"
                case nil: Digest(of: []).description
                }
            job.headers.append(HeaderField(header, sum))
        }
        return "aws:amz:\(region ?? Self.defaultRegion):s3"
    }
}
