internal import ShareModel

/// Fonts:
/// - OpenType 1.9 (table directory; collections), WOFF 1.0 (section 3) and 2.0 (section 4.1), EOT (W3C submission,
///   section 4.1)
/// - PostScript Type 1 in segments (Adobe technical note 5040), printer metrics (`PFMHEADER`), X11 PCF, TeX's
///   device-independent files (`dvitype`, section 15)
enum FontSignatures {
    static let all: [Signature] = [
        Signature("TrueType", "application/x-font-ttf", [0, 1, 0, 0]) { isDirectory($0.start) },
        Signature("TrueType", "application/x-font-ttf", "true") { isDirectory($0.start) },
        Signature("OpenType", "application/x-font-otf", "OTTO") { isDirectory($0.start) },
        Signature("font collection", "font/collection", "ttcf") { sample in
            sample.start.big(4, 2).isIn(1...2) && sample.start.big(8, 4).isIn(1...1024)
        },
        Signature("WOFF", "font/woff", "wOFF") { $0.start.big(12, 2).isIn(1...255) && $0.start.big(14, 2) == 0 },
        Signature("WOFF 2", "font/woff2", "wOF2") { $0.start.big(12, 2).isIn(1...255) && $0.start.big(14, 2) == 0 },
        Signature("EOT", "application/vnd.ms-fontobject", at: 34, "LP") { sample in
            [0x1_0000, 0x2_0001, 0x2_0002].contains(sample.start.little(8, 4)) && sample.start.little(0, 4) ?? 0 > 36
        },
        Signature("Type 1", "application/x-font-type1", [0x80, 0x01]) { sample in
            sample.start.has("%!PS-AdobeFont", at: 6) || sample.start.has("%!FontType1", at: 6)
        },
        Signature("printer metrics", "application/x-font-printer-metric", [0, 1]) { sample in
            Int64(sample.start.little(2, 4) ?? 0) == sample.content.size && sample.start.little(66, 2) == 0x81
        },
        Signature("PCF", "application/x-font-pcf", [0x01, 0x66, 0x63, 0x70]) { $0.start.little(4, 4).isIn(1...32) },
        Signature(
            "DVI", "application/x-dvi", [0xF7, 0x02, 0x01, 0x83, 0x92, 0xC0, 0x00, 0x1C, 0x3B, 0x00, 0x00]),
    ]

    private static let tableLimit = 255
    /// Every font has one of these tables.
    private static let needed: [StaticString] = ["head", "cmap", "glyf", "name", "maxp", "OS/2", "CFF ", "bhed"]

    /// A directory with named tables. Every font has one of the known tables, and all tables lie after the directory.
    private static func isDirectory(_ start: [UInt8]) -> Bool {
        guard let count = start.big(4, 2), (1...tableLimit).contains(count) else { return false }
        var isFont = false
        for entry in 0..<count {
            let place = 12 + 16 * entry
            guard place + 16 <= start.count else { break }
            guard start.isPrintable(place, 4), let offset = start.big(place + 8, 4), offset >= 12 else { return false }
            isFont = isFont || needed.contains { start.has($0, at: place) }
        }
        return isFont
    }
}
