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
    /// The servers that the account had at the login. No other one gets a token of it.
    var origins: [String] = []
    /// Whether a refresh with this refresh token has begun. It may be used up then, and is never sent again: services end a whole login
    /// if a used one comes.
    var isSpent = false
    /// Whether the token came from a refresh after a refusal. If it is refused too, a person has to log in.
    var followsRefusal = false

    init(token: String, began: Int64) { (self.token, generation, self.began) = (token, 1, began) }

    /// Whether the token can still be used: its end is not near, and the clock was not set back behind its beginning.
    func isFresh(at now: Int64) -> Bool {
        guard let useEnd else { return true }
        return now < useEnd && now + Self.margin >= began
    }

    /// Until when sinks get the token: a minute less than it lasts, because a delivery needs some time itself, or a quarter less if it is
    /// short.
    private var useEnd: Int64? { end.map { $0 - min(Self.margin, max(0, $0 - began) / 4) } }

    /// In milliseconds.
    private static let margin: Int64 = 60_000
    /// The longest life of a token that is believed, in seconds.
    private static let longestLife = 10 * 366 * 86_400

    /// Sets the end by the word of the service. A life that is none means that the end is unknown.
    mutating func setLife(_ seconds: Int?) {
        end = seconds.flatMap { $0 > 0 ? began + Int64(min($0, Self.longestLife)) * 1_000 : nil }
    }

    /// Whether a refusal of the token means that the login is over: the token came from a refresh after another refusal, a short time ago.
    func isRefusedAgain(at now: Int64, _ refusal: TokenRefusal?) -> Bool {
        followsRefusal && refusal?.hasWorked != true && abs(now - began) < Self.refusalMemory
    }

    /// In milliseconds.
    private static let refusalMemory: Int64 = 600_000

    /// The token for a sink.
    func shareToken(of owner: AccountUser, login: String) -> ShareToken {
        ShareToken(
            owner: owner, login: login, generation: generation, end: useEnd, secret: token,
            forms: forms)
    }

    /// Parts and other forms of `user:password`, which a service or a log may show (RFC 7617).
    private var forms: [String] {
        guard refreshToken == nil, let colon = token.firstIndex(of: ":") else { return [] }
        return [String(token[token.index(after: colon)...]), Base64.text(Array(token.utf8))]
    }

    /// The header of a request as this user.
    func authorization(_ kind: AccountDefinition.Kind) -> String {
        "Authorization: " + kind.authorization(token)
    }
}
