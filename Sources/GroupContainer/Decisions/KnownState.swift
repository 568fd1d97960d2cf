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
    /// they have the same path on the same machine. A failed package has the source of every package from its path: an
    /// input that could not be read shows no `id`.
    func currentPackages(of proposal: PackageProposal) throws -> [KnownPackage]

    /// The package with an identifier; `nil` if there is none.
    func package(id: String) throws -> KnownPackage?

    /// The title and the text of a package.
    func words(of package: KnownPackage) throws -> KnownWords

    /// The digests of the content of a package's providers.
    func contents(of package: KnownPackage) throws -> Set<Digest>

    /// The identifiers of a package's deliveries.
    func deliveries(of package: KnownPackage) throws -> Set<String>

    /// The identifier of a delivery with the same key and the same sink that is open or delivered; `nil` if there is
    /// none.
    ///
    /// - Parameter content: the content that leads the delivery's group; `nil` if the container does not have it. An
    ///   engine may find the delivery by it, without an index over keys.
    func delivery(like proposal: DeliveryProposal, of content: Digest?) throws -> String?

    /// Whether an arrival is recorded for a package. The first arrival counts, which is the package itself.
    func hasSighting(_ sighting: PackageSighting, of package: KnownPackage) throws -> Bool
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

/// The words that came with a package beside its content.
public struct KnownWords: Sendable, Hashable {
    /// The title; `nil` if the package has none.
    public var title: String?
    /// The text; `nil` if the package has none.
    public var text: String?

    /// The words of a package.
    public init(title: String? = nil, text: String? = nil) {
        self.title = title
        self.text = text
    }
}
