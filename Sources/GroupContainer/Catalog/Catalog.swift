public import ShareModel
public import SystemPackage

/// The rows of the container: packages, the content that each has, and deliveries. Calls block their thread.
public protocol Catalog: Sendable {
    /// The digests that a row names, and that are therefore durable; without objects that a verification found lost.
    func knownObjects(among digests: Set<Digest>) throws -> Set<Digest>

    /// The packages of files on this machine that are unchanged since they were read, in the same order; `nil` for a file
    /// that has to be read.
    func recognize(_ sources: [(source: PackageSource, stamp: SourceStamp)]) throws -> [KnownSource?]

    /// Decides on each package, in order, and commits them all in one durable transaction, or none of them.
    ///
    /// *Must:* every object that a proposal names is durable before. *Must:* the engine carries out the decisions of
    /// ``PackageDecision``, which sees the proposals before it as committed.
    ///
    /// - Returns: the receipts in the same order, with outcomes, new content, replaced packages and open deliveries.
    func commit(_ proposals: [PackageProposal]) throws -> [Receipt]

    /// The receipts in the same order, with each delivery that was pending in them as it now stands.
    func refresh(_ receipts: [Receipt]) throws -> [Receipt]

    /// The receipt of the one package whose identifier begins with `prefix`.
    ///
    /// - Throws: ``ContainerError`` with the code `notFound` if no identifier does, or several do.
    func receipt(_ prefix: String) throws -> Receipt

    /// At most `limit` packages that come after a place, oldest first.
    func packages(_ selection: PackageSelection, after place: PackageCursor?, limit: Int) throws -> PackagePage
}

/// Which packages are listed.
public enum PackageSelection: Sendable, Hashable {
    /// All of them.
    case all
    /// Those with one of these outcomes.
    case outcomes(Set<PackageOutcome>)
    /// Those that failed, wholly or in part, and were not replaced since, and those with lost content.
    case troubled
    /// Those with a delivery that failed or was quarantined.
    case troubledDeliveries
}

/// A place in the list of packages, for the next page.
public struct PackageCursor: Sendable, Hashable {
    /// The number of the last package of the page before; numbers grow, and are never used again.
    public var number: Int64

    /// The place after the package with this number.
    public init(number: Int64) { self.number = number }
}

/// Packages of one state of the catalog.
public struct PackagePage: Sendable {
    /// Oldest first.
    public var entries: [PackageEntry]
    /// Where the next page begins; `nil` at the end.
    public var next: PackageCursor?

    /// A page, and where the next one begins.
    public init(entries: [PackageEntry], next: PackageCursor?) {
        self.entries = entries
        self.next = next
    }
}

extension Catalog {
    /// Calls `body` for each package, oldest first. The catalog is read a page at a time, and not while `body` runs.
    public func forEachPackage(
        _ selection: PackageSelection = .all, _ body: (PackageEntry) throws -> Void
    ) throws {
        var place: PackageCursor?
        repeat {
            let page = try packages(selection, after: place, limit: CatalogReader.pageLimit)
            for entry in page.entries { try body(entry) }
            place = page.next
        } while place != nil
    }
}

/// A package that is ready to be committed.
public struct PackageProposal: Sendable {
    /// The story so far: identifier, outcome, selections. The catalog settles the rest.
    public var receipt: Receipt
    /// The sender's own `id`, by which an earlier share of its is known again; `nil` where it gave none.
    public var senderID: String?
    /// The absolute path, by which an edited source is known again; `nil` for a transient one.
    public var sourcePath: FilePath?
    /// How the source stood while it was read, where it can be known again by that.
    public var stamp: SourceStamp?
    /// When it came in: ISO 8601, UTC.
    public var received: String
    /// Names the run, so that a source with two contents within one can be told.
    public var run: String
    /// The object that holds the description, and one with the input where that cannot be read again.
    public var records: [ObjectRecord]
    /// Texts and links that came in, besides the item's own, by which the package is found.
    public var text: String?
    /// What is to be delivered; one whose content goes, or went, to the same sink already becomes a duplicate.
    public var deliveries: [DeliveryProposal]

    /// A package to be committed; each object of `records`, the description first, must be durable by then.
    public init(
        receipt: Receipt, senderID: String?, sourcePath: FilePath?, stamp: SourceStamp? = nil, received: String,
        run: String,
        records: [ObjectRecord] = [], deliveries: [DeliveryProposal] = []
    ) {
        self.receipt = receipt
        self.senderID = senderID
        self.sourcePath = sourcePath
        self.stamp = stamp
        self.received = received
        self.run = run
        self.records = records
        self.deliveries = deliveries
    }
}

/// An object as a row names it.
public struct ObjectRecord: Sendable, Hashable {
    /// The object's name.
    public var digest: Digest
    /// In bytes.
    public var size: Int64

    /// A row for an object of so many bytes.
    public init(digest: Digest, size: Int64) {
        self.digest = digest
        self.size = size
    }
}

/// A delivery that is to be made.
public struct DeliveryProposal: Sendable, Hashable {
    /// The delivery's identifier, unique in the catalog; an identifier's beginning can name it.
    public var id: String
    /// The sink's and the group's: the same content to the same sink is the same delivery.
    public var key: String
    /// The identifier of the sink that it goes to.
    public var sink: String
    /// The place of the provider that leads the group.
    public var lead: Int
    /// What the queue hands out again, unread.
    public var payload: String

    /// A delivery that the catalog opens when its package is committed.
    public init(id: String, key: String, sink: String, lead: Int, payload: String) {
        self.id = id
        self.key = key
        self.sink = sink
        self.lead = lead
        self.payload = payload
    }
}
