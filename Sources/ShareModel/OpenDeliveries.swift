/// The open deliveries of one sink that go out under one login.
public struct OpenDeliveries: Sendable, Codable, Equatable {
    /// The sink's identifier.
    public var sink: String
    /// The number of open deliveries.
    public var count: Int
    /// The time of the next attempt, in milliseconds since 1970; a time in the past means now.
    public var due: Int64
    /// The reason why they wait, of the sink or of the delivery that is due next; `nil` if there is none.
    public var why: String?
    /// The login that they came in under; `nil` if there was none, or if their sink needs none.
    public var login: AccountUser?
    /// The account for which a person has to do something first; `nil` if there is none.
    public var account: AccountName?
    /// What that is.
    public var needs: Need?

    /// What a person has to do.
    public enum Need: String, Sendable, Codable {
        /// Log in to the account.
        case login
        /// Decide: they came in for another person than the one who is logged in.
        case decision
    }

    /// The given values.
    public init(sink: String, count: Int, due: Int64, why: String?) {
        self.sink = sink
        self.count = count
        self.due = due
        self.why = why
    }

    enum CodingKeys: String, CodingKey {
        case sink, count, why, login, account, needs
        case due = "due_ms"
    }
}
