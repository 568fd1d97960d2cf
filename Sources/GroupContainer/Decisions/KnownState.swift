internal import Files
public import ShareModel

/// The container's answers to the questions of ``PackageDecision`` about one package.
///
/// Each call may cost a query. A decision asks only for the facts that it needs, so an engine fetches nothing ahead.
/// *Must:* all answers are of one state, which lasts until the decision is carried out.
public protocol KnownState {
    /// Whether a row names this content.
    func hasContent(_ digest: Digest) throws -> Bool

    /// The packages of the same source that no other package has replaced, oldest first.
    ///
    /// Two packages have the same source if they have the same `id` of the sender. Without an `id`, they have it if
    /// they have the same path on the same machine: the path yielded the package last, or the package came from it first.
    /// A package that another path yields now does not count, because that one is a copy, or swapped its name with this
    /// one. A failed package has the source of every package from its path: an input that could not be read shows no `id`.
    func currentPackages(of proposal: PackageProposal) throws -> [KnownPackage]

    /// Whether the path of a proposal yielded a package with the proposal's identifier when it was read last. `false` for
    /// a proposal without a path.
    func isRepeated(_ proposal: PackageProposal) throws -> Bool

    /// The package with an identifier; `nil` if there is none.
    func package(id: String) throws -> KnownPackage?

    /// The title and the text of a package; `nil` if its record cannot be read.
    func words(of package: KnownPackage) throws -> KnownWords?

    /// The digests of the content of a package's providers.
    func contents(of package: KnownPackage) throws -> Set<Digest>

    /// A package's deliveries, by their identifiers. A duplicate stands as the delivery that it follows.
    func deliveries(of package: KnownPackage) throws -> [String: KnownDelivery]

    /// The identifier of a delivery with the same key and the same sink that is open or delivered, and that goes out under
    /// the same login or under one that is not known yet; `nil` if there is none. A proposal without a login matches all. *Must not* be one of ``unconfirmedDelivery(like:of:)``.
    ///
    /// - Parameter content: the content that leads the delivery's group; `nil` if the container does not have it. An
    ///   engine may find the delivery by it, without an index over keys.
    func delivery(like proposal: DeliveryProposal, of content: Digest?) throws -> String?

    /// The identifier of such a delivery that is delivered only as a bag says; `nil` if there is none.
    func unconfirmedDelivery(like proposal: DeliveryProposal, of content: Digest?) throws -> String?

    /// The identifier of such a delivery that has ended only as a bag says, and is one of this package, or is followed by
    /// one; `nil` if there is none.
    func unconfirmedDelivery(like proposal: DeliveryProposal, in package: KnownPackage) throws -> String?

    /// Whether an arrival is recorded for a package. The first arrival counts, which is the package itself.
    func hasSighting(_ sighting: PackageSighting, of package: KnownPackage) throws -> Bool
}

/// A delivery in the container, as far as decisions need it.
public struct KnownDelivery: Sendable, Hashable {
    /// The login under which it goes out; `nil` if it needs none, or if no one had logged in.
    public var login: AccountUser?
    /// Whether it has not ended.
    public var isOpen: Bool

    /// A delivery that the engine found.
    public init(login: AccountUser?, isOpen: Bool) { (self.login, self.isOpen) = (login, isOpen) }

    /// A delivery as its record has it.
    public init(_ record: DeliveryRecord) { self.init(login: record.login, isOpen: record.outcome == .pending) }
}

/// A package in the container, as far as decisions need it.
public struct KnownPackage: Sendable, Hashable {
    /// The catalog's own number. A decision only passes it back to the catalog.
    public var seq: Int64
    /// The package's identifier.
    public var id: String
    /// The package's outcome.
    public var outcome: PackageOutcome
    /// The name of the run that took it in.
    public var run: String

    /// A package that the engine found.
    public init(seq: Int64, id: String, outcome: PackageOutcome, run: String) {
        self.seq = seq
        self.id = id
        self.outcome = outcome
        self.run = run
    }
}

/// The words that came with a package beside its content, as far as they are compared. A plan keeps those of many packages,
/// and a text may be long, so the value has only their digest.
public struct KnownWords: Sendable, Hashable {
    private let digest: Digest

    /// The words of a package; `nil` for those that it does not have.
    public init(title: String? = nil, text: String? = nil) {
        // No UTF-8 has these bytes.
        let (missing, end): (UInt8, UInt8) = (0xFE, 0xFF)
        var bytes: [UInt8] = []
        for word in [title, text] {
            if let word { bytes += word.utf8 } else { bytes.append(missing) }
            bytes.append(end)
        }
        digest = Digest(of: bytes)
    }

    /// The words of a package's item; `nil` for a package without one.
    public init(_ item: Receipt.Item?) { self.init(title: item?.title, text: item?.text) }
}
