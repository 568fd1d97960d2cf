public import ShareModel

/// The container's decision about a proposed package: it is new, a duplicate, a repeated failure, or adds nothing.
///
/// The decision is a pure function of the proposal and the known state. It writes no row and composes no sentence: an
/// engine writes the rows, and ``ReceiptComposer`` writes the receipt.
public enum PackageDecision: Sendable, Hashable {
    /// The package is new.
    case insert(NewPackage)
    /// The container has a package with this identifier. Its missing deliveries are added, and it replaces the packages in
    /// `replacing`, oldest first. If it becomes current, nothing replaces it any more.
    ///
    /// The sightings are the arrivals that are recorded too: that of the package, and those of its history. The deliveries
    /// in `opening` had ended only as a bag says.
    case duplicate(
        of: KnownPackage, adding: [DeliveryDecision], replacing: [KnownPackage] = [], becomesCurrent: Bool = true,
        sightings: [PackageSighting] = [], opening: [String] = [])
    /// An input failed again, perhaps for another reason. It is listed again, even if a later package had replaced it.
    case failedAgain(KnownPackage)
    /// A current package of the same source has everything that this partial package has, and stays current, even if
    /// the partial one came in before it. Only the records of the partial one are kept, such as the input from a pipe,
    /// which cannot be read again. The current one replaces the failures in `replacing`: their source can be read again.
    case addsNothing(
        to: KnownPackage, replacing: [KnownPackage] = [], sighting: PackageSighting? = nil, opening: [String] = [])

    /// The package of the container that the proposed one repeats, fails as again, or adds nothing to; `nil` for a new
    /// package. It gets the tags of the proposal.
    public var earlier: KnownPackage? {
        switch self {
        case .insert: nil
        case .duplicate(let earlier, _, _, _, _, _): earlier
        case .failedAgain(let earlier): earlier
        case .addsNothing(let earlier, _, _, _): earlier
        }
    }

    /// The packages that are replaced, oldest first. The package that replaces them gets their tags: a person gave them to
    /// the file, not to one version of it.
    public var replacing: [KnownPackage] {
        switch self {
        case .insert(let package): package.replaces
        case .duplicate(_, _, let replaced, _, _, _): replaced
        case .failedAgain: []
        case .addsNothing(_, let replaced, _, _): replaced
        }
    }

    /// Decides about one package. It borrows the proposal: an initializer usually gets a copy, and a proposal is large.
    ///
    /// - Throws: the errors of the known state.
    public init(_ proposal: borrowing PackageProposal, _ known: some KnownState) throws {
        if let history = proposal.history {
            self = try Self.restored(proposal, history, known)
            return
        }
        let (id, outcome) = (proposal.receipt.id, proposal.receipt.outcome)
        let first = proposal.receipt.providers.lazy.compactMap(\.sha256).first
        // The identifier depends on the content. If the first content is new, no package has the identifier, and the
        // lookup is skipped.
        let mayBeKnown = try first.map(known.hasContent) ?? true
        let priors = try known.currentPackages(of: proposal)
        if let whole = priors.last(where: { $0.outcome != .failed && $0.id != id }),
            try Self.addsNothing(proposal, to: whole, known)
        {
            self = .addsNothing(
                to: whole, replacing: priors.filter { $0.outcome == .failed },
                sighting: try Self.sighting(ofPart: proposal, whole, known),
                opening: try Self.unconfirmed(proposal, whole, known))
        } else if mayBeKnown,
            let earlier = try priors.first(where: { $0.id == id }) ?? known.package(id: id)
        {
            guard outcome != .failed else {
                self = .failedAgain(earlier)
                return
            }
            let missing = try Self.missing(proposal, earlier, known)
            let others = priors.filter { $0.id != earlier.id }
            let becomesCurrent = try Self.becomesCurrent(earlier, insteadOf: others, proposal, known)
            self = .duplicate(
                of: earlier, adding: missing.decisions,
                replacing: becomesCurrent ? others : others.filter { $0.outcome == .failed },
                becomesCurrent: becomesCurrent,
                sightings: try Self.sighting(proposal, earlier, known).map { [$0] } ?? [],
                opening: try Self.unconfirmed(proposal, earlier, known) + missing.opening)
        } else {
            self = .insert(try NewPackage(proposal, replacing: priors, known))
        }
    }

    /// Whether a known package that comes in again becomes the current one of its source.
    ///
    /// A path that yields what it yielded before says nothing new about an identifier of the sender. So two shares with one
    /// identifier do not replace each other again and again, and a run over an old share does not undo a newer one.
    private static func becomesCurrent(
        _ earlier: KnownPackage, insteadOf others: [KnownPackage], _ proposal: PackageProposal, _ known: some KnownState
    ) throws -> Bool {
        // A failed package has no content that could be current.
        guard earlier.outcome != .failed else { return false }
        guard proposal.senderID != nil, others.contains(where: { $0.outcome != .failed }) else { return true }
        return try !known.isRepeated(proposal)
    }

    /// Decides about a package with a history. What the container knows stays as it is.
    private static func restored(
        _ proposal: PackageProposal, _ history: PackageHistory, _ known: some KnownState
    ) throws -> PackageDecision {
        guard let earlier = try known.package(id: proposal.receipt.id) else {
            return .insert(try NewPackage(restoring: proposal, history, known))
        }
        // A failure has no content that could arrive again.
        guard proposal.receipt.outcome != .failed else {
            return .duplicate(of: earlier, adding: [], becomesCurrent: false)
        }
        let arrivals = (PackageSighting(proposal).map { [$0] } ?? []) + history.sightings
        return .duplicate(
            of: earlier, adding: try missing(proposal.withoutRecorded(history), earlier, known).decisions,
            replacing: try failures(proposal, besides: earlier, known), becomesCurrent: false,
            sightings: try arrivals.filter { try !known.hasSighting($0, of: earlier) })
    }

    /// The failures from the place of a package with a history: the bag came in before, and this file of it could not be
    /// read. A bag does not decide which package of a sender's identifier is the current one.
    fileprivate static func failures(
        _ proposal: PackageProposal, besides earlier: KnownPackage? = nil, _ known: some KnownState
    ) throws -> [KnownPackage] {
        var arrival = proposal
        arrival.senderID = nil
        return try known.currentPackages(of: arrival).filter { $0.outcome == .failed && $0.id != earlier?.id }
    }

    /// The arrival of the package, unless it is recorded already.
    private static func sighting(
        _ proposal: PackageProposal, _ earlier: KnownPackage, _ known: some KnownState
    ) throws -> PackageSighting? {
        guard let sighting = PackageSighting(proposal), try !known.hasSighting(sighting, of: earlier) else {
            return nil
        }
        return sighting
    }

    /// The arrival of a part of an earlier package, unless it is recorded already: of the earlier package, or of the
    /// part, which may have come in before the whole.
    private static func sighting(
        ofPart proposal: PackageProposal, _ whole: KnownPackage, _ known: some KnownState
    ) throws -> PackageSighting? {
        guard let sighting = try sighting(proposal, whole, known) else { return nil }
        guard let part = try known.package(id: proposal.receipt.id), try known.hasSighting(sighting, of: part) else {
            return sighting
        }
        return nil
    }

    /// Whether a partial package has only content of the earlier package, and the same title and text.
    private static func addsNothing(
        _ proposal: PackageProposal, to earlier: KnownPackage, _ known: some KnownState
    ) throws -> Bool {
        let receipt = proposal.receipt
        guard receipt.outcome == .partial else { return false }
        return try known.words(of: earlier) == KnownWords(receipt.item)
            && receipt.contents.isSubset(of: known.contents(of: earlier))
    }

    /// The proposed deliveries that the earlier package lacks, for example because their sink was installed later.
    private static func missing(
        _ proposal: PackageProposal, _ earlier: KnownPackage, _ known: some KnownState
    ) throws -> DeliveryDecision.All {
        let there = try known.deliveries(of: earlier)
        let missing = proposal.deliveries.filter { !$0.isAmong(there) }
        return try DeliveryDecision.all(missing, of: proposal.receipt, new: [], known)
    }

    /// The deliveries of the earlier package that only a bag says have ended, and whose content has come in now. A
    /// delivery stays as it is if the sink has the content by another one.
    private static func unconfirmed(
        _ proposal: PackageProposal, _ earlier: KnownPackage, _ known: some KnownState
    ) throws -> [String] {
        try proposal.deliveries.compactMap { delivery in
            guard let id = try known.unconfirmedDelivery(like: delivery, in: earlier) else { return nil }
            let content = proposal.receipt.content(leading: delivery)
            return try known.delivery(like: delivery, of: content) == nil ? id : nil
        }
    }
}

/// The decisions about a new package.
public struct NewPackage: Sendable, Hashable {
    /// The packages that it replaces, oldest first. Its receipt names the last one.
    public var replaces: [KnownPackage]
    /// The warnings of its receipt.
    public var warnings: [PackageWarning]
    /// For each provider, whether its content is new to the container. Of several providers with the same content only
    /// the first has `true`.
    public var isNew: [Bool]
    /// The decision about each proposed delivery, in the order of the proposals.
    public var deliveries: [DeliveryDecision]
    /// The identifiers of the deliveries of other packages that are opened. They had ended only as a bag says, and some
    /// of ``deliveries`` follow them.
    public var opening: [String]

    /// A package that goes in, as an engine or a test states it.
    public init(
        replaces: [KnownPackage] = [], warnings: [PackageWarning] = [], isNew: [Bool] = [],
        deliveries: [DeliveryDecision] = [], opening: [String] = []
    ) {
        self.replaces = replaces
        self.warnings = warnings
        self.isNew = isNew
        self.deliveries = deliveries
        self.opening = opening
    }

    init(_ proposal: borrowing PackageProposal, replacing priors: [KnownPackage], _ known: some KnownState) throws {
        // A failed input replaces nothing, because the earlier package still has the better content.
        replaces = proposal.receipt.outcome == .failed ? [] : priors
        warnings = try replaces.last.flatMap { try PackageWarning(proposal, $0, known) }.map { [$0] } ?? []
        let content = try Self.newContent(of: proposal.receipt, known)
        isNew = content.isNew
        (deliveries, opening) = try DeliveryDecision.all(
            proposal.deliveries, of: proposal.receipt, new: content.digests, known)
    }

    /// A package with a history. Of the packages from the same place, it replaces the failures alone. Which packages the
    /// others replace, the history says.
    init(restoring proposal: PackageProposal, _ history: PackageHistory, _ known: some KnownState) throws {
        let receipt = proposal.receipt
        replaces = receipt.outcome == .failed ? [] : try PackageDecision.failures(proposal, known)
        warnings = []
        let content = try Self.newContent(of: receipt, known)
        isNew = content.isNew
        let records = Dictionary(history.deliveries.map { ($0.proposal.id, $0.record) }) { first, _ in first }
        let later = proposal.withoutRecorded(history).deliveries
        deliveries = try DeliveryDecision.all(
            history.deliveries.map(\.proposal) + later, of: receipt, new: content.digests, records: records,
            known
        ).decisions
        // What one bag says is no reason to doubt another one.
        opening = []
    }

    /// For each provider, whether its content is new to the container; and the digests of the new content.
    private static func newContent(of receipt: Receipt, _ known: some KnownState) throws
        -> (isNew: [Bool], digests: Set<Digest>)
    {
        var new: Set<Digest> = []
        let isNew = try receipt.providers.map { provider in
            guard let digest = provider.sha256, provider.size != nil, !new.contains(digest),
                try !known.hasContent(digest)
            else { return false }
            new.insert(digest)
            return true
        }
        return (isNew, new)
    }
}

/// Whether a proposed delivery is made, or is a duplicate of another.
public struct DeliveryDecision: Sendable, Hashable {
    /// The delivery as the package proposes it.
    public var proposal: DeliveryProposal
    /// The identifier of the delivery that sends the same content to the same sink; `nil` if this delivery is made.
    public var duplicateOf: String?
    /// How the delivery stands already, in the package's history; `nil` for a delivery without a history.
    public var record: DeliveryRecord?

    /// A delivery that is to be made, the duplicate of another one, or one with a history.
    public init(_ proposal: DeliveryProposal, duplicateOf: String? = nil, record: DeliveryRecord? = nil) {
        self.proposal = proposal
        self.duplicateOf = duplicateOf
        self.record = record
    }

    /// The decisions about deliveries, and the identifiers of the deliveries among their leaders that had ended only as a
    /// bag says.
    fileprivate typealias All = (decisions: [DeliveryDecision], opening: [String])

    /// - Parameters:
    ///   - new: the content that is new with the package. No earlier delivery can have it, so the lookup is skipped.
    ///   - records: for a package with a history, its recorded deliveries by their identifiers.
    fileprivate static func all(
        _ proposals: [DeliveryProposal], of receipt: Receipt, new: Set<Digest>,
        records: [String: DeliveryRecord]? = nil, _ known: some KnownState
    ) throws -> All {
        var opened: [SinkKey: String] = [:]
        var unconfirmed: [String] = []
        let decisions = try proposals.map { proposal in
            let record = records?[proposal.id]
            let content = receipt.content(leading: proposal)
            let isNew = content.map(new.contains) ?? false
            // Two groups of one package may send the same content to the same sink.
            let key = SinkKey(key: proposal.key, sink: proposal.sink, login: proposal.login)
            var decision = DeliveryDecision(proposal, record: record)
            if record?.mayFollow ?? true {
                // A bag may bring any number of deliveries of one content that only it calls made. So its packages look
                // for one of those first, and do not go through all of them to find another one.
                var claimed: String?
                if records != nil, !isNew { claimed = try known.unconfirmedDelivery(like: proposal, of: content) }
                let made = isNew || claimed != nil ? nil : try known.delivery(like: proposal, of: content)
                decision.duplicateOf = claimed ?? made ?? opened[key]
                if records == nil, decision.duplicateOf == nil, !isNew,
                    let claimed = try known.unconfirmedDelivery(like: proposal, of: content)
                {
                    decision.duplicateOf = claimed
                    unconfirmed.append(claimed)
                }
            }
            if decision.duplicateOf == nil, record.map({ $0.outcome == .delivered || $0.outcome == .pending }) ?? true {
                opened[key] = proposal.id
            }
            return decision
        }
        return (decisions, unconfirmed)
    }

    /// Two deliveries with this in common send the same content to the same sink, for the same person.
    private struct SinkKey: Hashable {
        let key: String
        let sink: String
        let login: AccountUser?
    }
}

extension PackageProposal {
    /// The proposal without the deliveries that the history has, for whichever person: what another one has shared, or what a person has
    /// dismissed, is not sent because its bag comes in.
    fileprivate func withoutRecorded(_ history: PackageHistory) -> PackageProposal {
        let recorded = Set(history.deliveries.map(\.proposal.place))
        var proposal = self
        proposal.deliveries.removeAll { recorded.contains($0.place) }
        return proposal
    }
}

extension DeliveryRecord {
    /// Whether the delivery stands as another one with the same key does, if there is one. A delivery that a sink has
    /// answered stands for itself.
    fileprivate var mayFollow: Bool { outcome == .pending || attempts == 0 && outcome != .declined }
}

/// Something that a person should look at, although the package was stored.
public enum PackageWarning: Sendable, Hashable, CaseIterable {
    /// The path gave other bytes earlier in the same run.
    case changedInRun
    /// The source gave other bytes when a partial package was tried again.
    case changedOnRetry
    /// The sender gave one identifier to different content.
    case reusedSenderID

    fileprivate init?(_ proposal: borrowing PackageProposal, _ prior: KnownPackage, _ known: some KnownState) throws {
        if prior.run == proposal.run, proposal.senderID == nil {
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
    /// The digests of all stored content.
    var contents: Set<Digest> { Set(providers.compactMap(\.sha256)) }

    /// The content that leads a delivery's group; `nil` if there is none.
    fileprivate func content(leading delivery: DeliveryProposal) -> Digest? {
        providers.indices.contains(delivery.lead) ? providers[delivery.lead].sha256 : nil
    }
}
