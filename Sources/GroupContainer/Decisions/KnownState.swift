public import ShareModel

/// What the container knows, as far as a decision about one package has to look.
///
/// Each call may cost a query. A decision calls only what it needs, so an engine fetches nothing ahead. *Must:* all
/// answers are of one state, which lasts until the decision is carried out.
public protocol KnownState {
    /// Whether a row names this content.
    func hasContent(_ digest: Digest) throws -> Bool

    /// The packages of the same source that no other package has replaced, oldest first.
    ///
    /// The same source has the sender's same identifier; without one, the same path on the same machine.
    func currentPackages(of proposal: PackageProposal) throws -> [KnownPackage]

    /// The package with an identifier; `nil` where there is none.
    func package(id: String) throws -> KnownPackage?

    /// The title and the text that a package came with.
    func words(of package: KnownPackage) throws -> KnownWords

    /// The content of a package's providers.
    func contents(of package: KnownPackage) throws -> Set<Digest>

    /// The identifiers of a package's deliveries.
    func deliveries(of package: KnownPackage) throws -> Set<String>

    /// The oldest delivery, open or made, with the same key to the same sink.
    ///
    /// - Parameter content: what leads the delivery's group; `nil` where that is not in the container.
    func delivery(like proposal: DeliveryProposal, of content: Digest?) throws -> String?
}

/// A package in the container, as far as decisions need it.
public struct KnownPackage: Sendable, Hashable {
    /// The catalog's own number; decisions only hand it back.
    public var seq: Int64
    /// The package's identifier.
    public var id: String
    /// What became of it.
    public var outcome: PackageOutcome
    /// The run that took it in.
    public var run: String

    /// A package that the catalog found.
    public init(seq: Int64, id: String, outcome: PackageOutcome, run: String) {
        self.seq = seq
        self.id = id
        self.outcome = outcome
        self.run = run
    }
}

/// What a person wrote beside the content.
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
