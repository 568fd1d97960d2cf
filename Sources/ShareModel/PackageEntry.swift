/// A package in the container, in a line.
public struct PackageEntry: Sendable, Codable, Equatable {
    public var id: String
    public var outcome: PackageOutcome
    public var source: Receipt.Source
    /// ISO 8601, UTC.
    public var received: String
    /// In bytes, of all its content.
    public var bytes: Int64
    public var title: String?
    /// The later package that replaced this one.
    public var supersededBy: String?
    public var reason: String?

    public init(
        id: String, outcome: PackageOutcome, source: Receipt.Source, received: String, bytes: Int64,
        title: String? = nil, supersededBy: String? = nil, reason: String? = nil
    ) {
        self.id = id
        self.outcome = outcome
        self.source = source
        self.received = received
        self.bytes = bytes
        self.title = title
        self.supersededBy = supersededBy
        self.reason = reason
    }

    enum CodingKeys: String, CodingKey {
        case id, outcome, source, received, bytes, title, reason
        case supersededBy = "superseded_by"
    }
}
