import Accounts
import ShareModel

/// What the keychain keeps of a login, as one secret, so that its parts never disagree.
struct Credential: Codable {
    /// The token that sinks get: the pasted one, `user:password`, or the access token of OAuth.
    var token: String
    /// Grows with each refresh.
    var generation: Int
    /// When the token was given, in milliseconds since 1970.
    var began: Int64
    /// When it ends by the service's word; `nil` if that is unknown.
    var end: Int64?
    /// The login itself: the refresh token of OAuth. No other process gets it.
    var refreshToken: String?
    /// Whether a refresh with this refresh token has begun. It may be used up then, and is never sent again: services end a whole login
    /// if a used one comes.
    var isSpent = false
    /// Whether the token came from a refresh after a refusal. If it is refused too, a person has to log in.
    var followsRefusal = false

    init(token: String, began: Int64) { (self.token, generation, self.began) = (token, 1, began) }

    /// Whether the token can still be used: its end is not near, and the clock was not set back behind its beginning.
    func isFresh(at now: Int64) -> Bool {
        guard let end else { return true }
        return now + Self.margin < end && now + Self.margin >= began
    }

    /// The time before the end at which a token is refreshed, in milliseconds. A delivery needs some time itself.
    private static let margin: Int64 = 60_000

    /// The token for a sink.
    func shareToken(of owner: AccountUser, login: String) -> ShareToken {
        ShareToken(
            owner: owner, login: login, generation: generation, end: end.map { $0 - Self.margin }, secret: token,
            forms: forms)
    }

    /// Parts and other forms of `user:password`, which a service or a log may show (RFC 7617).
    private var forms: [String] {
        guard refreshToken == nil, let colon = token.firstIndex(of: ":") else { return [] }
        return [String(token[token.index(after: colon)...]), Base64.text(Array(token.utf8))]
    }

    /// The header of a request as this user.
    func authorization(_ kind: AccountDefinition.Kind) -> String {
        "Authorization: " + (kind == .password ? "Basic \(Base64.text(Array(token.utf8)))" : "Bearer \(token)")
    }
}
