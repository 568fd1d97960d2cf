/// The credential of an account that a sink gets. It is never the login itself, from which new tokens come.
public struct ShareToken: Sendable, Hashable, Codable {
    /// The account and the person whose token this is.
    public var owner: AccountUser
    /// The identifier of the login that it belongs to. A logout, or another login, ends it.
    public var login: String
    /// The number of the token within its login. A refresh gives a larger one.
    public var generation: Int
    /// When it ends, in milliseconds since 1970; `nil` if that is unknown.
    public var end: Int64?
    /// The token; for an account with a password, `user:password` as in RFC 7617.
    public var secret: String
    /// Parts and other forms of the secret, which no text may contain either.
    public var forms: [String]

    /// A token with all its values.
    public init(
        owner: AccountUser, login: String, generation: Int, end: Int64?, secret: String, forms: [String] = []
    ) {
        self.owner = owner
        self.login = login
        self.generation = generation
        self.end = end
        self.secret = secret
        self.forms = forms
    }

    enum CodingKeys: String, CodingKey {
        case owner, login, generation, secret, forms
        case end = "end_ms"
    }
}

/// What a sink's service did with a token.
public struct TokenRefusal: Sendable, Hashable, Codable {
    /// ``ShareToken/login``.
    public var login: String
    /// ``ShareToken/generation``.
    public var generation: Int
    /// Whether the token had worked before.
    public var hasWorked: Bool

    /// The refusal of a token.
    public init(of token: ShareToken, hasWorked: Bool) {
        (login, generation, self.hasWorked) = (token.login, token.generation, hasWorked)
    }
}
