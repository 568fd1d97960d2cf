/// The deliveries that a sink's process has at the moment, with their slots and folders.
struct InFlight {
    private struct Entry {
        let delivery: HostedDelivery
        /// Its place in the work folder; `nil` while the host only queries the sink about it.
        let place: Place?
    }

    /// A delivery's files in the work folder.
    struct Place {
        /// Counts the deliveries of the process from 1. It names the folder for products.
        let number: Int
        let slot: Int
        let parts: [LaidOutPart]
    }

    private var entries: [String: Entry] = [:]
    /// The identifiers in the order in which the sink got them.
    private var order: [String] = []
    private var answeredNumbers: [Int] = []
    private var answeredBytes: Int64 = 0
    /// The earliest time at which the sink can have begun with the oldest delivery.
    private(set) var oldestSince = ContinuousClock.now

    var isEmpty: Bool { entries.isEmpty }
    var ids: [String] { order }
    /// The identifiers of the sent deliveries, in the same order. The others are only queried.
    var handedIDs: [String] { order.filter { has($0) } }

    /// Whether the sink has received this delivery and not answered it.
    func has(_ id: String) -> Bool { entries[id]?.place != nil }

    /// A delivery that the sink has, with its place.
    func handed(_ id: String) -> (delivery: HostedDelivery, place: Place)? {
        entries[id].flatMap { entry in entry.place.map { (entry.delivery, $0) } }
    }

    /// The lowest slot that no delivery has.
    var freeSlot: Int {
        let taken = Set(entries.values.compactMap(\.place?.slot))
        // The range has one slot more than are taken, so one of them is free.
        return (0...taken.count).first { !taken.contains($0) } ?? taken.count
    }

    /// Adds a sent delivery; without a place, one that the host queries the sink about.
    mutating func add(_ delivery: HostedDelivery, _ place: Place?) {
        if entries.isEmpty { oldestSince = .now }
        entries[delivery.id] = Entry(delivery: delivery, place: place)
        order.append(delivery.id)
    }

    /// Removes an answered delivery; `nil` if the sink did not have it. Its folder for products stays on disk.
    mutating func removeHanded(_ id: String) -> Place? {
        guard let place = entries[id]?.place else { return nil }
        remove(id)
        answeredNumbers.append(place.number)
        return place
    }

    /// Removes a delivery after the answer to its query; `nil` if there was no such query.
    mutating func removeQueried(_ id: String) -> HostedDelivery? {
        guard let entry = entries[id], entry.place == nil else { return nil }
        remove(id)
        return entry.delivery
    }

    private mutating func remove(_ id: String) {
        entries[id] = nil
        guard order.first == id else { return order.removeAll { $0 == id } }
        order.removeFirst()
        // A sink may work on one delivery after the other, so the clock of the next one starts now.
        oldestSince = .now
    }

    /// Adds the bytes in the folder of an answered delivery.
    mutating func note(answeredBytes bytes: Int64) { answeredBytes += bytes }

    /// The numbers of answered deliveries whose folders can be removed now.
    ///
    /// It is empty while they are few and small, because some file systems create files slowly in a folder from which
    /// others were just removed.
    mutating func takeAnsweredNumbers(all: Bool) -> [Int] {
        guard all || answeredNumbers.count >= Self.keptFolders || answeredBytes >= Self.keptBytes else { return [] }
        defer { (answeredNumbers, answeredBytes) = ([], 0) }
        return answeredNumbers
    }

    private static let keptFolders = 4_096
    private static let keptBytes: Int64 = 64 << 20
}
