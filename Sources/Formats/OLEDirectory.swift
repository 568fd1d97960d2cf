/// The names at the top of an OLE compound file, the container of old office documents: [MS-CFB] version 3 and 4.
///
/// The bytes are hostile: chains are followed for a bounded number of steps, each entry is visited once.
public struct OLEDirectory: Sendable {
    /// No more sectors of the directory are read.
    public static let sectorLimit = 128

    /// The streams and storages directly below the root, in no order that means anything.
    public var names: Set<String>

    private static let signature: [UInt8] = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]
    private static let headerSize = 512
    private static let entrySize = 128

    /// Reads the directory as far as it can be followed; `nil` for what is no compound file.
    ///
    /// - Throws: when the content cannot be read.
    public init?(_ content: ContentBytes) throws {
        let header = try content.read(at: 0, count: Self.headerSize)
        guard header.count == Self.headerSize, header.starts(with: Self.signature) else { return nil }
        let shift = Self.number(header, 0x1E, 2)
        guard shift == 9 || shift == 12 else { return nil }
        let sectors = Sectors(content: content, size: 1 << shift, header: header)
        names = Self.topNames(try sectors.chain(from: Self.number(header, 0x30, 4)))
    }

    /// Where sectors are, and which follows which.
    private struct Sectors {
        var content: ContentBytes
        var size: Int
        var header: [UInt8]

        /// The bytes of a chain, up to its end, the first thing wrong, or the limit.
        func chain(from first: Int) throws -> [UInt8] {
            var bytes: [UInt8] = []
            var sector: Int? = first
            for _ in 0..<OLEDirectory.sectorLimit {
                guard let current = sector else { break }
                let read = try content.read(at: offset(current), count: size)
                guard read.count == size else { break }
                bytes += read
                sector = try next(after: current)
            }
            return bytes
        }

        /// By the allocation table, whose own sectors the header lists (the first 109: seven megabytes at least).
        private func next(after sector: Int) throws -> Int? {
            let perSector = size / 4
            let place = 0x4C + sector / perSector * 4
            guard place + 4 <= header.count else { return nil }
            let table = OLEDirectory.number(header, place, 4)
            let entry = try content.read(at: offset(table) + Int64(sector % perSector * 4), count: 4)
            guard entry.count == 4 else { return nil }
            let next = OLEDirectory.number(entry, 0, 4)
            // The highest numbers mean the end and free sectors.
            return next < 0xFFFF_FFFA ? next : nil
        }

        private func offset(_ sector: Int) -> Int64 { (Int64(sector) + 1) * Int64(size) }
    }

    /// The root's children, by the tree that their sibling links make.
    private static func topNames(_ bytes: [UInt8]) -> Set<String> {
        let count = bytes.count / entrySize
        guard count > 0 else { return [] }
        var open = [number(bytes, 76, 4)]
        var visited: Set<Int> = []
        var names: Set<String> = []
        while let index = open.popLast() {
            guard index < count, visited.insert(index).inserted else { continue }
            let start = index * entrySize
            names.insert(name(bytes[start..<start + entrySize]))
            open += [number(bytes, start + 68, 4), number(bytes, start + 72, 4)]
        }
        return names
    }

    /// UTF-16 with a final zero, whose length in bytes is behind it.
    private static func name(_ entry: ArraySlice<UInt8>) -> String {
        let bytes = Array(entry)
        let length = min(number(bytes, 64, 2), 64) / 2
        let units = (0..<max(0, length - 1)).map { UInt16(number(bytes, $0 * 2, 2)) }
        return String(decoding: units, as: UTF16.self)
    }

    /// A little-endian number of at most four bytes. The caller has checked that they are there.
    fileprivate static func number(_ bytes: [UInt8], _ offset: Int, _ width: Int) -> Int {
        bytes[offset..<offset + width].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
