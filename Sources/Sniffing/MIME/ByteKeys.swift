/// Numbers byte strings: 0 for the first one added, and so on.
///
/// This is an open-addressing hash table over one array of bytes. Loading thousands of names needs no allocation for
/// each, and neither does a lookup. `String` keys would not work, because equal strings can differ in their bytes.
struct ByteKeys: Sendable {
    private var bytes: [UInt8] = []
    /// The end of each key in ``bytes``.
    private var ends: [Int] = []
    /// The number of a key plus 1; 0 for an empty slot. The size is a power of two.
    private var slots: [Int32]

    /// The number of keys.
    var count: Int { ends.count }
    /// The length of the longest key, in bytes.
    private(set) var longest = 0

    private static let usualLength = 24

    /// An empty table with room for `capacity` keys.
    init(capacity: Int = 64) {
        slots = [Int32](repeating: 0, count: Self.slotCount(for: capacity))
        ends.reserveCapacity(capacity)
        bytes.reserveCapacity(capacity * Self.usualLength)
    }

    /// The number of a key; `nil` if the table does not contain it.
    func find(_ key: some Collection<UInt8>) -> Int? {
        guard key.count <= longest else { return nil }
        let slot = slots[place(of: key)]
        return slot == 0 ? nil : Int(slot) - 1
    }

    /// The number of a key; adds the key if it is new.
    mutating func insert(_ key: some Collection<UInt8>) -> Int {
        if (ends.count + 1) * 2 > slots.count { grow() }
        let place = place(of: key)
        if slots[place] != 0 { return Int(slots[place]) - 1 }
        bytes.append(contentsOf: key)
        ends.append(bytes.count)
        slots[place] = Int32(ends.count)
        longest = max(longest, key.count)
        return ends.count - 1
    }

    /// The bytes of a key.
    subscript(_ number: Int) -> ArraySlice<UInt8> { bytes[(number == 0 ? 0 : ends[number - 1])..<ends[number]] }

    private static func slotCount(for capacity: Int) -> Int {
        var count = 64
        while count < capacity * 2 { count *= 2 }
        return count
    }

    private mutating func grow() {
        slots = [Int32](repeating: 0, count: slots.count * 2)
        for number in ends.indices { slots[place(of: self[number])] = Int32(number + 1) }
    }

    /// The slot of a key, or the free slot where it belongs. At least half of the slots are free, so the search ends.
    private func place(of key: some Collection<UInt8>) -> Int {
        var place = Self.hash(key) & (slots.count - 1)
        while slots[place] != 0, !isKey(Int(slots[place]) - 1, key) { place = (place + 1) & (slots.count - 1) }
        return place
    }

    private func isKey(_ number: Int, _ key: some Collection<UInt8>) -> Bool {
        var place = number == 0 ? 0 : ends[number - 1]
        guard ends[number] - place == key.count else { return false }
        for byte in key {
            if bytes[place] != byte { return false }
            place += 1
        }
        return true
    }

    /// FNV-1a. The keys come from a database, so an attacker cannot choose keys that collide.
    private static func hash(_ key: some Collection<UInt8>) -> Int {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in key { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return Int(truncatingIfNeeded: (hash ^ (hash >> 32)) & 0x7FFF_FFFF)
    }
}
