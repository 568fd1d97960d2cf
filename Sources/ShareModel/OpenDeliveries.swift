/// The deliveries that a sink still has to get.
public struct OpenDeliveries: Sendable, Codable, Equatable {
    /// The sink's identifier.
    public var sink: String
    /// How many they are.
    public var count: Int
    /// When the next one may be tried, in milliseconds since 1970; a time that is over means now.
    public var due: Int64
    /// Why they wait: what is wrong with the sink as a whole, or with the one that is due next; `nil` where nothing is.
    public var why: String?

    /// What a sink still has to get.
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
