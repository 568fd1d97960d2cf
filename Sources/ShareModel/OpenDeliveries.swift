/// The open deliveries of one sink.
public struct OpenDeliveries: Sendable, Codable, Equatable {
    /// The sink's identifier.
    public var sink: String
    /// The number of open deliveries.
    public var count: Int
    /// The time of the next attempt, in milliseconds since 1970; a time in the past means now.
    public var due: Int64
    /// The reason why they wait, of the sink or of the delivery that is due next; `nil` if there is none.
    public var why: String?

    /// The given values.
    public init(sink: String, count: Int, due: Int64, why: String?) {
        self.sink = sink
        self.count = count
        self.due = due
        self.why = why
    }

    enum CodingKeys: String, CodingKey {
        case sink, count, why
        case due = "due_ms"
    }
}
