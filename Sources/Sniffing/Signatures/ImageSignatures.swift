internal import ShareModel

/// Images of the web and of paint programs:
/// - PNG (ISO 15948, 5.2 and 11.2.2; third edition, 11.3.3 for `acTL`), MNG and JNG 1.0, GIF (89a, section 17), QOI
///   1.0, BPG 0.9.8, FLIF 16
/// - JPEG (ISO 10918-1, B.1.1), JPEG-LS (ISO 14495-1, C.2), JPEG XL (ISO 18181-2), JPEG 2000 codestreams (ISO 15444-1,
///   A.5.1), JPEG XR (ISO 29199-2, A.4)
/// - BMP ([MS-WMF] 2.2.2, OS/2 before it), icons and cursors (ICONDIR), ICNS, TIFF 6.0 (section 2) and BigTIFF, PSD
///   (Adobe's, 2019), XCF
enum ImageSignatures {
    static let all: [Signature] = [
        // The first signature that agrees counts, so the special forms of PNG and JPEG come before the general ones.
        Signature("animated PNG", "image/apng", png) { try isAnimated($0) },
        Signature("PNG", "image/png", png, damaged: .likely) { sample in
            // Apple's optimized variant has an extra chunk at the beginning.
            sample.start.has("IHDR", at: 12) && sample.start.big(8, 4) == 13 || sample.start.has("CgBI", at: 12)
        },
        Signature("MNG", "video/x-mng", [0x8A, 0x4D, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
        Signature("JNG", "image/x-jng", [0x8B, 0x4A, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
        Signature("GIF", "image/gif", "GIF8") { isGIF($0.start) },
        Signature("JPEG-LS", "image/jls", [0xFF, 0xD8, 0xFF, 0xF7]) { sample in
            guard let length = sample.start.big(4, 2), let count = sample.start.big(11, 1) else { return false }
            return length == 8 + 3 * count
        },
        Signature("JPEG", "image/jpeg", [0xFF, 0xD8, 0xFF]) { isJPEG($0.start) },
        Signature(
            "JPEG XL container", "image/jxl", [0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]),
        Signature("JPEG XL", "image/jxl", [0xFF, 0x0A], confidence: .likely) { isJPEGXL($0.start) },
        Signature("JPEG 2000 codestream", "image/x-jp2-codestream", [0xFF, 0x4F, 0xFF, 0x51]) { sample in
            guard let length = sample.start.big(4, 2), let count = sample.start.big(40, 2) else { return false }
            return count > 0 && length == 38 + 3 * count
        },
        Signature("JPEG XR", "image/jxr", [0x49, 0x49, 0xBC, 0x01]) { isDirectoryAhead($0, isBig: false) },
        Signature("JPEG XR", "image/jxr", [0x49, 0x49, 0xBC, 0x00]) { isDirectoryAhead($0, isBig: false) },
        Signature("BMP", "image/bmp", "BM") { isBitmap($0.start, at: 0) },
        Signature("BMP array", "image/bmp", "BA") { $0.start.has("BM", at: 14) && isBitmap($0.start, at: 14) },
        Signature("icon", "image/vnd.microsoft.icon", [0, 0, 1, 0]) { try isIconDirectory($0) },
        Signature("cursor", "image/x-win-bitmap", [0, 0, 2, 0]) { try isIconDirectory($0) },
        Signature("TIFF, little-endian", "image/tiff", [0x49, 0x49, 0x2A, 0x00], damaged: .likely) {
            try isImageDirectory($0, isBig: false)
        },
        Signature("TIFF, big-endian", "image/tiff", [0x4D, 0x4D, 0x00, 0x2A], damaged: .likely) {
            try isImageDirectory($0, isBig: true)
        },
        Signature("BigTIFF, little-endian", "image/tiff", [0x49, 0x49, 0x2B, 0x00, 8, 0, 0, 0]),
        Signature("BigTIFF, big-endian", "image/tiff", [0x4D, 0x4D, 0x00, 0x2B, 0, 8, 0, 0]),
        Signature("QOI", "image/qoi", "qoif") { sample in
            sample.start.big(12, 1).isIn(3...4) && sample.start.big(13, 1).isIn(0...1) && !sample.start.isZero(4, 4)
                && !sample.start.isZero(8, 4)
        },
        Signature("BPG", "image/x-bpg", [0x42, 0x50, 0x47, 0xFB]) { sample in
            guard let format = sample.start.big(4, 1) else { return false }
            return format >> 5 <= 5 && format & 15 <= 6
        },
        Signature("FLIF", "image/flif", "FLIF") { sample in
            guard let kind = sample.start.big(4, 1), sample.start.big(5, 1).isIn(0x30...0x32) else { return false }
            return (3...6).contains(kind >> 4) && [1, 3, 4].contains(kind & 15)
        },
        Signature("PSD", "image/vnd.adobe.photoshop", "8BPS") { sample in
            sample.start.big(4, 2).isIn(1...2) && sample.start.big(12, 2).isIn(1...56)
                && sample.start.big(24, 2).isIn(0...9)
                && [1, 8, 16, 32].contains(sample.start.big(22, 2))
        },
        Signature("XCF", "image/x-xcf", "gimp xcf ") { sample in
            (sample.start.has("file", at: 9) || sample.start.has("v0", at: 9)) && sample.start.big(13, 1) == 0
        },
        Signature("ICNS", "image/icns", "icns") { sample in
            sample.start.big(4, 4).isIn(16...(1 << 28)) && sample.start.isPrintable(8, 4)
                && sample.start.big(12, 4).isIn(8...(1 << 28))
        },
    ]

    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// The number of chunks that are searched for the one of an animation.
    private static let chunkLimit = 16
    private static let iconLimit = 256
    private static let directoryLimit = 4096

    /// After the screen and its colors, there is a picture, an extension or the end, unless the file is truncated.
    private static func isGIF(_ start: [UInt8]) -> Bool {
        guard start.has("7a", at: 4) || start.has("9a", at: 4) else { return false }
        guard let flags = start.big(10, 1) else { return true }
        // The table of colors has 3 × 2^(n + 1) bytes (GIF89a, section 19).
        let next = start.big(13 + (flags & 0x80 == 0 ? 0 : 6 << (flags & 7)), 1)
        return next.map { [0x2C, 0x21, 0x3B].contains($0) } ?? true
    }

    /// `acTL` precedes `IDAT`.
    private static func isAnimated(_ sample: Sample) throws -> Bool {
        var offset: Int64 = 8
        for _ in 0..<chunkLimit {
            let isNear = offset + 8 <= Int64(sample.start.count)
            let chunk = isNear ? sample.start : try sample.content.read(at: offset, count: 8)
            let place = isNear ? Int(offset) : 0
            guard let length = chunk.big(place, 4), length < 1 << 31 else { return false }
            if chunk.has("acTL", at: place + 4) { return true }
            guard !chunk.has("IDAT", at: place + 4), chunk.isPrintable(place + 4, 4) else { return false }
            offset += 12 + Int64(length)
        }
        return false
    }

    /// A marker with a segment follows the first marker, and another marker follows the segment, if that is near.
    private static func isJPEG(_ start: [UInt8]) -> Bool {
        guard let marker = start.big(3, 1) else { return false }
        // Any number of these bytes may fill the space before a marker (ISO 10918-1, B.1.1.2).
        if marker == 0xFF { return true }
        // The markers 0xD0 to 0xD9 have no segment (ISO 10918-1, table B.1).
        guard marker >= 0xC0, !(0xD0...0xD9).contains(marker), let length = start.big(4, 2), length >= 2 else {
            return false
        }
        return start.big(4 + length, 1).map { $0 == 0xFF } ?? true
    }

    /// The codestream has a signature of only two bytes. The bits after it do not look like text.
    private static func isJPEGXL(_ start: [UInt8]) -> Bool { start.count >= 8 && start.hasControl(within: 64) }

    private static func isBitmap(_ start: [UInt8], at place: Int) -> Bool {
        guard let header = start.little(place + 14, 4) else { return false }
        // A header of OS/2 2.0 has 64 bytes, and a writer may leave out the last ones.
        guard header == 12 || (16...64).contains(header) || header == 108 || header == 124 else { return false }
        // The header of OS/2 has a width and a height of two bytes each; later headers use four.
        let planes = place + (header == 12 ? 22 : 26)
        return start.little(planes, 2) == 1 && [0, 1, 2, 4, 8, 16, 24, 32].contains(start.little(planes + 2, 2))
    }

    /// The first image lies after the directory, and starts like a bitmap or a PNG.
    private static func isIconDirectory(_ sample: Sample) throws -> Bool {
        let start = sample.start
        guard let count = start.little(4, 2), (1...iconLimit).contains(count), start.little(14, 4) ?? 0 > 0,
            let offset = start.little(18, 4), offset >= 6 + 16 * count
        else { return false }
        let image = try sample.content.read(at: Int64(offset), count: 4)
        return image == [0x28, 0, 0, 0] || image == [0x0C, 0, 0, 0] || image == [0x89, 0x50, 0x4E, 0x47]
    }

    private static func isDirectoryAhead(_ sample: Sample, isBig: Bool) -> Bool {
        guard let offset = sample.start.number(4, 4, isBig: isBig) else { return false }
        return offset >= 8 && Int64(offset) < sample.content.size
    }

    /// A first directory with entries. The first entry has a defined type.
    private static func isImageDirectory(_ sample: Sample, isBig: Bool) throws -> Bool {
        guard isDirectoryAhead(sample, isBig: isBig), let offset = sample.start.number(4, 4, isBig: isBig) else {
            return false
        }
        let entry = try sample.content.read(at: Int64(offset), count: 14)
        return entry.number(0, 2, isBig: isBig).isIn(1...directoryLimit)
            && entry.number(4, 2, isBig: isBig).isIn(1...18)
    }
}
