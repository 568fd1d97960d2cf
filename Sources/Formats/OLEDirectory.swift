/// The top level of an OLE compound file, the container of old office documents: [MS-CFB] versions 3 and 4.
///
/// The bytes may be malicious, so chains are followed for a limited number of steps, and each entry is visited once.
package struct OLEDirectory: Sendable {
    /// A stream or storage directly below the root.
    package struct Entry: Sendable, Hashable {
        /// Whether it can contain other entries.
        package var isStorage: Bool
        /// The first sector of its bytes, of the file or of the small streams.
        var sector: Int
        /// The size, in bytes.
        package var size: Int
    }

    /// The largest part of the directory that is read, in bytes.
    package static let sizeLimit = 64 << 10
    /// The number of bytes that are read after a sector with an unknown successor.
    private static let neighborSize = 4 << 10
    /// The largest number of sectors of the small streams in a chain.
    private static let smallLimit = 4_096

    /// The streams and storages directly below the root, by name.
    package let entries: [String: Entry]
    /// The class identifier of the root as text; `nil` if it is zero.
    package let rootClass: String?

    private static let signature: [UInt8] = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]
    private static let headerSize = 512
    private static let entrySize = 128
    private static let smallSize = 64

    private let header: [UInt8]
    private let sectorSize: Int
    private let smallStart: Int

    /// Reads the directory as far as possible; `nil` if the content is not a compound file, or has no directory.
    ///
    /// - Throws: an error if the content cannot be read.
    package init?(_ content: ContentBytes) throws {
        // Sectors have 512 bytes in version 3, and 4,096 in version 4.
        header = try content.read(at: 0, count: Self.headerSize)
        guard header.count == Self.headerSize, header.starts(with: Self.signature), let shift = header.little(0x1E, 2),
            shift == 9 || shift == 12, let first = header.little(0x30, 4)
        else { return nil }
        sectorSize = 1 << shift
        var sectors = OLESectors(content, header: header, size: sectorSize)
        let chain = try sectors.chain(from: first, limit: Self.sizeLimit / sectorSize)
        var bytes = try sectors.bytes(of: chain)
        // Few files are so large. In them, the rest of the directory usually follows its first sector.
        if sectors.isOutOfReach, let last = chain.last {
            bytes += try content.read(at: sectors.offset(last + 1), count: Self.neighborSize)
        }
        // The first entry must be the root, which has the type 5.
        guard bytes.count >= Self.entrySize, bytes[66] == 5 else { return nil }
        rootClass = Self.classText(bytes)
        smallStart = bytes.little(116, 4) ?? OLESectors.lastSector
        entries = Self.topEntries(bytes)
    }

    /// The names of all entries.
    package var names: Set<String> { Set(entries.keys) }

    /// Whether there is an entry with this name, in any case.
    package func has(_ name: String) -> Bool { entry(name) != nil }

    /// Names are the same if they are in upper case: [MS-CFB] 2.6.4.
    private func entry(_ name: String) -> Entry? {
        if let entry = entries[name] { return entry }
        let wanted = name.uppercased()
        let same = entries.keys.filter { $0.utf8.count == wanted.utf8.count && $0.uppercased() == wanted }
        // A malicious file can have several. The answer must not depend on the order of a dictionary.
        return same.min().flatMap { entries[$0] }
    }

    /// The first bytes of a stream, at most `count`; empty if they are out of reach. Small streams are read as if their
    /// sectors were contiguous, which is how programs write them.
    ///
    /// - Throws: an error if the content cannot be read.
    package func start(of name: String, in content: ContentBytes, count: Int) throws -> [UInt8] {
        guard let entry = entry(name), !entry.isStorage, entry.size > 0 else { return [] }
        var sectors = OLESectors(content, header: header, size: sectorSize)
        let wanted = min(count, entry.size)
        // Streams below the cutoff size in the header share the chain of the small streams.
        guard entry.size < header.little(0x38, 4) ?? 0 else {
            return try read(from: entry.sector, place: 0, count: wanted, &sectors)
        }
        return try read(from: smallStart, place: entry.sector * Self.smallSize, count: wanted, &sectors)
    }

    /// Bytes of a chain of sectors, from an offset in it.
    private func read(from first: Int, place: Int, count: Int, _ sectors: inout OLESectors) throws -> [UInt8] {
        let index = place / sectorSize
        guard index < Self.smallLimit else { return [] }
        let last = (place % sectorSize + count - 1) / sectorSize
        let chain = try sectors.chain(from: first, limit: index + last + 1)
        let bytes = try sectors.bytes(of: Array(chain.dropFirst(index)))
        return Array(bytes.dropFirst(place % sectorSize).prefix(count))
    }

    /// The children of the root, by the sibling links of its tree.
    private static func topEntries(_ bytes: [UInt8]) -> [String: Entry] {
        let count = bytes.count / entrySize
        var open = [bytes.little(76, 4)]
        var visited: Set<Int> = [0]
        var entries: [String: Entry] = [:]
        while let index = open.popLast() {
            guard let index, index < count, visited.insert(index).inserted else { continue }
            let start = index * entrySize
            // Type 1 is a storage, type 2 a stream.
            guard bytes[start + 66] == 1 || bytes[start + 66] == 2 else { continue }
            entries[name(bytes, at: start)] = Entry(
                isStorage: bytes[start + 66] == 1, sector: bytes.little(start + 116, 4) ?? 0,
                size: bytes.little(start + 120, 4) ?? 0)
            open += [bytes.little(start + 68, 4), bytes.little(start + 72, 4)]
        }
        return entries
    }

    /// The name of an entry, in UTF-16 with a final zero. Its length in bytes follows it.
    private static func name(_ bytes: [UInt8], at start: Int) -> String {
        let length = min(bytes.little(start + 64, 2) ?? 0, 64) / 2
        let units = (0..<max(0, length - 1)).map {
            UInt16(bytes[start + $0 * 2]) | UInt16(bytes[start + $0 * 2 + 1]) << 8
        }
        return String(decoding: units, as: UTF16.self)
    }

    /// The class identifier in the form `00020906-0000-0000-C000-000000000046`. Its first three groups are
    /// little-endian.
    private static func classText(_ bytes: [UInt8]) -> String? {
        let order = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15]
        let id = order.map { bytes[80 + $0] }
        guard id.contains(where: { $0 != 0 }) else { return nil }
        let digits = Array("0123456789ABCDEF".utf8)
        var text: [UInt8] = []
        for (index, byte) in id.enumerated() {
            if [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
            text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: text, as: UTF8.self)
    }
}
