internal import Formats
internal import ShareModel

/// Archives and compressed files:
/// - archives: ZIP (APPNOTE 6.3.10, 4.3.7), RAR 1.4 to 5 (RarLab's technical note), 7z (7zFormat.txt), cabinets
///   ([MS-CAB] 2.1), LHA (level 0 to 3 headers), ARJ, ACE, ZOO, ALZ, StuffIt, xar, ZPAQ, par2
/// - compressed files: gzip (RFC 1952), bzip2, xz (1.1.0, 2.1.1), lzip (RFC draft), Zstandard (RFC 8878), LZ4 (frame
///   format 1.6.1), Snappy (framing format), compress, lzop, LZMA (lzma-file-format.txt), zlib (RFC 1950)
/// - compound files ([MS-CFB] 2.2)
enum ArchiveSignatures {
    static let all: [Signature] = zips + packed + archives

    private static let zips: [Signature] = [
        Signature("ZIP", "application/zip", [0x50, 0x4B, 3, 4]) { isLocalHeader($0.start, at: 0) },
        Signature("ZIP, in volumes", "application/zip", [0x50, 0x4B, 0x30, 0x30]) { isLocalHeader($0.start, at: 4) },
        Signature("ZIP, in volumes", "application/zip", [0x50, 0x4B, 7, 8]) { isLocalHeader($0.start, at: 4) },
        Signature("ZIP, empty", "application/zip", [0x50, 0x4B, 5, 6]) { sample in
            (4..<20).allSatisfy { sample.start.little($0, 1) == 0 }
        },
        Signature("compound file", "application/x-ole-storage", [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]) {
            // The byte order, and the sector size of the version.
            $0.start.little(0x1C, 2) == 0xFFFE && [9, 12].contains($0.start.little(0x1E, 2))
        },
    ]

    private static let packed: [Signature] =
        [
            Signature("gzip", "application/gzip", [0x1F, 0x8B, 8]) { ($0.start.little(3, 1) ?? 0xFF) & 0xE0 == 0 },
            Signature("bzip2", "application/x-bzip2", "BZh", isText: true) { sample in
                guard let level = sample.start.little(3, 1), (0x31...0x39).contains(level) else { return false }
                // The start of a block, or the end of an empty stream.
                return [0x3141_5926_5359, 0x1772_4538_5090].contains(sample.start.big(4, 6))
            },
            Signature("xz", "application/x-xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]) { sample in
                sample.start.little(6, 1) == 0 && (sample.start.little(7, 1) ?? 0xFF) < 16
            },
            Signature("lzip", "application/x-lzip", "LZIP") { sample in
                [0, 1].contains(sample.start.little(4, 1)) && (12...29).contains((sample.start.little(5, 1) ?? 0) & 31)
            },
            Signature("Zstandard", "application/zstd", [0x28, 0xB5, 0x2F, 0xFD]) {
                ($0.start.little(4, 1) ?? 0xFF) & 8 == 0
            },
            Signature("LZ4 frame", "application/x-lz4", [0x04, 0x22, 0x4D, 0x18]) {
                ($0.start.little(4, 1) ?? 0) >> 6 == 1 && ($0.start.little(5, 1) ?? 0xFF) & 0x8F == 0
            },
            Signature("LZ4, old frame", "application/x-lz4", [0x02, 0x21, 0x4C, 0x18]),
            Signature(
                "Snappy frames", "application/x-snappy-framed", [0xFF, 6, 0, 0, 0x73, 0x4E, 0x61, 0x50, 0x70, 0x59]),
            Signature("compress", "application/x-compress", [0x1F, 0x9D]) { sample in
                guard let flags = sample.start.little(2, 1) else { return false }
                // The first code has nine bits and stands for one byte, so it is below 256.
                return flags & 0x60 == 0 && (9...16).contains(flags & 31) && (sample.start.little(4, 1) ?? 1) & 1 == 0
            },
            Signature("lzop", "application/x-lzop", [0x89, 0x4C, 0x5A, 0x4F, 0, 0x0D, 0x0A, 0x1A, 0x0A]),
            Signature("lrzip", "application/x-lrzip", "LRZI") { $0.start.little(4, 1) == 0 },
            Signature("LZMA", "application/x-lzma", [0x5D]) { isLZMA($0.start) },
        ] + (0..<8).map { window in Signature("zlib", "application/zlib", [0x08 | window << 4]) { isDeflated($0) } }

    private static let archives: [Signature] = [
        Signature("RAR 1.5", "application/x-rar-compressed", [0x52, 0x61, 0x72, 0x21, 0x1A, 7, 0]),
        Signature("RAR 5", "application/x-rar-compressed", [0x52, 0x61, 0x72, 0x21, 0x1A, 7, 1, 0]),
        Signature("RAR 1.4", "application/x-rar-compressed", "RE~^") { ($0.start.little(4, 2) ?? 0) >= 7 },
        Signature("7z", "application/x-7z-compressed", [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]) {
            $0.start.little(6, 1) == 0
        },
        Signature("cabinet", "application/vnd.ms-cab-compressed", "MSCF") { sample in
            sample.start.little(4, 4) == 0 && sample.start.little(12, 4) == 0 && sample.start.little(25, 1) == 1
        },
        Signature("InstallShield cabinet", "application/x-installshield", "ISc(") { sample in
            (sample.start.little(4, 4) ?? 0) >> 24 & 0xF0 == 0 && sample.start.count >= 20
        },
        Signature("LHA", "application/x-lha", at: 2, "-l") { isLHA($0.start) },
        Signature("ARJ", "application/x-arj", [0x60, 0xEA]) { sample in
            // The basic header contains the size of its fixed part, and the type of the main header.
            guard let size = sample.start.little(2, 2), let first = sample.start.little(4, 1) else { return false }
            return (30...2_600).contains(size) && (26...size).contains(first) && sample.start.little(10, 1) == 2
        },
        Signature("ACE", "application/x-ace", at: 7, "**ACE**") { $0.start.little(4, 1) == 0 },
        Signature("ZOO", "application/x-zoo", at: 20, [0xDC, 0xA7, 0xC4, 0xFD]) { $0.start.has("ZOO ", at: 0) },
        Signature("ARC", "application/x-arc", [0x1A]) { isARC($0) },
        Signature("Flatpak bundle", "application/vnd.flatpak", "xdg-app\u{0}"),
        Signature("Flatpak bundle", "application/vnd.flatpak", "flatpak\u{0}"),
        Signature("qpress", "application/x-qpress", "qpress10"),
        Signature("compressed disk", "application/x-compressed-iso", "CISO") { $0.start.little(4, 4).isIn(0...64) },
        Signature("ALZ", "application/x-alz", "ALZ\u{1}"),
        Signature("StuffIt", "application/x-stuffit", "SIT!") { $0.start.has("rLau", at: 10) },
        Signature("StuffIt 5", "application/x-stuffit", "StuffIt (c)1997-"),
        Signature("StuffIt X", "application/x-stuffitx", "StuffIt!"),
        Signature("xar", "application/x-xar", "xar!") { sample in
            (28...64).contains(sample.start.big(4, 2) ?? 0) && (sample.start.big(6, 2) ?? 0) == 1
        },
        Signature(
            "ZPAQ", "application/x-zpaq", [0x37, 0x6B, 0x53, 0x74, 0xA0, 0x31, 0x83, 0xD3, 0x8C, 0xB2, 0x28, 0xB0]),
        Signature("PAR2", "application/x-par2", [0x50, 0x41, 0x52, 0x32, 0, 0x50, 0x4B, 0x54]),
    ]

    /// The size that the content must unpack to if its checksum is out of reach. A block of random bytes usually ends
    /// earlier, at a distance beyond its start.
    private static let inflatedSize = 4 << 10

    /// RFC 1950, 2.2: the check bits of the header, no dictionary, and data that unpacks.
    private static func isDeflated(_ sample: Sample) -> Bool {
        guard let header = sample.start.big(0, 2), header % 31 == 0, header & 0x20 == 0 else { return false }
        let unpacked = Inflater.raw(sample.start.dropFirst(2), limit: inflatedSize)
        guard unpacked.count < inflatedSize else { return true }
        // Short content ends with its checksum.
        return Int64(sample.start.count) == sample.content.size && sample.start.count >= 8
            && sample.start.big(sample.start.count - 4, 4) == adler(unpacked)
    }

    /// RFC 1950, 9: the checksum at the end.
    private static func adler(_ bytes: [UInt8]) -> Int {
        var (low, high) = (1, 0)
        for byte in bytes {
            low = (low + Int(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }

    /// A known version of the format and a known compression method.
    private static func isLocalHeader(_ start: [UInt8], at place: Int) -> Bool {
        guard start.has("PK\u{3}\u{4}", at: place), let version = start.little(place + 4, 1),
            let method = start.little(place + 8, 2)
        else { return false }
        return version < 100 && (method <= 20 || (92...99).contains(method))
    }

    /// SEA's ARC: a method, a name of 12 characters that ends with zero, and a size within the file.
    private static func isARC(_ sample: Sample) -> Bool {
        guard sample.start.big(1, 1).isIn(1...9), let end = sample.start.dropFirst(2).prefix(13).firstIndex(of: 0),
            end > 2,
            sample.start.isPrintable(2, end - 2), let size = sample.start.little(15, 4)
        else { return false }
        return Int64(size) <= sample.content.size
    }

    /// A method of the format, and a valid level.
    private static func isLHA(_ start: [UInt8]) -> Bool {
        guard start.count >= 21, start[6] == UInt8(ascii: "-"), start[20] <= 3 else { return false }
        return switch start[4] {
        case UInt8(ascii: "h"): "0123456789dx".utf8.contains(start[5])
        case UInt8(ascii: "z"): "s045678".utf8.contains(start[5])
        default: false
        }
    }

    /// The usual properties. The dictionary size is a power of two, or one and a half times that. The size is unknown,
    /// or below 256 GiB.
    private static func isLZMA(_ start: [UInt8]) -> Bool {
        // The first byte of the compressed data is always zero (LZMA specification, range decoder).
        guard start.count > 18, start[13] == 0, let dictionary = start.little(1, 4), dictionary >= 1 << 12 else {
            return false
        }
        let isPlain = dictionary.nonzeroBitCount == 1 || dictionary == 0xFFFF_FFFF
        let isHalfMore = dictionary.nonzeroBitCount == 2 && dictionary & (dictionary >> 1) != 0
        let isUnknown = start[5..<13].allSatisfy { $0 == 0xFF }
        return (isPlain || isHalfMore) && (isUnknown || (start.little(9, 4) ?? .max) < 64)
    }
}
