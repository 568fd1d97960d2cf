public import ShareModel
public import SystemPackage

/// The rows of the container: packages, the content that each has, and deliveries. Calls block their thread.
public protocol Catalog: Sendable {
    /// The digests that a row names, so their objects are durable. Objects that a verification found lost are left out.
    func knownObjects(among digests: Set<Digest>) throws -> Set<Digest>

    /// Whether a row may name an object of this size. A writer without room asks this before it hashes content that may
    /// be stored already. The answer may take as long as reading all rows of objects.
    func mayHaveObject(ofSize size: Int64) throws -> Bool

    /// The identifiers among these that belong to a package of the container that did not fail, and that has no lost
    /// content: a package that comes in again brings lost content back.
    func knownPackages(among ids: Set<String>) throws -> Set<String>

    /// The identifiers among these of packages that were forgotten, and have not come in again: neither as they were, nor
    /// with other words that a person gave the same content.
    ///
    /// A walk skips them. The identifier is all that an engine keeps of a forgotten package for this.
    ///
    /// - Parameter packages: the identifiers, each with the content of the package's providers, in their order; `nil` for a
    ///   provider without content.
    func forgottenPackages(among packages: [String: [Digest?]]) throws -> Set<String>

    /// The stamps among these of files on this machine whose package was forgotten. A walk need not read such a file.
    func forgottenSources(among stamps: Set<SourceStamp>) throws -> Set<SourceStamp>

    /// The packages of files on this machine that are unchanged since they were read, in the same order; `nil` for a
    /// file that has to be read.
    func recognize(_ sources: [(source: PackageSource, stamp: SourceStamp)]) throws -> [KnownSource?]

    /// The words that a person gave the packages of sources on this machine, in the same order; see ``GivenWords``. `nil` for
    /// a source whose kind has words of its own, and for one that yielded no package with words last, or one that another
    /// package has replaced.
    func givenWords(of sources: [PackageSource]) throws -> [GivenWords?]

    /// Decides on each package, in order, and commits them all in one durable transaction, or none of them.
    ///
    /// *Must:* every object that a proposal names is durable before this call. *Must:* the engine carries out the
    /// decisions of ``PackageDecision``. Each decision sees the earlier proposals of the call as committed. *Must:* the
    /// engine adds the tags of a proposal to the new package, or to the earlier one; see ``PackageDecision/earlier``.
    ///
    /// - Returns: the receipts in the same order, with outcomes, new content, replaced packages and open deliveries.
    func commit(_ proposals: [PackageProposal]) throws -> [Receipt]

    /// The receipts in the same order, with the present state of each delivery that is pending in them.
    func refresh(_ receipts: [Receipt]) throws -> [Receipt]

    /// The receipt of ``recognize(_:)``, ``commit(_:)`` or ``refresh(_:)`` with all metadata of its deliveries.
    ///
    /// An engine *may* leave large metadata out of those receipts, because a run holds many of them; see
    /// ``DeliveryRecord/isAbridged``.
    func completed(_ receipt: Receipt) throws -> Receipt

    /// The present outcomes of deliveries, in the same order. A delivery whose package was forgotten is left out.
    func outcomes(ofDeliveries ids: [String]) throws -> [DeliveryOutcome]

    /// The receipt of the one package whose identifier begins with `prefix`.
    ///
    /// - Throws: ``ContainerError`` with the code `notFound` if no package matches, or several do.
    func receipt(_ prefix: String) throws -> Receipt

    /// At most `limit` packages after a place, in the order in which they were stored; `nil` is the place before the
    /// first one. A limit below 1 counts as 1.
    func packages(_ selection: PackageSelection, after place: PackageCursor?, limit: Int) throws -> PackagePage
}

/// A choice of packages for a list.
public enum PackageSelection: Sendable, Hashable {
    /// All packages.
    case all
    /// The packages with one of these outcomes.
    case outcomes(Set<PackageOutcome>)
    /// The packages that failed, wholly or in part, and that no other package has replaced; and those with lost
    /// content.
    case troubled
    /// The packages with a delivery that failed or was quarantined.
    case troubledDeliveries
    /// The packages with an open delivery.
    case openDeliveries
    /// The packages with a warning that no other package has replaced; see ``Receipt/hasWarnings``.
    case warned
    /// The packages with a tag.
    case tagged(PackageTag)
}

/// A place in the list of packages, at which the next page begins.
public struct PackageCursor: Sendable, Hashable {
    /// The number of the last package of the page before. Numbers grow, and are never used again.
    public var number: Int64

    /// The place after the package with this number.
    public init(number: Int64) { self.number = number }
}

/// One page of a list of packages, read from one state of the catalog.
public struct PackagePage: Sendable {
    /// The packages, in the order in which they were stored.
    public var entries: [PackageEntry]
    /// The place at which the next page begins; `nil` at the end.
    public var next: PackageCursor?

    /// One error for each package of the page whose record cannot be read. Its message names the package.
    public var unreadable: [ContainerError] = []

    /// A page with the place of the next one.
    public init(entries: [PackageEntry], next: PackageCursor?) {
        self.entries = entries
        self.next = next
    }
}

extension Catalog {
    /// The receipt itself: an engine need not leave anything out.
    public func completed(_ receipt: Receipt) throws -> Receipt { receipt }

    /// `true`: an engine need not know.
    public func mayHaveObject(ofSize size: Int64) throws -> Bool { true }

    /// Calls `body` for each package, in the order in which they were stored. No read of the catalog is open while
    /// `body` runs.
    ///
    /// - Parameter unreadable: called for each package whose record cannot be read; by default it throws the error.
    /// - Throws: an error of the catalog; an error of `body` or `unreadable`, which ends the list.
    public func forEachPackage(
        _ selection: PackageSelection = .all, unreadable: (ContainerError) throws -> Void = { throw $0 },
        _ body: (PackageEntry) throws -> Void
    ) throws {
        // By pages: a slow `body` would otherwise keep the write-ahead log from being truncated.
        var place: PackageCursor?
        // The first page is short, so that a person sees the first line at once.
        var limit = CatalogReader.pageLimit / 10
        repeat {
            let page = try packages(selection, after: place, limit: limit)
            for entry in page.entries { try body(entry) }
            for error in page.unreadable { try unreadable(error) }
            place = page.next
            limit = CatalogReader.pageLimit
        } while place != nil
    }
}

/// A package that is ready to be committed.
public struct PackageProposal: Sendable {
    /// The receipt with identifier, outcome and selections. The catalog fills in the rest.
    public var receipt: Receipt
    /// The sender's own `id`, by which the catalog finds an earlier share of that sender; `nil` if there is none.
    public var senderID: String?
    /// The absolute path, by which the catalog recognizes an edited source; `nil` for a source without a lasting path.
    public var sourcePath: FilePath?
    /// The folder whose walk found the source; `nil` for a source that was named.
    public var walk: FilePath?
    /// What a bag records of the package; `nil` for a package from elsewhere, or without a record.
    public var history: PackageHistory?
    /// The stamp of the source while it was read; `nil` if a stamp cannot show that the source is unchanged.
    public var stamp: SourceStamp?
    /// The time when the package came in: ISO 8601, UTC. With a history, the time when it first did.
    public var received: String
    /// The name of the run. If a source has two contents within one run, the receipt warns that it may be unstable.
    public var run: String
    /// The object of the description, and the object of the input if the input cannot be read again.
    public var records: [ObjectRecord]
    /// The tags that the run gives its packages. Those of a bag are in ``history``.
    public var tags: [PackageTag] = []
    /// The deliveries to open. A delivery becomes a duplicate if another one has the same key and the same sink.
    public var deliveries: [DeliveryProposal]

    /// A package to commit. The description is the first of `records`. *Must:* each object of `records` is durable
    /// before the commit.
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

extension PackageProposal {
    /// The tags of the package if it is new: those of the run, and those that a bag records.
    public var newTags: [PackageTag] { tags + (history?.tags ?? []) }
}

/// An object as a row names it.
public struct ObjectRecord: Sendable, Hashable {
    /// The object's name.
    public var digest: Digest
    /// The size in bytes.
    public var size: Int64

    /// A record of an object with its size in bytes.
    public init(digest: Digest, size: Int64) {
        self.digest = digest
        self.size = size
    }
}

/// A delivery to open.
public struct DeliveryProposal: Sendable, Hashable {
    /// The delivery's identifier, unique in the catalog. A person may name the delivery by the beginning of it.
    public var id: String
    /// The identifier that the delivery would have without a login. One that was made before anyone had logged in keeps it.
    public var idWithoutLogin: String
    /// The key, made of the sink's identifier and the group's key. The same content for the same sink has the same key.
    public var key: String
    /// The identifier of the sink.
    public var sink: String
    /// The index of the provider that leads the group, as in the receipt.
    public var lead: Int
    /// Text of the caller, which the queue returns unchanged with a claim.
    public var payload: String
    /// The login under which the delivery goes out, and under no other; `nil` if it needs none, or if there is none yet.
    public var login: AccountUser?

    /// A delivery that the catalog opens when its package is committed.
    ///
    /// - Parameter idWithoutLogin: `nil` if it is the same as `id`.
    public init(
        id: String, idWithoutLogin: String? = nil, key: String, sink: String, lead: Int, payload: String,
        login: AccountUser? = nil
    ) {
        self.id = id
        self.idWithoutLogin = idWithoutLogin ?? id
        self.key = key
        self.sink = sink
        self.lead = lead
        self.payload = payload
        self.login = login
    }

    /// Whether it is among deliveries that a package has, by their identifiers.
    ///
    /// An open one that is nobody's yet may become another person's. So it is not the same; the proposal follows it and makes it its own.
    func isAmong(_ deliveries: [String: KnownDelivery]) -> Bool {
        if deliveries[id] != nil { return true }
        guard let other = deliveries[idWithoutLogin] else { return false }
        return other.login == login || other.login == nil && !other.isOpen
    }

    /// The group of the package and the content that the sink gets, for whichever person.
    var place: Place { Place(lead: lead, key: key) }

    struct Place: Hashable {
        let lead: Int
        let key: String
    }
}
