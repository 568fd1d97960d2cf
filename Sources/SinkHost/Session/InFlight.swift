/// The deliveries that a sink's process has at the moment, with their slots and folders.
struct InFlight {
    private struct Entry {
        let delivery: HostedDelivery
        /// What was laid out for it; `nil` while the sink is only queried about it.
        let place: Place?
    }

    /// What lies in a work folder for a delivery.
    struct Place {
        /// Names its folder for products. It counts the deliveries of the process, from 1.
        let number: Int
        let slot: Int
        let parts: [LaidOutPart]
    }

    private var entries: [String: Entry] = [:]
    /// The identifiers in the order in which the sink got them.
    private var order: [String] = []
    private var answeredNumbers: [Int] = []
    private var answeredBytes: Int64 = 0
    /// Since when the sink can be at work on the first of them.
    private(set) var oldestSince = ContinuousClock.now

    var isEmpty: Bool { entries.isEmpty }
    /// The identifiers of all, in the order in which the sink got them.
    var ids: [String] { order }
    /// The identifiers of those that were handed over, in that order.
    var handedIDs: [String] { order.filter { has($0) } }

    /// Whether a delivery was handed over and is not answered.
    func has(_ id: String) -> Bool { entries[id]?.place != nil }

    /// The lowest slot that no delivery has.
    var freeSlot: Int {
        let taken = Set(entries.values.compactMap(\.place?.slot))
        return (0...taken.count).first { !taken.contains($0) } ?? taken.count
    }

    /// Adds a delivery that was handed over, or with no place one that the sink is queried about.
    mutating func add(_ delivery: HostedDelivery, _ place: Place?) {
        if entries.isEmpty { oldestSince = .now }
        entries[delivery.id] = Entry(delivery: delivery, place: place)
        order.append(delivery.id)
    }

    /// Removes an answered delivery; `nil` if it was not handed over. Its folder for products stays.
    mutating func removeHanded(_ id: String) -> Place? {
        guard let place = entries[id]?.place else { return nil }
        remove(id)
        answeredNumbers.append(place.number)
        return place
    }

    /// Removes a delivery that the sink was queried about; `nil` if it was not.
    mutating func removeQueried(_ id: String) -> HostedDelivery? {
        guard let entry = entries[id], entry.place == nil else { return nil }
        remove(id)
        return entry.delivery
    }

    private mutating func remove(_ id: String) {
        entries[id] = nil
        guard order.first == id else { return order.removeAll { $0 == id } }
        order.removeFirst()
        oldestSince = .now
    }

    /// Counts what lies in the folder of an answered delivery.
    mutating func note(answeredBytes bytes: Int64) { answeredBytes += bytes }

    /// The numbers of answered deliveries whose folders can be removed now.
    ///
    /// As a rule none, while they are few and small: some file systems make new files slowly beside removed ones.
    mutating func takeAnsweredNumbers(all: Bool) -> [Int] {
        guard all || answeredNumbers.count >= Self.keptFolders || answeredBytes >= Self.keptBytes else { return [] }
        defer { (answeredNumbers, answeredBytes) = ([], 0) }
        return answeredNumbers
    }

    private static let keptFolders = 4_096
    private static let keptBytes: Int64 = 64 << 20
}
