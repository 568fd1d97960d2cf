/// A package in the container, in a line.
public struct PackageEntry: Sendable, Codable, Equatable {
    /// The package's identifier, 32 hexadecimal digits: ``Receipt/id``.
    public var id: String
    /// Accepted, partial or failed: duplicates and skipped inputs leave no entry of their own.
    public var outcome: PackageOutcome
    /// Where it came from when it first came in; the path is absolute, or `-` for standard input.
    public var source: Receipt.Source
    /// ISO 8601, UTC.
    public var received: String
    /// In bytes, of all its content.
    public var bytes: Int64
    /// The chosen item's title as it was sent; `nil` where it has none, or no item was chosen.
    public var title: String?
    /// The later package that replaced this one.
    public var supersededBy: String?
    /// Why the outcome is not *accepted*; `nil` where it is.
    public var reason: String?
    /// How many of its objects a verification found to be lost; `nil` where none is.
    public var lost: Int?

    /// The outcomes that an entry can have.
    public static let outcomes: [PackageOutcome] = [.accepted, .partial, .failed]

    /// An entry for the row of one package.
    public init(
        id: String, outcome: PackageOutcome, source: Receipt.Source, received: String, bytes: Int64,
        title: String? = nil, supersededBy: String? = nil, reason: String? = nil, lost: Int? = nil
    ) {
        self.id = id
        self.outcome = outcome
        self.source = source
        self.received = received
        self.bytes = bytes
        self.title = title
        self.supersededBy = supersededBy
        self.reason = reason
        self.lost = lost
    }

    enum CodingKeys: String, CodingKey {
        case id, outcome, source, received, bytes, title, reason, lost
        case supersededBy = "superseded_by"
    }
}
