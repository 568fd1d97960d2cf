// The README's package `app` compiles this file from outside of the package too: public API only, and no test.
import Foundation
import GroupContainer
import ShareModel
import Synchronization
import SystemPackage

/// A catalog in memory, for one process. ``PackageDecision`` decides, and ``ReceiptComposer`` writes the receipts; the
/// engine only finds and keeps. It opens deliveries in its queue, and asks the queue how they stand.
final class MemoryCatalog: Catalog {
    private let rows: Mutex<MemoryRows>

    init(queue: MemoryDeliveryQueue) { rows = Mutex(MemoryRows(queue: queue)) }

    func knownObjects(among digests: Set<Digest>) throws -> Set<Digest> {
        rows.withLock { rows in digests.filter(rows.hasContent) }
    }

    func knownPackages(among ids: Set<String>) throws -> Set<String> {
        rows.withLock { rows in
            ids.filter { id in rows.package(id: id).map { $0.outcome != .failed } ?? false }
        }
    }

    /// None: this engine forgets no package.
    func forgottenPackages(among packages: [String: [Digest?]]) throws -> Set<String> { [] }

    func forgottenSources(among stamps: Set<SourceStamp>) throws -> Set<SourceStamp> { [] }

    func recognize(_ sources: [(source: PackageSource, stamp: SourceStamp)]) throws -> [KnownSource?] {
        rows.withLock { rows in sources.map { rows.recognize($0.source, $0.stamp) } }
    }

    func givenWords(of sources: [PackageSource]) throws -> [GivenWords?] {
        rows.withLock { rows in sources.map(rows.givenWords) }
    }

    func commit(_ proposals: [PackageProposal]) throws -> [Receipt] {
        try rows.withLock { rows in
            // A copy, so that a proposal that fails leaves no row of the others.
            var changed = rows
            let receipts = try proposals.map { try changed.commit($0) }
            changed.open()
            rows = changed
            return receipts
        }
    }

    func refresh(_ receipts: [Receipt]) throws -> [Receipt] {
        rows.withLock { rows in
            receipts.map { receipt in
                var receipt = receipt
                receipt.changeDeliveries { record in
                    if record.outcome == .pending { record = rows.record(record.id) ?? record }
                }
                return receipt
            }
        }
    }

    func outcomes(ofDeliveries ids: [String]) throws -> [DeliveryOutcome] {
        rows.withLock { rows in ids.compactMap { rows.record($0)?.outcome } }
    }

    func receipt(_ prefix: String) throws -> Receipt {
        try rows.withLock { rows in
            let found = rows.packages.filter { !prefix.isEmpty && $0.known.id.hasPrefix(prefix) }
            guard found.count == 1 else {
                throw ContainerError(
                    .notFound, "\(found.count) packages begin with '\(prefix)'", remedy: .listPackages)
            }
            return rows.presentReceipt(of: found[0])
        }
    }

    func packages(_ selection: PackageSelection, after place: PackageCursor?, limit: Int) throws -> PackagePage {
        let limit = max(limit, 1)
        let found = rows.withLock { rows in
            rows.packages.filter { $0.known.seq > place?.number ?? 0 && rows.has($0, selection) }
        }
        let page = found.prefix(limit)
        let next = found.count > limit ? page.last.map { PackageCursor(number: $0.known.seq) } : nil
        return PackagePage(entries: page.map(\.entry), next: next)
    }
}

/// A package with everything that belongs to it.
private struct MemoryPackage {
    var known: KnownPackage
    var proposal: PackageProposal
    /// Without deliveries.
    var receipt: Receipt
    var deliveries: [DeliveryDecision] = []
    var supersededBy: String?
    /// The later arrivals, oldest first.
    var sightings: [PackageSighting] = []
    var tags: [PackageTag] = []

    var contents: Set<Digest> { Set(receipt.providers.compactMap(\.sha256)) }

    var entry: PackageEntry {
        var entry = PackageEntry(
            id: known.id, outcome: known.outcome, source: receipt.source, received: proposal.received,
            bytes: receipt.bytes, title: receipt.item?.title,
            name: receipt.item?.title == nil && receipt.source.kind.isTransient ? receipt.leadName : nil,
            supersededBy: supersededBy, reason: receipt.reason)
        entry.tags = tags.isEmpty ? nil : tags.map(\.word)
        return entry
    }
}

/// The rows of one state.
private struct MemoryRows: KnownState {
    let queue: MemoryDeliveryQueue
    var packages: [MemoryPackage] = []
    var objects: [Digest: Int64] = [:]
    /// The package that each path yielded last, and the state of the file then.
    var sources: [FilePath: (stamp: SourceStamp?, id: String)] = [:]
    /// The deliveries of this batch, which the queue does not have yet.
    private var opened: [(decision: DeliveryDecision, package: KnownPackage, receipt: String)] = []

    /// The deliveries that this batch opens.
    private var reopened: [String] = []

    init(queue: MemoryDeliveryQueue) { self.queue = queue }

    func hasContent(_ digest: Digest) -> Bool { objects[digest] != nil || queue.products.contains(digest) }

    func currentPackages(of proposal: PackageProposal) -> [KnownPackage] {
        packages.filter { row in
            guard row.supersededBy == nil else { return false }
            let isFailure = row.known.outcome == .failed && row.proposal.sourcePath == proposal.sourcePath
            if let sender = proposal.senderID { return row.proposal.senderID == sender || isFailure }
            guard let path = proposal.sourcePath else { return false }
            return (row.proposal.sourcePath == path || sources[path]?.id == row.known.id)
                && !sources.contains { $0.key != path && $0.value.id == row.known.id }
        }.map(\.known)
    }

    func isRepeated(_ proposal: PackageProposal) -> Bool {
        proposal.sourcePath.flatMap { sources[$0]?.id } == proposal.receipt.id
    }

    func package(id: String) -> KnownPackage? { packages.first { $0.known.id == id }?.known }

    func words(of package: KnownPackage) -> KnownWords? {
        let item = row(package)?.receipt.item
        return KnownWords(title: item?.title, text: item?.text)
    }

    func contents(of package: KnownPackage) -> Set<Digest> { row(package)?.contents ?? [] }

    func deliveries(of package: KnownPackage) -> [String: KnownDelivery] {
        Dictionary(placed(package).map { ($0.record.id, KnownDelivery($0.record)) }) { first, _ in first }
    }

    func delivery(like proposal: DeliveryProposal, of content: Digest?) -> String? {
        made(like: proposal).first {
            [.pending, .delivered].contains($0.outcome) && $0.isUnconfirmed == nil
        }?.id
    }

    func unconfirmedDelivery(like proposal: DeliveryProposal, of content: Digest?) -> String? {
        made(like: proposal).first { $0.outcome == .delivered && $0.isUnconfirmed == true }?.id
    }

    func unconfirmedDelivery(like proposal: DeliveryProposal, in package: KnownPackage) -> String? {
        let unconfirmed = (row(package)?.deliveries ?? []).first {
            $0.proposal.key == proposal.key && placed($0).record.isUnconfirmed == true
        }
        return unconfirmed.map { $0.duplicateOf ?? $0.proposal.id }
    }

    /// The deliveries with the same key and the same sink that are no duplicates.
    private func made(like proposal: DeliveryProposal) -> [DeliveryRecord] {
        packages.flatMap(\.deliveries).filter {
            $0.duplicateOf == nil && $0.proposal.key == proposal.key && $0.proposal.sink == proposal.sink
        }.map { placed($0).record }
    }

    func hasSighting(_ sighting: PackageSighting, of package: KnownPackage) -> Bool {
        guard let row = row(package) else { return false }
        let all = [PackageSighting(row.proposal)].compactMap(\.self) + row.sightings
        return all.contains { $0.machine == sighting.machine && $0.key(machine: 1) == sighting.key(machine: 1) }
    }

    /// The receipt as it stands now.
    func presentReceipt(of row: MemoryPackage) -> Receipt {
        var receipt = receipt(of: row)
        receipt.received = row.proposal.received
        receipt.supersededBy = row.supersededBy
        receipt.tags = row.tags.isEmpty ? nil : row.tags.map(\.word)
        let last = row.sightings.suffix(Receipt.sightingLimit).map { sighting in
            Receipt.Sighting(
                source: .init(kind: sighting.kind, path: sighting.path),
                names: sighting.names.isEmpty ? nil : sighting.names, modified: sighting.modified,
                received: sighting.received)
        }
        if !last.isEmpty { receipt.sightings = last }
        if row.sightings.count > last.count { receipt.moreSightings = row.sightings.count - last.count }
        return receipt
    }

    /// The receipt with its deliveries.
    func receipt(of row: MemoryPackage) -> Receipt {
        var receipt = row.receipt
        for delivery in row.deliveries.map(placed) { receipt.attach(delivery.record, lead: delivery.lead) }
        return receipt
    }

    func has(_ row: MemoryPackage, _ selection: PackageSelection) -> Bool {
        switch selection {
        case .all: true
        case .outcomes(let outcomes): outcomes.contains(row.known.outcome)
        case .troubled: [.failed, .partial].contains(row.known.outcome) && row.supersededBy == nil
        case .troubledDeliveries:
            row.deliveries.contains { [.failed, .quarantined].contains(placed($0).record.outcome) }
        case .openDeliveries: row.deliveries.contains { placed($0).record.outcome == .pending }
        case .tagged(let tag): row.tags.contains(tag)
        case .warned: receipt(of: row).hasWarnings && row.supersededBy == nil
        }
    }

    private func row(_ package: KnownPackage) -> MemoryPackage? { packages.first { $0.known.seq == package.seq } }

    private func placed(_ package: KnownPackage) -> [PlacedDelivery] { row(package)?.deliveries.map(placed) ?? [] }

    /// The delivery as it stands. A duplicate stands as the delivery that it follows.
    private func placed(_ decision: DeliveryDecision) -> PlacedDelivery {
        let own = present(queue.record(decision.proposal.id) ?? ReceiptComposer.record(of: decision))
        let leader = decision.duplicateOf.map { id in
            present(queue.record(id) ?? DeliveryRecord(id: id, sink: own.sink, outcome: .pending))
        }
        let record = leader.map { ReceiptComposer.record(own, following: $0) } ?? own
        return PlacedDelivery(record, lead: decision.proposal.lead)
    }

    /// A delivery that this batch may have opened.
    private func present(_ record: DeliveryRecord) -> DeliveryRecord {
        reopened.contains(record.id) ? ReceiptComposer.opened(record) : record
    }

    /// The delivery with an identifier; `nil` if there is none.
    func record(_ id: String) -> DeliveryRecord? {
        packages.lazy.flatMap(\.deliveries).first { $0.proposal.id == id }.map { placed($0).record }
    }

    func recognize(_ source: PackageSource, _ stamp: SourceStamp) -> KnownSource? {
        guard let seen = sources[source.path], seen.stamp == stamp,
            let row = packages.first(where: { $0.known.id == seen.id }), row.supersededBy == nil
        else { return nil }
        let files = row.receipt.providers.compactMap { provider -> KnownSource.File? in
            guard let type = provider.type, let digest = provider.sha256 else { return nil }
            let content = ObjectRecord(digest: digest, size: provider.size ?? 0)
            return KnownSource.File(name: provider.name, type: type, content: content)
        }
        guard files.count == row.receipt.providers.count else { return nil }
        return KnownSource(package: row.known, files: files, deliveries: placed(row.known))
    }

    func givenWords(of source: PackageSource) -> GivenWords? {
        guard source.kind.isWordless, let seen = sources[source.path],
            let row = packages.first(where: { $0.known.id == seen.id }), row.supersededBy == nil
        else { return nil }
        return GivenWords(row.receipt)
    }

    mutating func commit(_ proposal: PackageProposal) throws -> Receipt {
        let receipt = ReceiptComposer.reported(try decide(proposal), of: proposal)
        relate(proposal)
        return receipt
    }

    private mutating func decide(_ proposal: PackageProposal) throws -> Receipt {
        let decision = try PackageDecision(proposal, self)
        let taken = decision.replacing.flatMap { prior in packages.first { $0.known.id == prior.id }?.tags ?? [] }
        let receipt = try carryOut(decision, proposal)
        let (id, tags) = decision.earlier.map { ($0.id, proposal.tags) } ?? (receipt.id, proposal.newTags)
        return tag(id, tags + taken, receipt)
    }

    /// Adds tags to a package, and says in the receipt which ones have no room.
    private mutating func tag(_ id: String, _ tags: [PackageTag], _ receipt: Receipt) -> Receipt {
        guard let place = packages.firstIndex(where: { $0.known.id == id }) else { return receipt }
        let (all, left) = TagChange(adding: tags).applied(to: packages[place].tags)
        packages[place].tags = all
        return ReceiptComposer.reported(receipt, withoutRoomFor: left)
    }

    private mutating func carryOut(_ decision: PackageDecision, _ proposal: PackageProposal) throws -> Receipt {
        switch decision {
        case .insert(let package):
            return try insert(package, proposal)
        case .duplicate(let earlier, let missing, let replaced, let becomesCurrent, let sightings, let opening):
            reopened += opening
            supersede(replaced, by: earlier.id)
            if let place = packages.firstIndex(where: { $0.known.seq == earlier.seq }) {
                if becomesCurrent {
                    packages[place].supersededBy = nil
                    packages[place].proposal.history?.replacedBy = nil
                }
                packages[place].deliveries += missing
                try add(missing, of: packages[place])
            }
            record(proposal, earlier.id)
            return repeated(proposal, earlier, replacing: replaced, sightings)
        case .failedAgain(let earlier):
            record(proposal, earlier.id)
            return ReceiptComposer.failedAgain(proposal)
        case .addsNothing(let earlier, let replaced, let sighting, let opening):
            supersede(replaced, by: earlier.id)
            reopened += opening
            return repeated(proposal, earlier, sighting.map { [$0] } ?? [])
        }
    }

    /// Restores "replaced by" between packages of one bag.
    private mutating func relate(_ proposal: PackageProposal) {
        guard let history = proposal.history else { return }
        let claims =
            (history.replacedBy.map { [(proposal.receipt.id, $0)] } ?? [])
            + history.replaced.map { ($0, proposal.receipt.id) }
        for (earlier, later) in claims {
            guard let place = packages.firstIndex(where: { $0.known.id == earlier }), earlier != later,
                packages[place].supersededBy == nil, packages[place].proposal.history?.replacedBy == later,
                let other = packages.first(where: { $0.known.id == later }), other.supersededBy != earlier
            else { continue }
            packages[place].supersededBy = later
        }
    }

    private mutating func repeated(
        _ proposal: PackageProposal, _ earlier: KnownPackage, replacing replaced: [KnownPackage] = [],
        _ sightings: [PackageSighting]
    ) -> Receipt {
        if let place = packages.firstIndex(where: { $0.known.seq == earlier.seq }) {
            packages[place].sightings += sightings
        }
        if proposal.receipt.outcome != .accepted, proposal.history == nil {
            for record in proposal.records { objects[record.digest] = record.size }
        }
        return ReceiptComposer.receipt(
            repeating: earlier, proposal, replacing: replaced, isNewArrival: !sightings.isEmpty,
            deliveries: placed(earlier))
    }

    private mutating func insert(_ package: NewPackage, _ proposal: PackageProposal) throws -> Receipt {
        reopened += package.opening
        let receipt = ReceiptComposer.receipt(of: package, proposal)
        for provider in receipt.providers {
            if let digest = provider.sha256, let size = provider.size { objects[digest] = size }
        }
        for record in proposal.records { objects[record.digest] = record.size }
        supersede(package.replaces, by: receipt.id)
        let known = KnownPackage(
            seq: Int64(packages.count + 1), id: receipt.id, outcome: receipt.outcome, run: proposal.run)
        let row = MemoryPackage(
            known: known, proposal: proposal, receipt: receipt, deliveries: package.deliveries,
            sightings: proposal.history?.sightings ?? [])
        packages.append(row)
        try add(package.deliveries, of: row)
        record(proposal, receipt.id)
        // A delivery with a history was made before.
        guard proposal.history != nil else { return self.receipt(of: row) }
        return package.deliveries.reduce(into: receipt) {
            $0.attach(ReceiptComposer.reported($1), lead: $1.proposal.lead)
        }
    }

    private mutating func supersede(_ replaced: [KnownPackage], by id: String) {
        for prior in replaced {
            guard let place = packages.firstIndex(where: { $0.known.seq == prior.seq }) else { continue }
            packages[place].supersededBy = id
        }
    }

    private mutating func add(_ decisions: [DeliveryDecision], of row: MemoryPackage) throws {
        let text = String(decoding: try JSONEncoder().encode(row.receipt), as: UTF8.self)
        opened += decisions.map { (decision: $0, package: row.known, receipt: text) }
    }

    /// Gives the deliveries of a whole batch to the queue.
    mutating func open() {
        for delivery in opened {
            // A duplicate is made as another delivery, so the queue never gives it out.
            if let leader = delivery.decision.duplicateOf {
                queue.add(delivery.decision.proposal.id, of: delivery.package, following: leader)
            } else {
                queue.add(delivery.decision, of: delivery.package, receipt: delivery.receipt)
            }
        }
        opened = []
        reopened.forEach { queue.open($0) }
        reopened = []
    }

    /// Remembers the path that yielded the package.
    private mutating func record(_ proposal: PackageProposal, _ id: String) {
        guard let path = proposal.sourcePath else { return }
        guard proposal.history == nil else {
            sources[path] = nil
            return
        }
        // A path that could not be read still counts as the source of what it yielded last.
        guard proposal.receipt.outcome != .failed else {
            sources[path]?.stamp = nil
            return
        }
        sources[path] = (stamp: proposal.receipt.outcome == .accepted ? proposal.stamp : nil, id: id)
    }
}
