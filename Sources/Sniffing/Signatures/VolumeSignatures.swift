internal import ShareModel

/// Packages, backups and disk images:
/// - archives: tar (POSIX.1-1988 and later, GNU and version 7, by the checksum), cpio (the formats of its manual), ar
///   and Debian packages (deb(5)), WARC (ISO 28500)
/// - packages: RPM (Maximum RPM, appendix A), Chrome's extensions (CRX 2 and 3)
/// - disk images: ISO 9660 (ECMA-119, section 8), FAT, exFAT and NTFS (the boot sector), UDIF (the `koly` trailer), squashfs, WIM, disks of virtual machines
/// - AppleSingle and AppleDouble (RFC 1740, appendices A and B)
enum VolumeSignatures {
    static let all: [Signature] = packages + tars + disks

    private static let packages: [Signature] = [
        Signature("QED", "application/x-qed-disk", "QED\u{0}") { $0.start.little(4, 4).isIn(4096...(1 << 26)) },
        Signature("floppy disk, HFE", "application/x-hfe-floppy-image", "HXCPICFE"),
        Signature("Debian package", "application/vnd.debian.binary-package", "!<arch>\ndebian-binary", isText: true),
        Signature("ar", "application/x-archive", "!<arch>\n", isText: true) { sample in
            sample.start.count < 68 || sample.start.has("`\n", at: 66)
        },
        Signature("ar, thin", "application/x-archive", "!<thin>\n", isText: true),
        Signature("RPM", "application/x-rpm", [0xED, 0xAB, 0xEE, 0xDB]) { sample in
            (3...4).contains(sample.start.little(4, 1) ?? 0) && (sample.start.big(6, 2) ?? 2) <= 1
        },
        Signature("cpio", "application/x-cpio", "070707", isText: true) {
            isOctal($0.start[6..<min(76, $0.start.count)])
        },
        Signature("cpio", "application/x-cpio", "070701", isText: true) {
            isHex($0.start[6..<min(110, $0.start.count)])
        },
        Signature("cpio", "application/x-cpio", "070702", isText: true) {
            isHex($0.start[6..<min(110, $0.start.count)])
        },
        Signature("cpio", "application/x-cpio", [0xC7, 0x71]) { isOldArchive($0.start) { $0.little($1, 2) } },
        Signature("cpio", "application/x-cpio", [0x71, 0xC7]) { isOldArchive($0.start) { $0.big($1, 2) } },
        Signature("WARC", "application/warc", "WARC/", isText: true) { sample in
            sample.start.has("1.", at: 5) || sample.start.has("0.", at: 5)
        },
        Signature("Chrome extension", "application/x-chrome-extension", "Cr24") { sample in
            (2...3).contains(sample.start.little(4, 4) ?? 0)
        },
        Signature("AppleSingle", "application/applefile", [0, 5, 0x16, 0]) { isAppleFile($0.start) },
        Signature("AppleDouble", "application/applefile", [0, 5, 0x16, 7]) { isAppleFile($0.start) },
    ]

    private static let tars: [Signature] = [
        Signature("tar, POSIX", "application/x-tar", at: 257, "ustar") { isTar($0.start) },
        // Version 7 has no signature; the end of a name is at this place.
        Signature("tar, version 7", "application/x-tar", at: 155, "") { sample in
            sample.start.count >= 512 && sample.start[0] > 0x20 && isOctalField(sample.start, 100, 8)
                && isOctalField(sample.start, 124, 12) && isTar(sample.start)
        },
    ]

    private static let disks: [Signature] = [
        // The area before the descriptors is empty, or contains boot code.
        Signature("ISO 9660", "application/x-iso9660-image", [0, 0, 0, 0, 0, 0, 0, 0]) {
            try isEmpty($0.start) && isDisc($0)
        },
        Signature("ISO 9660", "application/x-iso9660-image", at: 510, [0x55, 0xAA]) { try isDisc($0) },
        Signature("disk, NTFS", "application/x-raw-disk-image", at: 3, "NTFS    ") { $0.start.big(510, 2) == 0x55AA },
        Signature("disk, exFAT", "application/x-raw-disk-image", at: 3, "EXFAT   ") { $0.start.big(510, 2) == 0x55AA },
        Signature("disk, FAT", "application/x-raw-disk-image", at: 54, "FAT12   ") { $0.start.big(510, 2) == 0x55AA },
        Signature("disk, FAT", "application/x-raw-disk-image", at: 54, "FAT16   ") { $0.start.big(510, 2) == 0x55AA },
        Signature("disk, FAT", "application/x-raw-disk-image", at: 82, "FAT32   ") { $0.start.big(510, 2) == 0x55AA },
        // A disc that Macintosh computers can read too may begin with their driver descriptor.
        Signature("ISO 9660", "application/x-iso9660-image", "ER") { try isDisc($0) },
        // The first block has zlib data (RFC 1950, 2.2: the first two bytes are a multiple of 31), bzip2, LZFSE or
        // zeros.
        Signature("UDIF", "application/x-apple-diskimage", [0x78]) {
            try ($0.start.big(0, 2) ?? 1) % 31 == 0 && hasTrailer($0)
        },
        Signature("UDIF", "application/x-apple-diskimage", "BZh") { try hasTrailer($0) },
        Signature("UDIF", "application/x-apple-diskimage", "bvx") { try hasTrailer($0) },
        Signature("UDIF", "application/x-apple-diskimage", [0, 0, 0, 0, 0, 0, 0, 0]) {
            try isEmpty($0.start) && hasTrailer($0)
        },
        Signature("UDIF, encrypted", "application/x-apple-diskimage", "encrcdsa"),
        Signature("squashfs", "application/vnd.squashfs", "hsqs") { ($0.start.little(28, 2) ?? 0) == 4 },
        Signature("squashfs", "application/vnd.squashfs", "sqsh") { $0.start.big(28, 2).isIn(1...4) },
        Signature("WIM", "application/x-ms-wim", [0x4D, 0x53, 0x57, 0x49, 0x4D, 0, 0, 0]),
        Signature("QCOW", "application/x-qemu-disk", [0x51, 0x46, 0x49, 0xFB]) { ($0.start.big(4, 4) ?? 0) <= 3 },
        Signature("VMDK", "application/x-vmdk-disk", "KDMV") { (1...3).contains($0.start.little(4, 4) ?? 0) },
        Signature("VDI", "application/x-vdi-disk", at: 64, [0x7F, 0x10, 0xDA, 0xBE]) { $0.start.has("<<< ", at: 0) },
        Signature("VHDX", "application/x-vhdx-disk", "vhdxfile"),
    ]

    private static func isOctal(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count >= 20 && bytes.allSatisfy { (0x30...0x37).contains($0) }
    }

    private static func isHex(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count >= 20 && bytes.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x46).contains($0 & 0xDF) }
    }

    /// The format with words of 16 bits: the mode has a file type, and the name ends with zero at its stated length.
    private static func isOldArchive(_ start: [UInt8], _ word: ([UInt8], Int) -> Int?) -> Bool {
        guard let mode = word(start, 6), let length = word(start, 20), (1...1_024).contains(length) else {
            return false
        }
        let kinds = [0o010000, 0o020000, 0o040000, 0o060000, 0o100000, 0o120000, 0o140000, 0]
        return kinds.contains(mode & 0o170000) && start.little(26 + length - 1, 1) == 0
    }

    private static func isAppleFile(_ start: [UInt8]) -> Bool {
        guard let version = start.big(4, 4), let count = start.big(24, 2) else { return false }
        return [0x1_0000, 0x2_0000].contains(version) && (1...64).contains(count)
    }

    /// The sum of the header's bytes, with blanks in the field of the sum. Old programs added signed bytes.
    private static func isTar(_ start: [UInt8]) -> Bool {
        guard start.count >= 512, let wanted = octal(start, 148, 8) else { return false }
        // Eight blanks add up to 256.
        var (sum, signedSum) = (256, 256)
        for place in 0..<512 where !(148..<156).contains(place) {
            sum += Int(start[place])
            signedSum += Int(Int8(bitPattern: start[place]))
        }
        return wanted == sum || wanted == signedSum
    }

    private static func isOctalField(_ start: [UInt8], _ offset: Int, _ width: Int) -> Bool {
        octal(start, offset, width) != nil
    }

    /// Octal digits between blanks, up to a blank or zero.
    private static func octal(_ start: [UInt8], _ offset: Int, _ width: Int) -> Int? {
        let field = start[offset..<offset + width].drop { $0 == 0x20 }
        let digits = field.prefix { (0x30...0x37).contains($0) }
        guard !digits.isEmpty, field.dropFirst(digits.count).allSatisfy({ $0 == 0 || $0 == 0x20 }) else { return nil }
        return digits.reduce(0) { $0 << 3 | Int($1 - 0x30) }
    }

    private static func isEmpty(_ start: [UInt8]) -> Bool { start.prefix(512).allSatisfy { $0 == 0 } }

    /// The first volume descriptor is in sector 16. The area before it is for other systems, and is mostly zeros.
    private static func isDisc(_ sample: Sample) throws -> Bool {
        guard sample.content.size > 34_816 else { return false }
        return try sample.content.read(at: 32_768, count: 6).has("CD001", at: 1)
    }

    /// A disk image starts with compressed data, which has no signature. Its last 512 bytes identify it.
    private static func hasTrailer(_ sample: Sample) throws -> Bool {
        guard sample.content.size >= 512 else { return false }
        let trailer = try sample.content.read(at: sample.content.size - 512, count: 12)
        return trailer.has("koly", at: 0) && trailer.big(4, 4) == 4 && trailer.big(8, 4) == 512
    }
}
