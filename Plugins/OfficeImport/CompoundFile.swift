/// A document in an OLE compound file ([MS-CFB]): what the sink itself reads of the formats of old office programs.
///
/// That is little: the names in its directory, and the beginnings of streams, where the marks of encryption are.
struct CompoundFile {
    /// The part of a file that is looked at, in bytes. The directory may be anywhere.
    static let searched = 64 << 20
    /// The number of sectors of a directory that are looked at: 8,192 entries of 128 bytes in version 3.
    private static let maximumSectors = 2_048
    /// The number of records of a workbook that are looked at. The mark of encryption is one of the first three.
    private static let maximumRecords = 16

    static let signature: [UInt8] = [0xD0, 0xCF, 0x11, 0xE0]

    private let bytes: [UInt8]
    private let sectorSize: Int
    /// The places of the directory's entries, the root's first.
    private var entries: [Int] = []

    /// - Parameter bytes: the file, or its first ``searched`` bytes.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        // Sectors have 512 bytes in version 3, and 4,096 in version 4.
        sectorSize = bytes.number(at: 0x1E, 2) == 12 ? 4_096 : 512
        var sector = bytes.number(at: 0x30, 4)
        for _ in 0..<Self.maximumSectors {
            guard let current = sector, place(of: current) + sectorSize <= bytes.count else { break }
            entries += stride(from: place(of: current), to: place(of: current) + sectorSize, by: 128)
            sector = next(current)
        }
    }

    /// Whether the bytes are those of a compound file. Programs before 1995 wrote other files.
    var isCompound: Bool { bytes.starts(with: Self.signature) }

    /// Whether it has a directory. Often the directory is the last part of the file, which is missing if it was cut off.
    var hasDirectory: Bool { !entries.isEmpty }

    /// Whether it is the wrapper of an encrypted OOXML document ([MS-OFFCRYPTO] 2.3.1).
    var isEncryptedPackage: Bool { entry("EncryptedPackage") != nil }

    /// Whether it is a document that is encrypted by itself: of Word ([MS-DOC] 2.5.2), Excel ([MS-XLS] 2.4.117) or
    /// PowerPoint ([MS-PPT] 2.3.2).
    var isEncrypted: Bool {
        if let document = start(of: "WordDocument") {
            // A bit of the block at the start of the stream.
            return (bytes.number(at: document + 10, 2) ?? 0) & 0x0100 != 0
        }
        if let book = start(of: "Workbook") ?? start(of: "Book") { return isEncryptedWorkbook(at: book) }
        // The token at the start of the stream says so.
        if let user = start(of: "Current User") { return bytes.number(at: user + 12, 4) == 0xF3D1_C4DF }
        return false
    }

    /// Whether one of the first records is `FilePass`.
    private func isEncryptedWorkbook(at start: Int) -> Bool {
        var place = start
        for _ in 0..<Self.maximumRecords {
            guard let kind = bytes.number(at: place, 2), let size = bytes.number(at: place + 2, 2) else { return false }
            if kind == 0x002F { return true }
            place += 4 + size
        }
        return false
    }

    /// The place where the bytes of a stream begin.
    private func start(of name: String) -> Int? {
        guard let entry = entry(name), let sector = bytes.number(at: entry + 116, 4),
            let size = bytes.number(at: entry + 120, 4)
        else { return nil }
        // Small streams have sectors of 64 bytes in a stream of their own, which belongs to the root.
        guard size < 4_096 else { return place(of: sector) }
        guard let root = entries.first, let first = bytes.number(at: root + 116, 4) else { return nil }
        return place(of: first) + sector * 64
    }

    private func place(of sector: Int) -> Int { (sector + 1) * sectorSize }

    /// The sector that follows, by the allocation table; `nil` if the header does not say where that part of the table is.
    private func next(_ sector: Int) -> Int? {
        let (part, index) = sector.quotientAndRemainder(dividingBy: sectorSize / 4)
        guard part < 109, let table = bytes.number(at: 0x4C + part * 4, 4) else { return nil }
        return bytes.number(at: place(of: table) + index * 4, 4)
    }

    /// The place of the first entry of this name. Entries of embedded documents count too; they follow those at the top.
    private func entry(_ name: String) -> Int? {
        let units: [UInt8] = name.utf8.flatMap { [$0, 0] as [UInt8] }
        let name = units + [0, 0]
        return entries.first { bytes[$0...].starts(with: name) }
    }
}

extension [UInt8] {
    /// The number of `count` bytes at a place, the lowest byte first; `nil` if it is not all there.
    fileprivate func number(at place: Int, _ count: Int) -> Int? {
        guard place >= 0, place + count <= self.count else { return nil }
        return self[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
