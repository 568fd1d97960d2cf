// The README's package `app` compiles this file from outside of the package too: public API only, and no test.
import GroupContainer
import ShareModel
import Synchronization

/// A delivery queue in memory, for one process.
final class MemoryDeliveryQueue: DeliveryQueue {
    private struct Item {
        var claimed: ClaimedDelivery
        var package: String
        var owner: ClaimOwner?
        var record: DeliveryRecord
        var isUnanswered = false
        /// The duplicates that follow this delivery.
        var followers: [(id: String, package: String)] = []
    }

    private let items = Mutex<[Item]>([])

    /// Adds a delivery that the catalog has decided to make.
    ///
    /// - Parameter receipt: the receipt of its package, without deliveries, as JSON.
    func add(_ decision: DeliveryDecision, of package: KnownPackage, receipt: String) {
        let proposal = decision.proposal
        items.withLock { items in
            let claimed = ClaimedDelivery(
                seq: Int64(items.count + 1), id: proposal.id, key: proposal.key, sink: proposal.sink,
                lead: proposal.lead, attempt: 0, payload: proposal.payload, package: package.seq, fence: 0,
                receiptText: receipt)
            items.append(
                Item(claimed: claimed, package: package.id, record: ReceiptComposer.record(of: decision)))
        }
    }

    /// Adds a duplicate that follows another delivery.
    func add(_ duplicate: String, of package: KnownPackage, following leader: String) {
        items.withLock { items in
            guard let place = items.firstIndex(where: { $0.claimed.id == leader }) else { return }
            items[place].followers.append((id: duplicate, package: package.id))
        }
    }

    /// The delivery as it stands; `nil` if the queue never had it.
    func record(_ id: String) -> DeliveryRecord? {
        items.withLock { items in items.first { $0.claimed.id == id }?.record }
    }

    /// Opens a delivery that has ended only as a bag says.
    func open(_ id: String) {
        items.withLock { items in
            for place in items.indices where items[place].claimed.id == id {
                items[place].record = ReceiptComposer.opened(items[place].record)
                items[place].isUnanswered = true
            }
        }
    }

    /// The digests of all products.
    var products: Set<Digest> { items.withLock { Set($0.flatMap(\.record.products).map(\.sha256)) } }

    func openSinks(of packages: [String], now: Int64) throws -> Set<String> {
        items.withLock { items in
            Set(
                items.filter { item in
                    let owners = [item.package] + item.followers.map(\.package)
                    return owners.contains(where: packages.contains) && item.record.outcome == .pending
                        && item.claimed.due <= now
                }.map(\.claimed.sink))
        }
    }

    func newest() throws -> Int64 { items.withLock { Int64($0.count) } }

    func claim(sink: String, owner: ClaimOwner, now: Int64, limit: Int, as login: AccountUser?) throws
        -> [ClaimedDelivery]
    {
        items.withLock { items in
            let open = items.indices.filter { place in
                let (item, own) = (items[place], items[place].record.login)
                return item.claimed.sink == sink && item.record.outcome == .pending && item.claimed.due <= now
                    && (own == nil || own == login)
            }
            let order = open.sorted { (items[$0].claimed.due, $0) < (items[$1].claimed.due, $1) }
            return order.prefix(limit).map { place in
                items[place].claimed.isUncertain = items[place].isUnanswered
                items[place].isUnanswered = true
                items[place].claimed.attempt += 1
                items[place].claimed.fence += 1
                items[place].owner = owner
                items[place].record.login = items[place].record.login ?? login
                items[place].claimed.login = items[place].record.login
                return items[place].claimed
            }
        }
    }

    /// The place of a delivery whose claim holds.
    private static func place(_ items: [Item], _ seq: Int64, _ id: String, _ fence: Int64) -> Int? {
        items.firstIndex {
            $0.claimed.seq == seq && $0.claimed.id == id && $0.claimed.fence == fence && $0.owner != nil
        }
    }

    func attemptAgain(_ deliveries: [ClaimedDelivery]) throws -> [ClaimedDelivery] {
        items.withLock { items in
            deliveries.compactMap { delivery in
                guard let place = Self.place(items, delivery.seq, delivery.id, delivery.fence) else { return nil }
                items[place].claimed.attempt = delivery.attempt + 1
                items[place].claimed.deaths = delivery.deaths
                items[place].claimed.isUncertain = true
                return items[place].claimed
            }
        }
    }

    func putBack(_ deliveries: [ClaimedDelivery]) throws {
        items.withLock { items in
            for delivery in deliveries {
                guard let place = Self.place(items, delivery.seq, delivery.id, delivery.fence) else { continue }
                items[place].claimed.attempt = delivery.attempt - 1
                items[place].isUnanswered = delivery.isUncertain
                items[place].claimed.failures = delivery.failures
                items[place].owner = nil
            }
        }
    }

    func complete(_ endings: [DeliveryEnding]) throws -> [DeliveryCompletion] {
        items.withLock { items in
            endings.map { ending in
                guard items.contains(where: { $0.claimed.seq == ending.seq && $0.claimed.id == ending.record.id })
                else {
                    return .gone
                }
                guard let place = Self.place(items, ending.seq, ending.record.id, ending.fence) else { return .stale }
                let earlier = items[place].record
                items[place].record = ending.record
                items[place].record.login = earlier.login
                if !ending.isAnswer {
                    items[place].record.metadata = earlier.metadata
                    items[place].record.products = earlier.products
                }
                items[place].claimed.deaths = ending.deaths
                items[place].claimed.failures = ending.failures
                items[place].claimed.due = ending.due
                items[place].isUnanswered = false
                items[place].owner = nil
                return .recorded
            }
        }
    }

    func record(_ number: Int64) throws -> DeliveryRecord? {
        items.withLock { items in items.first { $0.claimed.seq == number }?.record }
    }

    func makeDue(from time: Int64, now: Int64) throws {
        items.withLock { items in
            for place in items.indices where items[place].claimed.due >= time { items[place].claimed.due = now }
        }
    }

    func makeDue(_ numbers: [Int64], now: Int64) throws {
        items.withLock { items in
            for place in items.indices where numbers.contains(items[place].claimed.seq) {
                items[place].claimed.due = min(items[place].claimed.due, now)
            }
        }
    }

    func open() throws -> [OpenDeliveries] {
        items.withLock { items in
            let open = Dictionary(grouping: items.filter { $0.record.outcome == .pending }) { item in
                // The login as text, so that the order is that of the other engine.
                [item.claimed.sink, item.record.login?.account.description ?? "", item.record.login?.user ?? ""]
            }
            return open.sorted { $0.key.lexicographicallyPrecedes($1.key) }.compactMap { key, items in
                guard let next = items.min(by: { $0.claimed.due < $1.claimed.due }) else { return nil }
                var open = OpenDeliveries(
                    sink: key[0], count: items.count, due: next.claimed.due, why: next.record.why)
                open.login = next.record.login
                return open
            }
        }
    }

    func adopt(_ sinks: [String], as login: AccountUser, includesClaimed: Bool) throws -> Int {
        items.withLock { items in
            let others = items.indices.filter { place in
                guard let own = items[place].record.login else { return false }
                return items[place].record.outcome == .pending && sinks.contains(items[place].claimed.sink)
                    && own != login
                    && (includesClaimed || items[place].owner == nil)
            }
            for place in others { (items[place].record.login, items[place].owner) = (login, nil) }
            return others.count
        }
    }

    func reopen(_ names: [String]) throws {
        try items.withLock { items in
            // A copy, so that a name without a delivery leaves those of the other names as they are.
            var changed = items
            for name in names { try Self.reopen(name, &changed) }
            items = changed
        }
    }

    func dismiss(_ names: [String]) throws -> Int {
        try items.withLock { items in
            // All names are looked up before any change, because a delivery may have several of them.
            let dismissed = try names.reduce(into: Set<Int>()) { dismissed, name in
                let places = try Self.places(name, items).places.filter {
                    Self.bad.union([.pending]).contains(items[$0].record.outcome)
                }
                guard !places.isEmpty else { throw ContainerError(.notFound, "no delivery of \(name) is open") }
                dismissed.formUnion(places)
            }
            for place in dismissed {
                let failure = items[place].record.why.map { "; the last failure: \($0)" } ?? ""
                items[place].record.outcome = .declined
                items[place].record.why = "dismissed by a person\(failure)"
                items[place].owner = nil
            }
            return dismissed.count
        }
    }

    private static let bad: Set<DeliveryOutcome> = [.failed, .quarantined]

    /// Whether the name of the sink opens the delivery again.
    private static func isRetried(_ record: DeliveryRecord) -> Bool {
        bad.contains(record.outcome)
            || record.outcome == .declined && record.why?.hasPrefix("dismissed by a person") != true
    }

    /// The deliveries of a name, and whether it is that of a sink.
    private static func places(_ name: String, _ items: [Item]) throws -> (places: [Int], isSink: Bool) {
        let ofSink = items.indices.filter { items[$0].claimed.sink == name }
        let isSink = ofSink.contains { items[$0].record.outcome == .pending || isRetried(items[$0].record) }
        return (isSink ? ofSink : try named(name, items), isSink)
    }

    private static func reopen(_ name: String, _ items: inout [Item]) throws {
        let (places, isSink) = try places(name, items)
        let reopened = places.filter {
            let record = items[$0].record
            return isRetried(record)
                || !isSink && (record.outcome == .declined || record.isUnconfirmed == true)
                || record.id == name && record.outcome != .pending
        }
        guard !reopened.isEmpty || places.contains(where: { items[$0].record.outcome == .pending }) else {
            throw ContainerError(.notFound, "no delivery of \(name) failed")
        }
        for place in reopened {
            if items[place].record.isUnconfirmed == true { items[place].isUnanswered = true }
            items[place].record.isUnconfirmed = nil
            items[place].record.outcome = .pending
            items[place].record.why = nil
            items[place].claimed.deaths = 0
            items[place].claimed.failures = 0
            items[place].claimed.due = 0
            items[place].owner = nil
        }
    }

    /// The deliveries of the one package, or the one delivery, whose identifier begins with `prefix`.
    private static func named(_ prefix: String, _ items: [Item]) throws -> [Int] {
        // A duplicate stands for the delivery that it follows.
        let all = items.indices.flatMap { place in
            [(place: place, id: items[place].claimed.id, package: items[place].package)]
                + items[place].followers.map { (place: place, id: $0.id, package: $0.package) }
        }
        let packages = Set(all.map(\.package).filter { $0.hasPrefix(prefix) })
        let deliveries = all.filter { $0.id.hasPrefix(prefix) }
        guard !prefix.isEmpty, packages.count + deliveries.count == 1 else {
            throw ContainerError(.notFound, "\(prefix) names no delivery, or several", remedy: .listDeliveries)
        }
        return (packages.isEmpty ? deliveries : all.filter { packages.contains($0.package) }).map(\.place)
    }
}
