internal import Accounts
internal import Files
internal import FoundationEssentials
internal import GroupContainer
internal import ShareModel
internal import SinkHost
internal import SinkKit
internal import SystemPackage
internal import Transfers

/// Makes the requests of sinks through the container's transfer process. That one adds the credential, so this process never has it.
struct TransferPerformer: RequestPerformer {
    let client: TransferClient
    let files: TransferFiles
    let places: AccountPlaces
    /// ``IngestOptions/transferSession`` and ``IngestOptions/agentCommand``.
    let session: String
    let agent: [String]
    let recorded: @Sendable () -> Void

    func perform(_ request: HostedRequest) async -> HostMessage.Response {
        let asked = request.request
        guard request.account == nil || request.login != nil else {
            return .failed(asked, .auth, "no one has logged in to the account \(request.account?.description ?? "")")
        }
        var file: FileDescriptor?
        var body: RequestOrder.Body?
        switch request.body {
        case .bytes(let bytes):
            guard bytes.count <= RequestLimits.inlineBytes else {
                return .failed(
                    asked, .permanent,
                    "its body has \(bytes.count) bytes, and \(RequestLimits.inlineBytes) are allowed; write it into a file below out"
                )
            }
            body = .bytes(bytes)
        case .file(let descriptor, let size): (file, body) = (descriptor, .file(size: size))
        case nil: break
        }
        let order = RequestOrder(head(request), body: body, seconds: request.seconds)
        switch await client.perform(order, file: file) {
        case .answered(let answer): return HostMessage.Response(asked, answer)
        case .failed(let failure):
            return .failed(asked, FailureClass(failure.kind), failure.why, mayHaveArrived: failure.mayHaveArrived)
        }
    }

    private func head(_ request: HostedRequest) -> RequestHead {
        let asked = request.request
        return head(asked.method, asked.url, asked.headers, request.login, request.hosts)
    }

    private func head(
        _ method: String, _ url: String, _ headers: [String: String]?, _ login: AccountUser?, _ hosts: [String]
    ) -> RequestHead {
        RequestHead(
            method: method, url: url,
            headers: (headers ?? [:]).sorted { $0.key < $1.key }.map { HeaderField($0.key, $0.value) }, login: login,
            places: places, hosts: hosts)
    }

    func record(_ hosted: HostedTransfer) async -> HostMessage.RequestFailure? {
        let asked = hosted.transfer
        let body: TransferOrder.Body?
        switch hosted.body {
        case .bytes(let bytes):
            guard bytes.count <= RequestLimits.inlineBytes else {
                return .init(
                    class: .permanent,
                    why: "its body has \(bytes.count) bytes, and \(RequestLimits.inlineBytes) are allowed; send a part")
            }
            body = .bytes(bytes)
        case .part(let size, let digest):
            body = .object(path: ContainerLayout.relativeObject(digest), size: size, digest: digest)
        case .product(let file, let size):
            do {
                body = try await BlockingCall.run { [files] in try files.store(file, size, for: asked.id) }
            } catch { return .init(class: .transient, why: "its body cannot be stored: \(error)") }
        case nil: body = nil
        }
        let order = TransferOrder(
            key: asked.id, session: session,
            head(asked.method, asked.url, asked.headers, hosted.login, hosted.hosts), body: body, name: hosted.name,
            resumption: TransferOrder.Resumption(asked.resumable), state: asked.state, delivery: hosted.delivery,
            download: hosted.download, agent: agent)
        switch await client.record(order) {
        case .recorded:
            recorded()
            return nil
        case .refused(let failure): return .init(class: FailureClass(failure.kind), why: failure.why)
        }
    }
}

extension FailureClass {
    init(_ kind: RequestFailure.Kind) {
        self =
            switch kind {
            case .transient: .transient
            case .permanent: .permanent
            case .auth: .auth
            }
    }
}

extension TransferOrder.Resumption {
    fileprivate init(_ resumable: SinkMessage.Transfer.Resumption?) {
        self =
            switch resumable {
            case .tus: .tus
            case .ietf: .ietf
            case .s3: .s3
            case .none?, nil: .none
            }
    }
}

extension HostMessage.Response {
    fileprivate init(_ request: SinkMessage.Request, _ answer: RequestAnswer) {
        self.init(id: request.id, name: request.name, status: answer.status, headers: answer.named, url: answer.url)
        (text, base64) = answer.content
    }
}

extension Delivery.EndedTransfer {
    /// The end of a transfer, as its sink gets it.
    init(_ answer: RequestAnswer, state: JSONValue?) {
        self.init(
            state: state, status: answer.status, headers: answer.named,
            file: answer.file.map {
                File(path: nil, type: MediaType.unknown.description, size: $0.size, sha256: $0.digest.description)
            }, url: answer.url)
        // The body is in the file.
        if answer.file == nil { (text, base64) = answer.content }
    }
}

extension RequestAnswer {
    /// The headers by their names.
    fileprivate var named: [String: String] {
        Dictionary(headers.map { ($0.name, $0.value) }) { "\($0), \($1)" }
    }

    /// The body as text, or in base64.
    fileprivate var content: (text: String?, base64: String?) {
        // An embedded zero byte makes it no text.
        if let text = String(validating: body, as: UTF8.self), !body.contains(0) { return (text, nil) }
        return (nil, body.base64EncodedString())
    }
}
