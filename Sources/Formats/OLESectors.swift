/// The sectors of an OLE compound file and their chains: [MS-CFB] 2.3 (allocation table) and 2.5 (the list of the
/// table's sectors).
///
/// Chains are followed for a limited number of steps. Sectors of the table are kept after the first read.
struct OLESectors {
    /// The end of a chain; larger numbers mark sectors outside of chains.
    static let lastSector = 0xFFFF_FFFA
    /// The number of sectors of the allocation table that the header lists.
    private static let headerEntries = 109
    /// The largest number of list sectors. They stand for 130 GiB with large sectors, and for 260 MiB with small ones.
    private static let listLimit = 32
    /// The largest number of bytes in one read.
    private static let runLimit = 32 << 10

    let content: ContentBytes
    let size: Int
    private let header: [UInt8]
    /// Whether the table continues beyond the limit.
    private(set) var isOutOfReach = false
    private var tables: [Int: [UInt8]] = [:]
    private var lists: [[UInt8]] = []

    init(_ content: ContentBytes, header: [UInt8], size: Int) {
        self.content = content
        self.header = header
        self.size = size
    }

    /// The sectors from `first`, at most `limit`, up to the end of the chain or to the first error.
    mutating func chain(from first: Int, limit: Int) throws -> [Int] {
        var sectors: [Int] = []
        var sector: Int? = first
        while let current = sector, current < Self.lastSector, sectors.count < limit, offset(current) < content.size {
            sectors.append(current)
            sector = try next(after: current)
        }
        return sectors
    }

    /// The bytes of the sectors, up to the first that cannot be read. Adjacent sectors share one read.
    func bytes(of sectors: [Int]) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var from = 0
        while from < sectors.count {
            var end = from + 1
            while end < sectors.count, sectors[end] == sectors[end - 1] + 1, (end - from) * size < Self.runLimit {
                end += 1
            }
            let read = try content.read(at: offset(sectors[from]), count: (end - from) * size)
            bytes += read
            guard read.count == (end - from) * size else { break }
            from = end
        }
        return bytes
    }

    func offset(_ sector: Int) -> Int64 { (Int64(sector) + 1) * Int64(size) }

    private mutating func next(after sector: Int) throws -> Int? {
        let perTable = size / 4
        guard let table = try table(sector / perTable) else { return nil }
        return table.little(sector % perTable * 4, 4)
    }

    /// One sector of the allocation table.
    private mutating func table(_ index: Int) throws -> [UInt8]? {
        if let known = tables[index] { return known }
        guard let sector = try tableSector(index), sector < Self.lastSector else { return nil }
        let bytes = try content.read(at: offset(sector), count: size)
        guard !bytes.isEmpty else { return nil }
        tables[index] = bytes
        return bytes
    }

    /// The sector that holds a part of the allocation table.
    private mutating func tableSector(_ index: Int) throws -> Int? {
        if index < Self.headerEntries { return header.little(0x4C + index * 4, 4) }
        let perList = size / 4 - 1
        let rest = index - Self.headerEntries
        guard rest / perList < Self.listLimit else {
            isOutOfReach = true
            return nil
        }
        while lists.count <= rest / perList {
            let link = lists.last.map { $0.little(perList * 4, 4) } ?? header.little(0x44, 4)
            guard let link, link < Self.lastSector else { return nil }
            let bytes = try content.read(at: offset(link), count: size)
            guard bytes.count == size else { return nil }
            lists.append(bytes)
        }
        return lists[rest / perList].little(rest % perList * 4, 4)
    }
}
