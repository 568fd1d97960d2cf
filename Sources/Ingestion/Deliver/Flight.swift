internal import GroupContainer

/// The deliveries that a sink's process has at the moment, and since when there are answers that were not committed.
struct Flight {
    private struct Entry {
        let claimed: ClaimedDelivery
        /// Its place in the process's work, which names its folder for products; `nil` where the sink was only asked about it.
        let number: Int?
        let slot: Int?
        /// What lies in its slot.
        let parts: [LaidOutPart]
    }

    private var entries: [String: Entry] = [:]
    /// The identifiers in the order in which they were handed over; some of them may be answered.
    private var order: [String] = []
    private var finishedNumbers: [Int] = []
    private var finishedBytes: Int64 = 0
    private var firstFinish: ContinuousClock.Instant?
    /// Since when the one that was handed over first, of those that are here, is that.
    private(set) var oldestSince = ContinuousClock.now

    /// How long an answer may wait for others, so that they share a transaction.
    private static let flushTime = Duration.milliseconds(500)

    var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.count }
    /// The identifiers of those that the sink was handed, the first one first.
    var handedIDs: [String] { order.filter { entries[$0]?.number != nil } }
    /// Whether an answer has waited long enough.
    var isDueForFlush: Bool { firstFinish.map { ContinuousClock.now > $0 + Self.flushTime } ?? false }

    /// Whether the sink was handed it, and has not answered.
    func has(_ id: String) -> Bool { entries[id]?.number != nil }

    /// The lowest slot that no delivery has.
    var freeSlot: Int {
        let taken = Set(entries.values.compactMap(\.slot))
        return (0...taken.count).first { !taken.contains($0) } ?? taken.count
    }

    mutating func add(_ claimed: ClaimedDelivery, _ number: Int, slot: Int, _ parts: [LaidOutPart]) {
        add(Entry(claimed: claimed, number: number, slot: slot, parts: parts))
    }

    /// Nothing is laid out for it yet.
    mutating func addChecked(_ claimed: ClaimedDelivery) {
        add(Entry(claimed: claimed, number: nil, slot: nil, parts: []))
    }

    private mutating func add(_ entry: Entry) {
        if entries.isEmpty { oldestSince = .now }
        entries[entry.claimed.id] = entry
        order.append(entry.claimed.id)
    }

    /// Takes out a delivery that the sink was handed.
    mutating func remove(_ id: String) -> (claimed: ClaimedDelivery, number: Int, parts: [LaidOutPart])? {
        guard let entry = entries[id], let number = entry.number else { return nil }
        take(id)
        finishedNumbers.append(number)
        return (entry.claimed, number, entry.parts)
    }

    /// Takes out a delivery that the sink was asked about.
    mutating func removeChecked(_ id: String) -> ClaimedDelivery? {
        guard let entry = entries[id], entry.number == nil else { return nil }
        take(id)
        return entry.claimed
    }

    private mutating func take(_ id: String) {
        entries[id] = nil
        guard order.first == id else { return order.removeAll { $0 == id } }
        order.removeFirst()
        oldestSince = .now
    }

    /// Deliveries that were answered, and count as not answered.
    mutating func restore(_ deliveries: [ClaimedDelivery]) {
        for claimed in deliveries { add(Entry(claimed: claimed, number: 0, slot: nil, parts: [])) }
    }

    /// Takes out all that the process has, the first handed over first.
    mutating func removeAll() -> [ClaimedDelivery] {
        defer { (entries, order) = ([:], []) }
        return order.compactMap { entries[$0]?.claimed }
    }

    /// An answer waits for being committed from now on.
    ///
    /// - Parameter bytes: what lies in its folder for products.
    mutating func noteFinish(bytes: Int64) {
        firstFinish = firstFinish ?? .now
        finishedBytes += bytes
    }

    /// The answers are committed.
    mutating func noteFlush() { firstFinish = nil }

    /// What was done lies there no more: the places of those deliveries whose folders can go. None as long as they are few
    /// and small: some file systems make new files slowly beside ones that were just removed.
    mutating func takeFinishedNumbers(all: Bool = false) -> [Int] {
        guard all || finishedNumbers.count >= Self.keptDeliveries || finishedBytes >= Self.keptBytes else { return [] }
        defer { (finishedNumbers, finishedBytes) = ([], 0) }
        return finishedNumbers
    }

    private static let keptDeliveries = 4_096
    private static let keptBytes: Int64 = 64 << 20
}
