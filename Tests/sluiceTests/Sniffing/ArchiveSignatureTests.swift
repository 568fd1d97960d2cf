import Formats
import ShareModel
import Sniffing
import Testing

@Suite("Signatures of archives")
struct ArchiveSignatureTests {
    static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    /// A header of 512 bytes with a correct checksum.
    static func tar(_ magic: String) -> [UInt8] {
        var header = Array("file.txt".utf8) + zeros(504)
        header.replaceSubrange(100..<108, with: Array("0000644\0".utf8))
        header.replaceSubrange(124..<136, with: Array("00000000005\0".utf8))
        header.replaceSubrange(148..<156, with: Array("        ".utf8))
        header.replaceSubrange(257..<257 + magic.utf8.count, with: Array(magic.utf8))
        let sum = header.reduce(0) { $0 + Int($1) }
        let digits = String(sum, radix: 8)
        let field = String(repeating: "0", count: 6 - digits.count) + digits + "\0 "
        header.replaceSubrange(148..<156, with: Array(field.utf8))
        return header
    }

    static let rows: [(name: String, bytes: [UInt8], type: String)] = [
        ("ustar", tar("ustar\0" + "00"), "application/x-tar"), ("gnu tar", tar("ustar  \0"), "application/x-tar"),
        ("old tar", tar(""), "application/x-tar"),
        ("gzip", [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0], "application/gzip"),
        ("bzip2", Array("BZh91AY&SY".utf8), "application/x-bzip2"),
        ("empty bzip2", [0x42, 0x5A, 0x68, 0x39, 0x17, 0x72, 0x45, 0x38, 0x50, 0x90], "application/x-bzip2"),
        ("xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0, 0, 4], "application/x-xz"),
        ("lzip", Array("LZIP".utf8) + [1, 12], "application/x-lzip"),
        ("zstd", [0x28, 0xB5, 0x2F, 0xFD, 0x04], "application/zstd"),
        ("lz4", [0x04, 0x22, 0x4D, 0x18, 0x64, 0x40], "application/x-lz4"),
        (
            "lzma", [0x5D, 0, 0, 0x80, 0] + [UInt8](repeating: 0xFF, count: 8) + [0, 1, 2, 3, 4, 5],
            "application/x-lzma"
        ),
        ("compress", [0x1F, 0x9D, 0x90, 0x61, 0], "application/x-compress"),
        ("7z", [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C, 0, 4], "application/x-7z-compressed"),
        ("rar", [0x52, 0x61, 0x72, 0x21, 0x1A, 7, 0], "application/x-rar-compressed"),
        ("rar 5", [0x52, 0x61, 0x72, 0x21, 0x1A, 7, 1, 0], "application/x-rar-compressed"),
        ("cabinet", Array("MSCF".utf8) + zeros(20) + [3, 1] + zeros(10), "application/vnd.ms-cab-compressed"),
        ("lha", [28, 0x11] + Array("-lh5-".utf8) + zeros(13) + [1] + zeros(4), "application/x-lha"),
        ("xar", Array("xar!".utf8) + [0, 28, 0, 1] + zeros(20), "application/x-xar"),
        ("ar", Array("!<arch>\n".utf8), "application/x-archive"),
        ("deb", Array("!<arch>\ndebian-binary   ".utf8), "application/vnd.debian.binary-package"),
        ("rpm", [0xED, 0xAB, 0xEE, 0xDB, 3, 0, 0, 0] + zeros(88), "application/x-rpm"),
        ("cpio", Array("070701".utf8) + [UInt8](repeating: 0x30, count: 104), "application/x-cpio"),
        ("warc", Array("WARC/1.0\r\n".utf8), "application/warc"),
        ("crx", Array("Cr24".utf8) + [3, 0, 0, 0], "application/x-chrome-extension"),
        ("apple double", [0, 5, 0x16, 7, 0, 2, 0, 0] + zeros(17) + [2] + zeros(24), "application/applefile"),
        ("iso", zeros(32_769) + Array("CD001".utf8) + zeros(2_048), "application/x-iso9660-image"),
        (
            "dmg", [0x78, 0x01] + zeros(600) + Array("koly".utf8) + [0, 0, 0, 4, 0, 0, 2, 0] + zeros(500),
            "application/x-apple-diskimage"
        ),
        ("squashfs", Array("hsqs".utf8) + zeros(24) + [4, 0] + zeros(66), "application/vnd.squashfs"),
        ("empty zip", [0x50, 0x4B, 5, 6] + zeros(18), "application/zip"),
    ]

    @Test(arguments: rows.indices)
    func knowsArchives(_ index: Int) throws {
        let row = Self.rows[index]
        let found = try MagicSnifferTests.identify(row.bytes)
        #expect(found.type.description == row.type, "\(row.name)")
        #expect(found.evidence.first?.source == "signature", "\(row.name)")
    }

    /// Texts that begin like an archive.
    @Test(arguments: [
        "BZhang wrote this\n", "LZIP is a program\n", "PK\u{3}\u{4} is how it begins, they say\n",
        "070707 is a number\n",
        "x-lh5 is a method\n", "ER diagrams are drawings\n", "MSCF: a motto\n",
    ])
    func textIsNotTakenForAnArchive(_ text: String) throws {
        let found = try MagicSnifferTests.identify(text)
        #expect(found.evidence.first?.source != "signature")
    }

    @Test func checksTheSumOfATar() throws {
        var bytes = Self.tar("ustar\0")
        bytes[0] = UInt8(ascii: "x")
        #expect(try MagicSnifferTests.identify(bytes).evidence.first?.source != "signature")
    }

    @Test func survivesMutationsAndCuts() throws {
        let sniffer = try MagicSniffer()
        var generator = SeededGenerator(seed: 6)
        for row in Self.rows {
            var count = 1
            while count < row.bytes.count {
                _ = try sniffer.identify(ContentBytes(Array(row.bytes.prefix(count))), claims: TypeClaims())
                count *= 2
            }
            for _ in 0..<(row.bytes.count > 2_000 ? 5 : 40) {
                _ = try sniffer.identify(ContentBytes(generator.mutation(of: row.bytes)), claims: TypeClaims())
            }
        }
    }
}
