internal import GroupContainer

/// The deliveries that a sink's process has at the moment, and since when there are answers that were not committed.
struct Flight {
    private struct Entry {
        let claimed: ClaimedDelivery
        /// Its place in the process's work, which names its folder for products.
        let number: Int
        /// What lies in its slot.
        let parts: [LaidOutPart]
        let slot: Int
        /// Whether the sink was only asked about it so far.
        let isChecked: Bool
    }

    private var entries: [String: Entry] = [:]
    private var finishedNumbers: [Int] = []
    private var finishedBytes: Int64 = 0
    private var firstFinish: ContinuousClock.Instant?

    /// How long an answer may wait for others, so that they share a transaction.
    private static let flushTime = Duration.milliseconds(500)

    var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.count }
    /// The identifiers of all, the first handed over first.
    var ids: [String] { entries.values.sorted { $0.number < $1.number }.map(\.claimed.id) }
    /// Whether an answer has waited long enough.
    var isDueForFlush: Bool { firstFinish.map { ContinuousClock.now > $0 + Self.flushTime } ?? false }

    subscript(id: String) -> ClaimedDelivery? { entries[id].flatMap { $0.isChecked ? nil : $0.claimed } }

    /// The lowest slot that no delivery has.
    var freeSlot: Int {
        let taken = Set(entries.values.map(\.slot))
        return (0...taken.count).first { !taken.contains($0) } ?? taken.count
    }

    mutating func add(_ claimed: ClaimedDelivery, _ number: Int, slot: Int, _ parts: [LaidOutPart]) {
        entries[claimed.id] = Entry(claimed: claimed, number: number, parts: parts, slot: slot, isChecked: false)
    }

    /// Nothing is laid out for it yet.
    mutating func addChecked(_ claimed: ClaimedDelivery, _ number: Int) {
        entries[claimed.id] = Entry(claimed: claimed, number: number, parts: [], slot: -1, isChecked: true)
    }

    /// Takes out a delivery that the sink was handed.
    mutating func remove(_ id: String) -> (claimed: ClaimedDelivery, number: Int, parts: [LaidOutPart])? {
        guard let entry = entries[id], !entry.isChecked else { return nil }
        entries[id] = nil
        finishedNumbers.append(entry.number)
        return (entry.claimed, entry.number, entry.parts)
    }

    /// Takes out a delivery that the sink was asked about.
    mutating func removeChecked(_ id: String) -> (claimed: ClaimedDelivery, number: Int)? {
        guard let entry = entries[id], entry.isChecked else { return nil }
        entries[id] = nil
        return (entry.claimed, entry.number)
    }

    /// Takes out all, the first handed over first.
    mutating func removeAll() -> [ClaimedDelivery] {
        defer { entries = [:] }
        return entries.values.sorted { $0.number < $1.number }.map(\.claimed)
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
