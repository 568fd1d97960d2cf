internal import ShareModel

/// Data of programs:
/// - databases: SQLite 3 (file format, 1.3; GeoPackage 1.3, 1.1.1.1.1), dBASE (`dbf` structure), Access (Jet and ACE),
///   Berkeley DB, DuckDB, MySQL (MyISAM; its internals manual)
/// - columns and arrays: Parquet, Avro 1.11 (object container files), ORC v1, Arrow (IPC, file format) and Feather 1,
///   NumPy's NPY 3.0
/// - system files: pcap and pcapng (draft-ietf-opsawg), gettext (`mo` files), terminfo (`term(5)`), Windows event logs
///   ([MS-EVEN6]) and registry hives, `.DS_Store`
/// - Doom's WAD (1.666), bencoded torrents (BEP 3)
enum DataSignatures {
    static let all: [Signature] = [
        // A GeoPackage is an SQLite file, so it comes first.
        Signature("GeoPackage", "application/geopackage+sqlite3", "SQLite format 3\u{0}") { sample in
            ["GPKG", "GP10", "GP11"].contains { sample.start.has($0, at: 68) }
        },
        Signature("SQLite 3", "application/x-sqlite3", "SQLite format 3\u{0}"),
        Signature("Access, Jet", "application/x-msaccess", [0, 1, 0, 0]) {
            $0.start.has("Standard Jet DB\u{0}", at: 4)
        },
        Signature("Access, ACE", "application/x-msaccess", [0, 1, 0, 0]) {
            $0.start.has("Standard ACE DB\u{0}", at: 4)
        },
        Signature("Parquet", "application/vnd.apache.parquet", "PAR1") {
            try endsWith([0x50, 0x41, 0x52, 0x31], $0, 0)
        },
        Signature("Avro", "application/x-avro", [0x4F, 0x62, 0x6A, 0x01]) { isAvro($0.start) },
        // The last byte is the length of the postscript, which ends with the same letters.
        Signature("ORC", "application/x-orc", "ORC") {
            try $0.start.hasControl(within: 256) && endsWith([0x4F, 0x52, 0x43], $0, 1)
        },
        Signature("Arrow", "application/vnd.apache.arrow.file", "ARROW1\u{0}\u{0}"),
        Signature("Feather", "application/x-feather", "FEA1") { try endsWith([0x46, 0x45, 0x41, 0x31], $0, 0) },
        Signature("DuckDB", "application/x-duckdb", at: 8, "DUCK") { $0.start.little(12, 8).isIn(1...1024) },
        Signature("pcap", "application/vnd.tcpdump.pcap", [0xD4, 0xC3, 0xB2, 0xA1]) { $0.start.little(4, 2) == 2 },
        Signature("pcap", "application/vnd.tcpdump.pcap", [0x4D, 0x3C, 0xB2, 0xA1]) { $0.start.little(4, 2) == 2 },
        Signature("pcap", "application/vnd.tcpdump.pcap", [0xA1, 0xB2, 0xC3, 0xD4]) { $0.start.big(4, 2) == 2 },
        Signature("pcap", "application/vnd.tcpdump.pcap", [0xA1, 0xB2, 0x3C, 0x4D]) { $0.start.big(4, 2) == 2 },
        Signature("pcapng", "application/x-pcapng", [0x0A, 0x0D, 0x0D, 0x0A]) { sample in
            sample.start.big(8, 4) == 0x1A2B_3C4D || sample.start.little(8, 4) == 0x1A2B_3C4D
        },
        Signature("gettext catalog", "application/x-gettext-translation", [0xDE, 0x12, 0x04, 0x95]) {
            isCatalog($0, isBig: false)
        },
        Signature("gettext catalog", "application/x-gettext-translation", [0x95, 0x04, 0x12, 0xDE]) {
            isCatalog($0, isBig: true)
        },
        Signature("terminfo", "application/x-terminfo", [0x1A, 0x01]) { isTerminal($0.start) },
        Signature("terminfo", "application/x-terminfo2", [0x1E, 0x02]) { isTerminal($0.start) },
        Signature("Windows event log", "application/x-ms-evtx", "ElfFile\u{0}"),
        Signature("registry hive", "application/x-ms-reg-hive", "regf") { sample in
            sample.start.little(20, 4) == 1 && sample.start.little(24, 4).isIn(2...6)
        },
        Signature("folder settings", "application/x-apple-ds_store", [0, 0, 0, 1, 0x42, 0x75, 0x64, 0x31]),
        Signature("Doom", "application/x-doom-wad", "IWAD") { isLumps($0) },
        // A file that was cut off has no directory.
        Signature("Doom, cut off", "application/x-doom-wad", "IWAD", confidence: .likely) {
            $0.start.hasControl(within: 12)
        },
        Signature("Doom", "application/x-doom-wad", "PWAD") { isLumps($0) },
        // A file that was cut off has no directory.
        Signature("Doom, cut off", "application/x-doom-wad", "PWAD", confidence: .likely) {
            $0.start.hasControl(within: 12)
        },
        Signature("Wii", "application/x-wii-wad", [0, 0, 0, 0x20]) { sample in
            ["Is", "ib", "Bk"].contains { sample.start.has($0, at: 4) } && sample.start.isZero(6, 2)
        },
        Signature(
            "GNUnet directory", "application/gnunet-directory", [0x89, 0x47, 0x4E, 0x44, 0x0D, 0x0A, 0x1A, 0x0A]),
        Signature("torrent", "application/x-bittorrent", "d", isText: true) { isTorrent($0.start) },
        Signature("NPY", "application/x-npy", [0x93, 0x4E, 0x55, 0x4D, 0x50, 0x59]),
        Signature("Berkeley DB", "application/x-dbm", at: 12, [0x62, 0x31, 0x05, 0x00]) {
            $0.start.little(16, 4).isIn(1...32)
        },
        Signature("Berkeley DB", "application/x-dbm", at: 12, [0x61, 0x15, 0x06, 0x00]) {
            $0.start.little(16, 4).isIn(1...32)
        },
        Signature("dBASE", "application/x-dbf", [0x03]) { try isTable($0) },
        Signature("Visual FoxPro", "application/x-dbf", [0x30]) { try isTable($0) },
        Signature("Visual FoxPro", "application/x-dbf", [0x31]) { try isTable($0) },
        Signature("dBASE IV", "application/x-dbf", [0x8B]) { try isTable($0) },
        Signature("dBASE III with memo", "application/x-dbf", [0x83]) { try isTable($0) },
        Signature("FoxPro with memo", "application/x-dbf", [0xF5]) { try isTable($0) },
        Signature("SQLite 2", "application/x-sqlite2", "** This file contains an SQLite 2."),
        Signature("time zone", "application/tzif", "TZif") {
            [0, 0x32, 0x33, 0x34].contains($0.start.big(4, 1)) && $0.start.isZero(5, 15)
        },
        Signature("firmware, UF2", "application/x-uf2", "UF2\n") { $0.start.little(4, 4) == 0x9E5D_5157 },
        Signature("Java heap dump", "application/vnd.java.hprof", "JAVA PROFILE 1.0."),
        Signature("activity of a sports watch", "application/vnd.ant.fit", at: 8, ".FIT") {
            [12, 14].contains($0.start.big(0, 1))
        },
        Signature("difference, bsdiff", "application/x-bsdiff", "BSDIFF40"),
        Signature("difference, bsdiff", "application/x-bsdiff", "BSDIFN40"),
        Signature("MySQL table definition", "application/x-mysql-table-definition", [0xFE, 0x01]) { sample in
            sample.start.big(2, 1).isIn(6...12) && sample.start.little(6, 2) == 0x1000
        },
        Signature("MySQL index", "application/x-mysql-misam-index", [0xFE, 0xFE, 0x07], confidence: .likely) {
            $0.start.big(3, 1).isIn(1...3)
        },
        Signature("MySQL compressed table", "application/x-mysql-misam-compressed-index", [0xFE, 0xFE, 0x06]),
    ]

    /// Whether content ends with these bytes, except for `behind` bytes after them.
    private static func endsWith(_ bytes: [UInt8], _ sample: Sample, _ behind: Int) throws -> Bool {
        let place = sample.content.size - Int64(bytes.count + behind)
        return try place > 0 && sample.content.read(at: place, count: bytes.count) == bytes
    }

    /// A dictionary. Its first key is one of a torrent's, after the length of the key.
    private static func isTorrent(_ start: [UInt8]) -> Bool {
        guard start.big(1, 1).isIn(0x31...0x39) else { return false }
        return torrentKeys.contains { start.has($0, at: 1) }
    }

    private static let torrentKeys: [StaticString] = [
        "8:announce", "13:announce-list", "4:infod", "7:comment", "10:created by", "13:creation date", "8:encoding",
        "9:httpseeds", "8:url-list", "5:nodesl", "18:azureus_properties",
    ]

    /// A map with at least one entry. Its first key is a short string.
    private static func isAvro(_ start: [UInt8]) -> Bool {
        guard let count = start.big(4, 1), let key = start.big(5, 1) else { return false }
        return count > 0 && (count & 1 == 1 || (key & 1 == 0 && start.isPrintable(6, min(key / 2, 4))))
    }

    private static func isCatalog(_ sample: Sample, isBig: Bool) -> Bool {
        let numbers = (1...5).map { sample.start.number(4 * $0, 4, isBig: isBig) ?? .max }
        return numbers[0] & 0xFFFF <= 1 && numbers[2] >= 28 && Int64(numbers[2]) <= sample.content.size
            && Int64(numbers[3]) <= sample.content.size
    }

    /// The terminal's names, followed by NUL.
    private static func isTerminal(_ start: [UInt8]) -> Bool {
        guard let length = start.little(2, 2), (2...512).contains(length), start.little(4, 2).isIn(0...256),
            start.little(6, 2).isIn(0...1024)
        else { return false }
        return start.isPrintable(12, length - 1) && start.big(11 + length, 1) == 0
    }

    private static func isLumps(_ sample: Sample) -> Bool {
        guard let count = sample.start.little(4, 4), let offset = sample.start.little(8, 4) else { return false }
        return offset >= 12 && Int64(offset) + 16 * Int64(count) <= sample.content.size
    }

    /// A date, and a header of whole fields that ends with a carriage return. The first field has a name and a type.
    private static func isTable(_ sample: Sample) throws -> Bool {
        let start = sample.start
        guard start.big(2, 1).isIn(1...12), start.big(3, 1).isIn(1...31), let header = start.little(8, 2), header >= 65,
            start.little(10, 2) ?? 0 > 1, start.isPrintable(32, 1), let kind = start.big(43, 1), isUpper(kind)
        else { return false }
        // Visual FoxPro has 263 bytes for the path of its container after the end of the header.
        let ends = [header - 1, header - 264].filter { $0 >= 64 && ($0 - 32) % 32 == 0 }
        return try ends.contains { try sample.content.read(at: Int64($0), count: 1) == [0x0D] }
    }

    private static func isUpper(_ byte: Int) -> Bool { (0x41...0x5A).contains(byte) || byte == 0x2B || byte == 0x40 }
}
