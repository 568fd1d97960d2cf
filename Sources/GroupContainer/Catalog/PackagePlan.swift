package import Files
package import ShareModel
package import SystemPackage

/// Decides about packages as a commit would, and writes nothing.
///
/// Each decision sees the container as it stands, and the packages that were decided before it as if they were
/// committed. A plan keeps a few hundred bytes for each of these. Calls block their thread.
package struct PackagePlan {
    /// `nil` if there is no container yet.
    private let container: SQLiteCatalog?
    /// The catalog of the container, for questions beside the decisions; `nil` if there is no container yet.
    package var catalog: (any Catalog)? { container }
    private let decided = DecidedPackages()

    /// - Parameters:
    ///   - root: the container's folder, which need not exist; a relative path starts at the working folder.
    ///   - machine: the random identifier of this machine; `nil` for the container's first machine.
    /// - Throws: ``ContainerError`` if the folder is not a container and cannot become one, has a newer format, or has
    ///   its packages in a catalog of another engine.
    package init(reading root: FilePath, _ fileSystem: any FileSystem, machine: String?) throws {
        container = try ContainerError.converting {
            let layout = ContainerLayout(root: root)
            guard try ContainerFormat.check(layout, fileSystem) != .absent else { return nil }
            var catalog = try CatalogReader(reading: root, fileSystem: fileSystem).catalog
            try OtherEngines.refuse(catalog.database, layout, onlyFor: OtherEngines.catalog)
            if let machine { catalog.machine = try MachineRow.known(catalog.database, machine) }
            return catalog
        }
    }

    /// Decides about each package, in order.
    ///
    /// - Returns: the receipts in the same order. The deliveries that a commit would open are pending in them.
    package func decide(_ proposals: [PackageProposal]) throws -> [Receipt] {
        guard let container else { return try proposals.map { try decided.decide($0, over: nil) } }
        return try container.database.read { database in
            try proposals.map {
                try decided.decide($0, over: SQLiteKnownState(database, machine: container.machine))
            }
        }
    }
}

/// The packages that a plan has decided about, as far as later decisions need them.
private final class DecidedPackages {
    /// The number of all of these packages. No package of a catalog has it.
    static let number: Int64 = -1

    /// The current package of a sender's identifier.
    struct Sent {
        var package: KnownPackage
        var words: KnownWords
        var contents: Set<Digest>
        var deliveries: [PlacedDelivery]
    }

    /// An arrival that the plan would record.
    struct Arrival: Hashable {
        let package: String
        let machine: SourceMachine
        let key: Int64

        init(_ sighting: PackageSighting, of package: String) {
            self.package = package
            machine = sighting.machine
            // The machine is compared by itself.
            key = sighting.key(machine: 0)
        }
    }

    private(set) var arrivals: Set<Arrival> = []
    private(set) var outcomes: [String: PackageOutcome] = [:]
    private(set) var contents: Set<Digest> = []
    /// The identifiers of the deliveries of these packages.
    private(set) var deliveries: Set<String> = []
    /// The deliveries that the plan adds to packages of the catalog, by the packages' numbers.
    private(set) var added: [Int64: [PlacedDelivery]] = [:]
    /// The records of the deliveries that would be made, by their identifiers.
    private var leaders: [String: DeliveryRecord] = [:]
    /// The deliveries that would be made.
    private(set) var made = PlannedDeliveries()
    /// The deliveries that are made only as a bag says.
    private(set) var claimed = PlannedDeliveries()
    /// The identifiers of the deliveries that had ended only as a bag says, and that the plan opens.
    private var opened: Set<String> = []
    /// Whether a package of the catalog is current after the plan, by the packages' numbers. Others stay as they are.
    private(set) var isCurrent: [Int64: Bool] = [:]
    /// The number of the package that each path yields in the plan; `nil` if the catalog would keep no row of it.
    private(set) var sources: [FilePath: Int64?] = [:]
    /// The paths that yield a package of the catalog in the plan, by the packages' numbers.
    private(set) var paths: [Int64: Set<FilePath>] = [:]
    /// The identifier of the package that each path yields in the plan, of shares whose sender named them.
    private(set) var repeatable: [FilePath: String] = [:]
    /// The current package of each sender's identifier. A path needs no entry: within one run, it yields one package.
    private(set) var bySender: [String: Sent] = [:]

    func decide(_ proposal: PackageProposal, over catalog: SQLiteKnownState?) throws -> Receipt {
        ReceiptComposer.reported(try receipt(of: proposal, over: catalog), of: proposal)
    }

    private func receipt(of proposal: PackageProposal, over catalog: SQLiteKnownState?) throws -> Receipt {
        let known = PlannedState(decided: self, catalog: catalog, proposal: proposal)
        switch try PackageDecision(proposal, known) {
        case .insert(let package):
            opened.formUnion(package.opening)
            replace(package.replaces)
            let deliveries = try add(package.deliveries, over: catalog)
            insert(proposal, deliveries)
            var receipt = ReceiptComposer.receipt(of: package, proposal)
            for placed in deliveries { receipt.attach(placed.record, lead: placed.lead) }
            return receipt
        case .duplicate(let earlier, let missing, let replacing, let becomesCurrent, let sightings, let opening):
            opened.formUnion(opening)
            replace(replacing)
            if becomesCurrent { isCurrent[earlier.seq] = true }
            record(proposal, earlier.seq)
            let new = try add(missing, over: catalog)
            if earlier.seq != Self.number, !new.isEmpty { added[earlier.seq, default: []] += new }
            let deliveries = try known.placed(earlier)
            if becomesCurrent { makeCurrent(earlier, proposal, deliveries) }
            add(sightings, of: earlier.id)
            return ReceiptComposer.receipt(
                repeating: earlier, proposal, replacing: replacing, isNewArrival: !sightings.isEmpty,
                deliveries: deliveries)
        case .failedAgain(let earlier):
            record(proposal, earlier.seq)
            return ReceiptComposer.failedAgain(proposal)
        case .addsNothing(let earlier, let replaced, let sighting, let opening):
            replace(replaced)
            opened.formUnion(opening)
            if let sighting { add([sighting], of: earlier.id) }
            return ReceiptComposer.receipt(
                repeating: earlier, proposal, isNewArrival: sighting != nil, deliveries: try known.placed(earlier))
        }
    }

    private func insert(_ proposal: PackageProposal, _ deliveries: [PlacedDelivery]) {
        let receipt = proposal.receipt
        outcomes[receipt.id] = receipt.outcome
        contents.formUnion(receipt.contents)
        contents.formUnion(proposal.records.map(\.digest))
        let package = KnownPackage(seq: Self.number, id: receipt.id, outcome: receipt.outcome, run: proposal.run)
        record(proposal, Self.number)
        makeCurrent(package, proposal, deliveries)
        add((PackageSighting(proposal).map { [$0] } ?? []) + (proposal.history?.sightings ?? []), of: receipt.id)
    }

    private func add(_ sightings: [PackageSighting], of package: String) {
        arrivals.formUnion(sightings.map { Arrival($0, of: package) })
    }

    private func replace(_ packages: [KnownPackage]) {
        for package in packages { isCurrent[package.seq] = false }
    }

    /// Remembers what the proposal's path yields, as ``SourceRow`` does.
    private func record(_ proposal: PackageProposal, _ package: Int64) {
        guard let path = proposal.sourcePath else { return }
        let effect = SourceRow.Effect(proposal)
        guard effect != .fails else { return }
        if let former = sources[path] ?? nil { paths[former]?.remove(path) }
        sources[path] = .some(effect == .yields ? package : nil)
        if proposal.senderID != nil, effect == .yields { repeatable[path] = proposal.receipt.id }
        if package != Self.number, effect == .yields { paths[package, default: []].insert(path) }
    }

    /// Makes a package, which is new or has the proposal's identifier, the current one of its sender's identifier.
    private func makeCurrent(_ package: KnownPackage, _ proposal: PackageProposal, _ deliveries: [PlacedDelivery]) {
        // A failed input replaces no earlier package.
        guard let sender = proposal.senderID, package.outcome != .failed else { return }
        bySender[sender] = Sent(
            package: package, words: KnownWords(proposal.receipt.item),
            contents: proposal.receipt.contents, deliveries: deliveries)
    }

    /// A delivery as it would stand now.
    func present(_ record: DeliveryRecord) -> DeliveryRecord {
        opened.contains(record.id) ? ReceiptComposer.opened(record) : record
    }

    private func add(_ decisions: [DeliveryDecision], over catalog: SQLiteKnownState?) throws -> [PlacedDelivery] {
        try decisions.map { decision in
            deliveries.insert(decision.proposal.id)
            var record = ReceiptComposer.reported(decision)
            if let leader = decision.duplicateOf {
                if let known = try leaders[leader] ?? catalog?.leaderRecord(of: decision) {
                    record = ReceiptComposer.record(record, following: present(known))
                }
            } else if decision.record.map({ $0.outcome != .pending }) ?? false {
                leaders[decision.proposal.id] = ReceiptComposer.record(of: decision)
                if decision.record?.outcome == .delivered { claimed.add(decision.proposal) }
            } else {
                made.add(decision.proposal)
                leaders[decision.proposal.id] = record
            }
            return PlacedDelivery(record, lead: decision.proposal.lead)
        }
    }
}

/// Deliveries of a plan, by their keys and logins.
private struct PlannedDeliveries {
    private var byKey: [String: [AccountUser?: String]] = [:]

    mutating func add(_ proposal: DeliveryProposal) { byKey[proposal.key, default: [:]][proposal.login] = proposal.id }

    /// See ``KnownState/delivery(like:of:)``.
    func delivery(like proposal: DeliveryProposal) -> String? {
        guard let found = byKey[proposal.key] else { return nil }
        return found[proposal.login] ?? (proposal.login == nil ? found.first?.value : found[nil])
    }
}

/// A catalog with the packages of a plan laid over it, for the decision about one package.
private struct PlannedState: KnownState {
    let decided: DecidedPackages
    let catalog: SQLiteKnownState?
    let proposal: PackageProposal

    func hasContent(_ digest: Digest) throws -> Bool {
        try decided.contents.contains(digest) || catalog?.hasContent(digest) ?? false
    }

    func currentPackages(of proposal: PackageProposal) throws -> [KnownPackage] {
        if let sender = proposal.senderID, let known = decided.bySender[sender] { return [known.package] }
        guard let catalog else { return [] }
        guard proposal.senderID == nil, let path = proposal.sourcePath else {
            return try catalog.currentPackages(of: proposal).filter { decided.isCurrent[$0.seq] ?? true }
        }
        return try catalog.packages(of: path).filter { try isCurrent($0, besides: path, in: catalog) }.map(\.known)
    }

    func isRepeated(_ proposal: PackageProposal) throws -> Bool {
        if let path = proposal.sourcePath, let id = decided.repeatable[path] { return id == proposal.receipt.id }
        return try catalog?.isRepeated(proposal) ?? false
    }

    /// Whether the package is current, and no other path yields it.
    private func isCurrent(
        _ package: SQLiteKnownState.Candidate, besides path: FilePath, in catalog: SQLiteKnownState
    ) throws -> Bool {
        let seq = package.known.seq
        guard decided.isCurrent[seq] ?? !package.isReplaced, decided.paths[seq]?.contains(where: { $0 != path }) != true
        else { return false }
        // A path that yields something else in the plan no longer counts.
        return try !catalog.isYielded(seq, besides: path) { decided.sources[$0] == nil }
    }

    func package(id: String) throws -> KnownPackage? {
        guard let outcome = decided.outcomes[id] else { return try catalog?.package(id: id) }
        return KnownPackage(seq: DecidedPackages.number, id: id, outcome: outcome, run: proposal.run)
    }

    func words(of package: KnownPackage) throws -> KnownWords? {
        if let known = sent(package) { return known.words }
        return try catalog?.words(of: package)
    }

    func contents(of package: KnownPackage) throws -> Set<Digest> {
        if let known = sent(package) { return known.contents }
        return try catalog?.contents(of: package) ?? []
    }

    func deliveries(of package: KnownPackage) throws -> [String: KnownDelivery] {
        Dictionary(try placed(package).map { ($0.record.id, KnownDelivery($0.record)) }) { first, _ in first }
    }

    func delivery(like proposal: DeliveryProposal, of content: Digest?) throws -> String? {
        try catalog?.delivery(like: proposal, of: content) ?? decided.made.delivery(like: proposal)
    }

    func unconfirmedDelivery(like proposal: DeliveryProposal, of content: Digest?) throws -> String? {
        try catalog?.unconfirmedDelivery(like: proposal, of: content) ?? decided.claimed.delivery(like: proposal)
    }

    func unconfirmedDelivery(like proposal: DeliveryProposal, in package: KnownPackage) throws -> String? {
        // A package of the plan repeats the proposal, so its deliveries are in the receipt of the first arrival.
        package.seq == DecidedPackages.number ? nil : try catalog?.unconfirmedDelivery(like: proposal, in: package)
    }

    func hasSighting(_ sighting: PackageSighting, of package: KnownPackage) throws -> Bool {
        if decided.arrivals.contains(DecidedPackages.Arrival(sighting, of: package.id)) { return true }
        guard package.seq != DecidedPackages.number else { return false }
        return try catalog?.hasSighting(sighting, of: package) ?? false
    }

    /// The deliveries of an earlier package with their present outcomes, in the order in which they were made.
    ///
    /// Of a package of the plan that no sender named, these are the ones that the proposal repeats. It has the same
    /// identifier, so it has the same content, and the same sinks get that.
    func placed(_ package: KnownPackage) throws -> [PlacedDelivery] {
        if package.seq != DecidedPackages.number {
            let there = try catalog?.placed(package) ?? []
            return there.map { PlacedDelivery(decided.present($0.record), lead: $0.lead) }
                + (decided.added[package.seq] ?? [])
        }
        if let known = sent(package) { return known.deliveries }
        return proposal.deliveries.filter { !decided.deliveries.isDisjoint(with: [$0.id, $0.idWithoutLogin]) }.map {
            PlacedDelivery(ReceiptComposer.record(of: DeliveryDecision($0)), lead: $0.lead)
        }
    }

    private func sent(_ package: KnownPackage) -> DecidedPackages.Sent? {
        proposal.senderID.flatMap { decided.bySender[$0] }.flatMap { $0.package == package ? $0 : nil }
    }
}
