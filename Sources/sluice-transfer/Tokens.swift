import Accounts
import Files
import Glibc
import ShareModel
import SystemPackage
import Transfers

/// The share tokens of accounts. A token counts only as long as the container's marker names its login, which is read before each use.
actor Tokens {
    private struct Key: Hashable {
        let account: AccountName
        let places: AccountPlaces
        /// The servers that the login belongs to.
        let origins: [String]
    }

    private let program: AccountProgram
    private var known: [Key: ShareToken] = [:]
    /// The questions under way, so that many requests ask once.
    private var asked: [Key: Task<ShareToken, any Error>] = [:]
    /// The tokens that have worked.
    private var worked: Set<String> = []

    init(_ program: FilePath?) { self.program = AccountProgram(program, beside: FilePath(CommandLine.arguments[0])) }

    /// The token of a login.
    ///
    /// - Parameters:
    ///   - definition: the account's, as the caller has read it.
    ///   - refused: the token that the service has just refused.
    /// - Throws: ``RequestFailure`` if there is none; ``OfflineError``; `CancellationError`.
    func token(
        of login: AccountUser, _ definition: AccountDefinition, _ places: AccountPlaces, refused: ShareToken? = nil
    ) async throws -> ShareToken {
        let key = Key(account: login.account, places: places, origins: definition.origins)
        if let token = known[key], token.owner == login, isCurrent(token, places), token != refused { return token }
        known[key] = nil
        let task =
            asked[key]
            ?? Task { [program] in
                let refusal = refused.map { TokenRefusal(of: $0, hasWorked: worked.contains(Self.name($0))) }
                return try await Self.ask(
                    program, AccountRequest(.token(of: login.account, refused: refusal), in: places))
            }
        asked[key] = task
        defer { asked[key] = nil }
        let token = try await task.value
        guard token.owner == login else {
            throw RequestFailure(.auth, "\(token.owner.user) is the person of \(login.account) now")
        }
        known[key] = token
        return token
    }

    /// Notes that a service has accepted a token.
    func noteSuccess(_ token: ShareToken) { worked.insert(Self.name(token)) }

    private static func name(_ token: ShareToken) -> String { "\(token.login) \(token.generation)" }

    private static func ask(_ program: AccountProgram, _ request: AccountRequest) async throws -> ShareToken {
        let answer: AccountAnswer
        do { answer = try await program.ask(request) } catch let error as AccountError {
            throw RequestFailure(.transient, "\(error)")
        }
        switch answer {
        case .token(let token): return token
        case .loginNeeded(let why): throw RequestFailure(.auth, "the account needs a login: \(why)")
        case .unavailable(let why) where !NetworkWatch.hasDefaultRoute:
            throw OfflineError("the account cannot be used now: \(why)")
        case .unavailable(let why), .refused(let why):
            throw RequestFailure(.transient, "the account cannot be used now: \(why)")
        default: throw RequestFailure(.transient, "the program that keeps logins answered another question")
        }
    }

    private func isCurrent(_ token: ShareToken, _ places: AccountPlaces) -> Bool {
        let marker = AccountMarker.read(token.owner.account, in: PrivateFolder(FilePath(places.markers)))
        guard marker?.login == token.login, marker?.user == token.owner.user else { return false }
        return token.end.map { Clock.systemNanoseconds() / 1_000_000 < $0 } ?? true
    }
}
