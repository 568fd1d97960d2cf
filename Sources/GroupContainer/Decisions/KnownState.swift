package import ShareModel

/// What the container knows, as far as a decision about one package has to look.
///
/// Each call may cost a query. A decision calls only what it needs, so an engine fetches nothing ahead. *Must:* all
/// answers are of one state, which lasts until the decision is carried out.
package protocol KnownState {
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
package struct KnownPackage: Sendable, Hashable {
    /// The catalog's own number; decisions only hand it back.
    package var seq: Int64
    /// The package's identifier.
    package var id: String
    /// What became of it.
    package var outcome: PackageOutcome
    /// The run that took it in.
    package var run: String

    package init(seq: Int64, id: String, outcome: PackageOutcome, run: String) {
        self.seq = seq
        self.id = id
        self.outcome = outcome
        self.run = run
    }
}

/// What a person wrote beside the content.
package struct KnownWords: Sendable, Hashable {
    package var title: String?
    package var text: String?

    package init(title: String? = nil, text: String? = nil) {
        self.title = title
        self.text = text
    }
}
