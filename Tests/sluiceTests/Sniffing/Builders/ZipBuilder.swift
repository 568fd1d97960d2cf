/// An archive in the variants of PKWARE's APPNOTE. Checksums are zero, because no reader here checks them.
struct ZipBuilder {
    struct Entry {
        var name: String
        var bytes: [UInt8]
        var isDeflated = false
    }

    var entries: [Entry] = []
    /// Sizes follow the data.
    var isStreamed = false
    /// Sizes and offsets take eight bytes.
    var isWide = false
    /// Bytes that were put in front of the finished archive.
    var prefix: [UInt8] = []
    var comment: [UInt8] = []
    /// The number of entries in the end record; `nil` for the true number.
    var claimedCount: Int?
    var hasDirectory = true

    init(_ entries: [(String, String)]) {
        self.entries = entries.map { Entry(name: $0.0, bytes: Array($0.1.utf8)) }
    }

    var bytes: [UInt8] {
        var local: [UInt8] = []
        var central: [UInt8] = []
        for entry in entries {
            central += directoryEntry(entry, at: local.count)
            local += self.local(entry)
        }
        guard hasDirectory else { return prefix + local }
        return prefix + local + central + end(central.count, at: local.count)
    }

    private func local(_ entry: Entry) -> [UInt8] {
        let data = Self.data(entry)
        let size = UInt64(data.count)
        let sizes = isStreamed ? Self.little(0, 8) : Self.little(size, 4) + Self.little(UInt64(entry.bytes.count), 4)
        let descriptor = [0x50, 0x4B, 7, 8] + Self.little(0, 4) + Self.little(size, 4) + Self.little(size, 4)
        return [0x50, 0x4B, 3, 4] + common(entry, sizes) + Self.little(0, 2) + Array(entry.name.utf8) + data
            + (isStreamed ? descriptor : [])
    }

    private func directoryEntry(_ entry: Entry, at offset: Int) -> [UInt8] {
        let size = UInt64(Self.data(entry).count)
        let full = UInt64(UInt32.max)
        let sizes = Self.little(isWide ? full : size, 4) + Self.little(isWide ? full : UInt64(entry.bytes.count), 4)
        let extra =
            [1, 0, 24, 0] + Self.little(UInt64(entry.bytes.count), 8) + Self.little(size, 8)
            + Self.little(UInt64(offset), 8)
        return [0x50, 0x4B, 1, 2, 20, 0] + common(entry, sizes) + Self.little(isWide ? 28 : 0, 2)
            + Self.little(0, 10) + Self.little(isWide ? full : UInt64(offset), 4) + Array(entry.name.utf8)
            + (isWide ? extra : [])
    }

    /// The fields from the version needed to the length of the name.
    private func common(_ entry: Entry, _ sizes: [UInt8]) -> [UInt8] {
        [20, 0, isStreamed ? 8 : 0, 0, entry.isDeflated ? 8 : 0, 0] + Self.little(0, 8) + sizes
            + Self.little(UInt64(entry.name.utf8.count), 2)
    }

    private func end(_ size: Int, at offset: Int) -> [UInt8] {
        let count = UInt64(claimedCount ?? entries.count)
        let place = UInt64(offset + size)
        let wide =
            [0x50, 0x4B, 6, 6] + Self.little(44, 8) + Self.little(0, 12) + Self.little(count, 8)
            + Self.little(count, 8) + Self.little(UInt64(size), 8) + Self.little(UInt64(offset), 8)
        let locator = [0x50, 0x4B, 6, 7] + Self.little(0, 4) + Self.little(place, 8) + Self.little(1, 4)
        let numbers =
            isWide
            ? [UInt8](repeating: 0xFF, count: 12)
            : Self.little(count, 2) + Self.little(count, 2) + Self.little(UInt64(size), 4)
                + Self.little(UInt64(offset), 4)
        return (isWide ? wide + locator : []) + [0x50, 0x4B, 5, 6, 0, 0, 0, 0] + numbers
            + Self.little(UInt64(comment.count), 2) + comment
    }

    /// Deflated into stored blocks: RFC 1951, section 3.2.4.
    private static func data(_ entry: Entry) -> [UInt8] {
        guard entry.isDeflated else { return entry.bytes }
        let size = UInt64(entry.bytes.count)
        return [1] + little(size, 2) + little(~size & 0xFFFF, 2) + entry.bytes
    }

    static func little(_ number: UInt64, _ width: Int) -> [UInt8] {
        (0..<width).map { $0 < 8 ? UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) : 0 }
    }
}
