/// One package in the listing of a container.
public struct PackageEntry: Sendable, Codable, Equatable {
    /// The package's identifier, 32 hexadecimal digits: ``Receipt/id``.
    public var id: String
    /// `accepted`, `partial` or `failed`; duplicates and skipped inputs have no entry.
    public var outcome: PackageOutcome
    /// The source of the package when it was first stored. The path is absolute, or `-` for standard input.
    public var source: Receipt.Source
    /// The time when the package came in first, in ISO 8601, UTC. It may have come into another container, and here from
    /// a bag.
    public var received: String
    /// The size of all content of the package, in bytes.
    public var bytes: Int64
    /// The title of the chosen item, as sent; `nil` if the item has none, or if no item was chosen.
    public var title: String?
    /// The name of the leading file, in its safe form, of a package that has neither a title nor a path; otherwise `nil`.
    public var name: String?
    /// The identifier of the later package that replaced this one.
    public var supersededBy: String?
    /// The reason for an outcome other than `accepted`; otherwise `nil`.
    public var reason: String?
    /// The number of its objects that a verification found lost; `nil` if there is none.
    public var lost: Int?

    /// The words that a person gave the package, in the order of their letters; `nil` if there are none.
    public var tags: [String]?
    /// The name of a later arrival: the one by which a search found the package, or else the latest one. A path that
    /// yields other content now does not count. `nil` if there is no other name than that of the first arrival.
    public var alsoNamed: String?
    /// The number of its other names besides ``alsoNamed``, among the last arrivals; `nil` if there is none.
    public var moreNames: Int?

    /// The outcomes that an entry can have.
    public static let outcomes: [PackageOutcome] = [.accepted, .partial, .failed]

    /// An entry with the given values.
    public init(
        id: String, outcome: PackageOutcome, source: Receipt.Source, received: String, bytes: Int64,
        title: String? = nil, name: String? = nil, supersededBy: String? = nil, reason: String? = nil, lost: Int? = nil
    ) {
        self.id = id
        self.outcome = outcome
        self.source = source
        self.received = received
        self.bytes = bytes
        self.title = title
        self.name = name
        self.supersededBy = supersededBy
        self.reason = reason
        self.lost = lost
    }

    enum CodingKeys: String, CodingKey {
        case id, outcome, source, received, bytes, title, name, reason, lost, tags
        case supersededBy = "superseded_by"
        case alsoNamed = "also_named"
        case moreNames = "more_names"
    }
}
