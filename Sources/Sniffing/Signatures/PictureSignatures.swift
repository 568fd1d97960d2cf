internal import ShareModel

/// Raster images of workstations, games and film:
/// - games: DDS (Microsoft's `DDS_HEADER`), KTX 1 and 2
/// - film and science: OpenEXR 2 (version field), Radiance HDR, DPX (SMPTE 268M), Cineon 4.5, FITS 4.0 (4.4.1)
/// - workstations: SGI (0.97), Sun raster (`rasterfile(5)`), XWD (`XWDFile.h`, version 7), netpbm's `pbm(5)` to
///   `pfm(5)`
/// - PCX (ZSoft's technical reference, rev. 5), DCX, QuickDraw pictures (Inside Macintosh, A), Photo CD, JBIG2 (ISO
///   14492, D.4.1), IFF ILBM
enum PictureSignatures {
    static let all: [Signature] = pictures + others

    /// Further pictures, of cameras, microscopes, games and fax machines: FLIR's public format, Lytro, Zeiss (ZISRAW),
    /// MRC 2014 (CCP4), farbfeld(5), Scitex, Softimage, Pixar, Blizzard's BLP, ASTC (file header of the reference
    /// encoder), Microsoft's Document Imaging and Paint 1 and 2, Khoros' VIFF, MacPaint (Inside Macintosh), Xcursor(3).
    private static let others: [Signature] = [
        Signature("FLIR public image", "image/x-flir-fpf", "FPF Public Image Format\u{0}"),
        Signature("Lytro", "image/x-lytro-lfp", [0x89, 0x4C, 0x46, 0x50, 0x0D, 0x0A, 0x1A, 0x0A]),
        Signature("Zeiss CZI", "image/x-zeiss-czi", "ZISRAWFILE\u{0}"),
        Signature("MRC", "image/x-mrc", at: 208, "MAP ") { sample in
            // The byte order, then the number of columns and the mode.
            let isBig = sample.start.big(212, 2) == 0x1111
            guard isBig || [0x4444, 0x4441].contains(sample.start.big(212, 2)) else { return false }
            return sample.start.number(0, 4, isBig: isBig).isIn(1...(1 << 20))
                && sample.start.number(12, 4, isBig: isBig).isIn(0...127)
        },
        Signature("farbfeld", "image/x-farbfeld", "farbfeld") { sample in
            guard let width = sample.start.big(8, 4), let height = sample.start.big(12, 4) else { return false }
            // Four numbers of two bytes for each pixel.
            return Double(width) * Double(height) * 8 + 16 == Double(sample.content.size)
        },
        Signature("Scitex", "image/x-sct", at: 80, "CT") { $0.start.isPrintable(0, 80) && $0.start.isZero(82, 8) },
        Signature("Softimage", "image/x-pic", [0x53, 0x80, 0xF6, 0x34]),
        Signature("Pixar", "image/x-pixar", [0x80, 0xE8, 0, 0]),
        Signature("BLP", "image/x-blp", "BLP1") { $0.start.little(4, 4).isIn(0...1) },
        Signature("BLP", "image/x-blp", "BLP2") { $0.start.little(4, 4).isIn(0...1) },
        Signature("ASTC", "image/astc", [0x13, 0xAB, 0xA1, 0x5C]) {
            $0.start.little(4, 1).isIn(3...12) && $0.start.little(5, 1).isIn(3...12)
        },
        Signature("Document Imaging", "image/vnd.ms-modi", [0x45, 0x50, 0x2A, 0]),
        Signature("VIFF", "image/x-viff", [0xAB, 0x01], confidence: .likely) {
            $0.start.big(2, 1).isIn(0...3) && $0.start.big(3, 1).isIn(0...4)
        },
        Signature("MacPaint", "image/x-macpaint", at: 65, "PNTG"),
        Signature("Paint Shop Pro", "image/x-psp", "Paint Shop Pro Image File\n\u{1A}"),
        Signature("Paint of Windows 1", "image/x-ms-msp", "DanM") { isPaint($0.start) },
        Signature("Paint of Windows 2", "image/x-ms-msp", "LinS") { isPaint($0.start) },
        Signature("KiSS", "image/x-cel", "KiSS") { $0.start.big(4, 1).isIn(0x20...0x21) },
        Signature("XISF", "image/x-xisf", "XISF0100"),
        Signature("MIE", "application/x-mie", [0x7E, 0x10, 0x04]) { $0.start.has("0MIE", at: 4) },
        Signature("MIE", "application/x-mie", [0x7E, 0x18, 0x04]) { $0.start.has("0MIE", at: 4) },
        Signature("pointer of X", "image/x-xcursor", "Xcur") { $0.start.little(4, 4).isIn(16...256) },
    ]

    /// The words of the header of 32 bytes give zero together: the checksum is the last but three (Microsoft Paint file
    /// format).
    private static func isPaint(_ start: [UInt8]) -> Bool {
        guard start.count >= 32 else { return false }
        return stride(from: 0, to: 32, by: 2).reduce(0) { $0 ^ (start.little($1, 2) ?? 0) } == 0
    }

    private static let pictures: [Signature] = [
        Signature("DDS", "image/x-dds", "DDS ") { $0.start.little(4, 4) == 124 && $0.start.little(76, 4) == 32 },
        Signature("KTX", "image/ktx", [0xAB, 0x4B, 0x54, 0x58, 0x20, 0x31, 0x31, 0xBB, 0x0D, 0x0A, 0x1A, 0x0A]),
        Signature("KTX2", "image/ktx2", [0xAB, 0x4B, 0x54, 0x58, 0x20, 0x32, 0x30, 0xBB, 0x0D, 0x0A, 0x1A, 0x0A]),
        Signature("OpenEXR", "image/x-exr", [0x76, 0x2F, 0x31, 0x01]) { sample in
            sample.start.little(4, 1).isIn(1...2) && sample.start.isZero(6, 2)
        },
        Signature("Radiance HDR", "image/vnd.radiance", "#?RADIANCE", isText: true),
        Signature("Radiance HDR", "image/vnd.radiance", "#?RGBE", isText: true),
        Signature("SGI", "image/x-sgi", [0x01, 0xDA]) { sample in
            sample.start.big(2, 1).isIn(0...1) && sample.start.big(3, 1).isIn(1...2)
                && sample.start.big(4, 2).isIn(1...3)
                && sample.start.big(6, 2) ?? 0 > 0
        },
        Signature("Sun raster", "image/x-sun-raster", [0x59, 0xA6, 0x6A, 0x95]) { sample in
            [1, 4, 8, 24, 32].contains(sample.start.big(12, 4)) && sample.start.big(24, 4).isIn(0...2)
        },
        Signature("PCX", "image/vnd.zbrush.pcx", [0x0A]) { isPCX($0.start) },
        Signature("DCX", "image/vnd.zbrush.dcx", [0xB1, 0x68, 0xDE, 0x3A]) { $0.start.little(4, 4).isIn(8...4100) },
        Signature("DPX", "image/dpx", "SDPX") { $0.start.big(4, 4).isIn(1024...(1 << 20)) && $0.start.has("V", at: 8) },
        Signature("DPX", "image/dpx", "XPDS") { sample in
            sample.start.little(4, 4).isIn(1024...(1 << 20)) && sample.start.has("V", at: 8)
        },
        Signature("Cineon", "image/cineon", [0x80, 0x2A, 0x5F, 0xD7]) { $0.start.big(4, 4).isIn(128...(1 << 20)) },
        Signature("Cineon", "image/cineon", [0xD7, 0x5F, 0x2A, 0x80]) { $0.start.little(4, 4).isIn(128...(1 << 20)) },
        Signature("FITS", "image/fits", "SIMPLE  =", isText: true) {
            $0.start.has("T", at: 29) && $0.start.isPrintable(0, 30)
        },
        Signature("QuickDraw picture", "image/x-pict", at: 522, [0x00, 0x11, 0x02, 0xFF, 0x0C, 0x00]) { isPicture($0) },
        Signature("QuickDraw picture", "image/x-pict", at: 10, [0x00, 0x11, 0x02, 0xFF, 0x0C, 0x00]),
        Signature("QuickDraw picture 1", "image/x-pict", at: 522, [0x11, 0x01]) { sample in
            sample.start.isZero(0, 512) && isPicture(sample)
        },
        Signature("XWD", "image/x-xwindowdump", at: 4, [0, 0, 0, 7]) { sample in
            sample.start.big(0, 4).isIn(100...4096) && sample.start.big(8, 4).isIn(0...2)
                && sample.start.big(12, 4).isIn(1...32) && sample.start.big(28, 4).isIn(0...1)
        },
        Signature("Photo CD", "image/x-photo-cd", at: 2048, "PCD_IPI"),
        Signature("JBIG2", "image/x-jbig2", [0x97, 0x4A, 0x42, 0x32, 0x0D, 0x0A, 0x1A, 0x0A]),
        Signature("IFF bitmap", "image/x-ilbm", "FORM") { sample in
            sample.start.has("ILBM", at: 8) || sample.start.has("PBM ", at: 8)
        },
        Signature("PBM", "image/x-portable-bitmap", "P1", isText: true) { Netpbm.isPlain($0.start, numbers: 2) },
        Signature("PGM", "image/x-portable-graymap", "P2", isText: true) { Netpbm.isPlain($0.start, numbers: 3) },
        Signature("PPM", "image/x-portable-pixmap", "P3", isText: true) { Netpbm.isPlain($0.start, numbers: 3) },
        Signature("PBM", "image/x-portable-bitmap", "P4", isText: true) { try Netpbm.isRaw($0, numbers: 2) },
        Signature("PGM", "image/x-portable-graymap", "P5", isText: true) { try Netpbm.isRaw($0, numbers: 3) },
        Signature("PPM", "image/x-portable-pixmap", "P6", isText: true) { try Netpbm.isRaw($0, numbers: 3) },
        Signature("PAM", "image/x-portable-arbitrarymap", "P7\n", isText: true) { sample in
            ["WIDTH ", "HEIGHT ", "DEPTH ", "#", "TUPLTYPE "].contains { sample.start.has($0, at: 3) }
        },
        Signature("PFM", "image/x-portable-floatmap", "PF\n", isText: true) { Netpbm.isFloat($0.start) },
        Signature("PFM", "image/x-portable-floatmap", "Pf\n", isText: true) { Netpbm.isFloat($0.start) },
    ]

    /// The 512 bytes before the picture are free for programs; most programs leave them zero.
    private static func isPicture(_ sample: Sample) -> Bool {
        guard let top = sample.start.big(514, 2), let bottom = sample.start.big(518, 2),
            let left = sample.start.big(516, 2),
            let right = sample.start.big(520, 2)
        else { return false }
        return bottom > top && right > left
    }

    private static func isPCX(_ start: [UInt8]) -> Bool {
        guard [0, 2, 3, 4, 5].contains(start.big(1, 1)), start.big(2, 1).isIn(0...1),
            let depth = start.little(3, 1), [1, 2, 4, 8].contains(depth), start.big(64, 1) == 0,
            start.big(65, 1).isIn(1...4), let left = start.little(4, 2), let right = start.little(8, 2),
            let top = start.little(6, 2), let bottom = start.little(10, 2), let line = start.little(66, 2)
        else { return false }
        // A stored line must hold a row of pixels, with little padding.
        return left <= right && top <= bottom && line * 8 >= (right - left + 1) * depth
            && line * 8 <= (right - left + 1) * depth + 512
    }
}
