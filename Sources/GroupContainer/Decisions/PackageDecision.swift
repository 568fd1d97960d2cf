internal import ShareModel

/// What a proposed package is to the container: new, the same again, or less than what is there.
///
/// A pure function of the proposal and the known state. It writes nothing and composes no sentence: an engine carries
/// the decision out, ``ReceiptComposer`` puts it into words.
package enum PackageDecision: Sendable, Hashable {
    /// The package is new.
    case insert(NewPackage)
    /// A package with this identifier is there. Its missing deliveries are added, and it becomes the current one of its
    /// source unless it failed.
    case duplicate(of: KnownPackage, adding: [DeliveryDecision])
    /// An input failed, as it did before; only the reason may be another.
    case failedAgain(KnownPackage)
    /// A partial package brings nothing that an earlier one of its source has not.
    case addsNothing(to: KnownPackage)

    /// Decides about one package.
    ///
    /// - Throws: what the known state throws.
    package init(_ proposal: PackageProposal, _ known: some KnownState) throws {
        let receipt = proposal.receipt
        let first = receipt.providers.lazy.compactMap(\.sha256).first
        // The identifier is made of the content: where the first content is new, no package has the identifier.
        let mayBeKnown = try first.map(known.hasContent) ?? true
        let priors = try known.currentPackages(of: proposal)
        if mayBeKnown,
            let earlier = try priors.first(where: { $0.id == receipt.id }) ?? known.package(id: receipt.id)
        {
            guard receipt.outcome != .failed else {
                self = .failedAgain(earlier)
                return
            }
            self = .duplicate(of: earlier, adding: try Self.missing(proposal, earlier, known))
        } else if let earlier = priors.last(where: { $0.outcome != .failed }),
            try Self.addsNothing(proposal, to: earlier, known)
        {
            self = .addsNothing(to: earlier)
        } else {
            self = .insert(try NewPackage(proposal, replacing: priors, known))
        }
    }

    /// A package that lost more than it did before adds nothing, unless its words are others.
    private static func addsNothing(
        _ proposal: PackageProposal, to earlier: KnownPackage, _ known: some KnownState
    ) throws -> Bool {
        let receipt = proposal.receipt
        guard receipt.outcome == .partial else { return false }
        let words = KnownWords(title: receipt.item?.title, text: receipt.item?.text)
        return try known.words(of: earlier) == words && receipt.contents.isSubset(of: known.contents(of: earlier))
    }

    /// The deliveries to sinks that were not there when the package came before.
    private static func missing(
        _ proposal: PackageProposal, _ earlier: KnownPackage, _ known: some KnownState
    ) throws -> [DeliveryDecision] {
        let there = try known.deliveries(of: earlier)
        let missing = proposal.deliveries.filter { !there.contains($0.id) }
        return try DeliveryDecision.all(missing, of: proposal.receipt, new: [], known)
    }
}

/// A package that goes in.
package struct NewPackage: Sendable, Hashable {
    /// What it replaces, oldest first; the last is the one that its receipt names.
    package var replaces: [KnownPackage]
    /// What the receipt warns of.
    package var warnings: [PackageWarning]
    /// For each provider, whether its content comes in with it.
    package var isNew: [Bool]
    /// What becomes of each proposed delivery, in the same order.
    package var deliveries: [DeliveryDecision]

    package init(
        replaces: [KnownPackage] = [], warnings: [PackageWarning] = [], isNew: [Bool] = [],
        deliveries: [DeliveryDecision] = []
    ) {
        self.replaces = replaces
        self.warnings = warnings
        self.isNew = isNew
        self.deliveries = deliveries
    }

    init(_ proposal: PackageProposal, replacing priors: [KnownPackage], _ known: some KnownState) throws {
        let receipt = proposal.receipt
        // A failed input replaces nothing: what came before is still the best there is.
        replaces = receipt.outcome == .failed ? [] : priors
        warnings = try replaces.last.flatMap { try PackageWarning(proposal, $0, known) }.map { [$0] } ?? []
        var new: Set<Digest> = []
        isNew = try receipt.providers.map { provider in
            guard let digest = provider.sha256, provider.size != nil, !new.contains(digest),
                try !known.hasContent(digest)
            else { return false }
            new.insert(digest)
            return true
        }
        deliveries = try DeliveryDecision.all(proposal.deliveries, of: receipt, new: new, known)
    }
}

/// What becomes of a proposed delivery.
package struct DeliveryDecision: Sendable, Hashable {
    package var proposal: DeliveryProposal
    /// The delivery that sends the same content to the same sink; `nil` for one that is to be made.
    package var duplicateOf: String?

    package init(_ proposal: DeliveryProposal, duplicateOf: String? = nil) {
        self.proposal = proposal
        self.duplicateOf = duplicateOf
    }

    /// - Parameter new: content that comes in with the package: no earlier delivery can have it.
    fileprivate static func all(
        _ proposals: [DeliveryProposal], of receipt: Receipt, new: Set<Digest>, _ known: some KnownState
    ) throws -> [DeliveryDecision] {
        var opened: [DeliveryProposal] = []
        return try proposals.map { proposal in
            let content =
                receipt.providers.indices.contains(proposal.lead) ? receipt.providers[proposal.lead].sha256 : nil
            let isNew = content.map(new.contains) ?? false
            let earlier = isNew ? nil : try known.delivery(like: proposal, of: content)
            // Two groups of one package may send the same.
            let here = opened.first { $0.key == proposal.key && $0.sink == proposal.sink }
            let decision = DeliveryDecision(proposal, duplicateOf: earlier ?? here?.id)
            if decision.duplicateOf == nil { opened.append(proposal) }
            return decision
        }
    }
}

/// Something to be looked at, though the package is in.
package enum PackageWarning: Sendable, Hashable, CaseIterable {
    /// The source gave other bytes earlier in the same run.
    case changedInRun
    /// The source gave other bytes when a partial package was tried again.
    case changedOnRetry
    /// The sender gave one identifier to different content.
    case reusedSenderID

    fileprivate init?(_ proposal: PackageProposal, _ prior: KnownPackage, _ known: some KnownState) throws {
        if prior.run == proposal.run {
            self = .changedInRun
        } else if prior.outcome == .partial,
            try !known.contents(of: prior).isSubset(of: proposal.receipt.contents)
        {
            self = .changedOnRetry
        } else if proposal.senderID != nil, prior.outcome == .accepted {
            self = .reusedSenderID
        } else {
            return nil
        }
    }
}

extension Receipt {
    /// The digests of all that is in.
    var contents: Set<Digest> { Set(providers.compactMap(\.sha256)) }
}
