/// A compound file of sectors of 512 bytes ([MS-CFB]): header, allocation table, directory, small streams. `next` is
/// the table's entry after the directory.
struct OLEBuilder {
    /// The names at the top and the content of small streams, of which the first sector is stored at most.
    var entries: [(name: String, bytes: [UInt8])]
    /// The class of the root, in the byte order of the file.
    var rootClass = [UInt8](repeating: 0, count: 16)
    /// The allocation table's entry after the directory.
    var next: UInt32 = 0xFFFF_FFFE

    init(_ names: [String]) { entries = names.map { ($0, []) } }

    var bytes: [UInt8] {
        let directory = directory
        let sectors = max(1, (directory.count + 511) / 512)
        var header = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1] + [UInt8](repeating: 0, count: 68)
        header.replaceSubrange(0x1A..<0x20, with: [3, 0, 0xFE, 0xFF, 9, 0])
        header[0x30] = 1
        header[0x39] = 0x10
        header += [UInt8](repeating: 0, count: 4) + [UInt8](repeating: 0xFF, count: 432)
        var table = [UInt8](repeating: 0xFF, count: 512)
        for sector in 1...sectors {
            let following = sector < sectors ? UInt32(sector + 1) : next
            table.replaceSubrange(sector * 4..<sector * 4 + 4, with: ZipBuilder.little(UInt64(following), 4))
        }
        table.replaceSubrange((sectors + 1) * 4..<(sectors + 2) * 4, with: [0xFE, 0xFF, 0xFF, 0xFF])
        let padding = [UInt8](repeating: 0, count: sectors * 512 - directory.count)
        return header + table + directory + padding + smallStreams
    }

    private var smallStreams: [UInt8] {
        let bytes = entries.flatMap { $0.bytes + [UInt8](repeating: 0, count: (64 - $0.bytes.count % 64) % 64) }
        return bytes + [UInt8](repeating: 0, count: max(0, 512 - bytes.count))
    }

    private var directory: [UInt8] {
        var directory: [UInt8] = []
        let sectors = max(1, (entries.count + 4) / 4)
        var place: UInt64 = 0
        for (index, entry) in ([("Root Entry", [])] + entries).enumerated() {
            var bytes = [UInt8](repeating: 0, count: 128)
            for (place, unit) in entry.0.utf16.enumerated() {
                bytes.replaceSubrange(place * 2..<place * 2 + 2, with: ZipBuilder.little(UInt64(unit), 2))
            }
            bytes[64] = UInt8(entry.0.utf16.count * 2 + 2)
            bytes[66] = index == 0 ? 5 : 2
            // The first entry is the root's child; each entry is the right sibling of the previous one.
            let end: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]
            let right = index > 0 && index < entries.count ? ZipBuilder.little(UInt64(index + 1), 4) : end
            let child = index == 0 && !entries.isEmpty ? [1, 0, 0, 0] : end
            bytes.replaceSubrange(68..<80, with: end + right + child)
            let start = index == 0 ? UInt64(1 + sectors) : place
            bytes.replaceSubrange(
                116..<124, with: ZipBuilder.little(start, 4) + ZipBuilder.little(UInt64(entry.1.count), 4))
            if index == 0 { bytes.replaceSubrange(80..<96, with: rootClass) }
            place += UInt64((entry.1.count + 63) / 64)
            directory += bytes
        }
        return directory
    }
}
