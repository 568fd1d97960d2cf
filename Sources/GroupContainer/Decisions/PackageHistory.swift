public import ShareModel
public import SystemPackage

/// What a bag records of a package beside its content: how the package fared in the container that the bag came from.
///
/// A bag may lie, so its history only completes a package that is new to this container. If the container has the
/// package, an engine adds the sightings that it does not know, and changes nothing else.
public struct PackageHistory: Sendable {
    /// The path of the source; `nil` for a source without a lasting path. ``PackageProposal/sourcePath`` is that of the
    /// file in the bag.
    public var sourcePath: FilePath?
    /// The machine that ``sourcePath`` is on.
    public var machine: SourceMachine
    /// The later arrivals of the package, oldest first.
    public var sightings: [PackageSighting]
    /// The identifier of the package that replaced this one. It counts once that package is in the container too.
    public var replacedBy: String?
    /// The identifiers of packages that came in before this one, and whose history names this one in ``replacedBy``.
    public var replaced: [String] = []
    /// The tags that the package had.
    public var tags: [PackageTag] = []
    /// The deliveries as they stood.
    public var deliveries: [RecordedDelivery]

    /// A history with all its parts.
    public init(
        sourcePath: FilePath?, machine: SourceMachine, sightings: [PackageSighting] = [], replacedBy: String? = nil,
        tags: [PackageTag] = [], deliveries: [RecordedDelivery] = []
    ) {
        self.sourcePath = sourcePath
        self.machine = machine
        self.sightings = sightings
        self.replacedBy = replacedBy
        self.tags = tags
        self.deliveries = deliveries
    }
}

/// The machine that a path is on.
public enum SourceMachine: Sendable, Hashable {
    /// The machine of this process.
    case this
    /// The machine with this random identifier, which may be the one of this process.
    case named(String)
    /// A bag does not name the machine. The path says nothing about this one.
    case unknown
}

/// A delivery as a bag records it.
public struct RecordedDelivery: Sendable {
    /// The delivery, if it has to be made.
    public var proposal: DeliveryProposal
    /// How it stood. *Must:* the objects of its products are durable before the commit.
    public var record: DeliveryRecord

    /// A delivery with its record.
    public init(_ proposal: DeliveryProposal, _ record: DeliveryRecord) {
        self.proposal = proposal
        self.record = record
    }
}
