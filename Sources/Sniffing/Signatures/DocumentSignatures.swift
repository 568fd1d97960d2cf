internal import ShareModel

/// Documents that are neither zip archives nor OLE files:
/// - pages: PDF (ISO 32000-1, 7.5.2 and 7.5.5), FDF (12.7.7), PostScript for DOS (EPSF 3.0, 5.2), InDesign, QuarkXPress
/// - office: WordPerfect (prefix area), OneNote ([MS-ONESTORE] 2.3.1), Lotus 1-2-3, Excel before OLE ([MS-XLS] 2.4.21:
///   BOF), Write, Word 2, HWP 3
/// - mail and links: Outlook ([MS-PST] 2.2.2.6), TNEF ([MS-OXTNEF] 2.1.3.1), shortcuts ([MS-SHLLINK] 2.1)
/// - books and help: Mobipocket and PalmDOC (Palm databases by type and creator), Reader (`ITOLITLS`), Sony's BBeB,
///   compiled help (`ITSF`), WinHelp
enum DocumentSignatures {
    static let all: [Signature] = [
        Signature("PDF", "application/pdf", "%PDF-", isText: true) { try PDFHeader.isWhole($0) },
        Signature("PDF without its end", "application/pdf", "%PDF-", confidence: .likely, isText: true) {
            PDFHeader.isBeginning($0.start) || PDFHeader.hasObject($0.start)
        },
        Signature("FDF", "application/vnd.fdf", "%FDF-", isText: true) { $0.start.has(".", at: 6) },
        Signature("EPS, DOS", "application/postscript", [0xC5, 0xD0, 0xD3, 0xC6]) {
            $0.start.little(4, 4).isIn(28...(1 << 31))
        },
        Signature("compiled help", "application/vnd.ms-htmlhelp", "ITSF") { sample in
            sample.start.little(4, 4).isIn(1...4) && sample.start.little(8, 4).isIn(0x20...0x200)
        },
        Signature("Reader", "application/x-ms-reader", "ITOLITLS"),
        Signature("WordPerfect", "application/vnd.wordperfect", [0xFF, 0x57, 0x50, 0x43]) { sample in
            // The last number is the kind of file: a document, or one of the program for the Macintosh.
            sample.start.little(4, 4) ?? 0 >= 16 && [0x0A01, 0x2C01].contains(sample.start.little(8, 2))
        },
        Signature("Mobipocket", "application/x-mobipocket-ebook", at: 60, "BOOKMOBI") { $0.start.big(76, 2) ?? 0 > 0 },
        Signature("PalmDOC", "application/x-aportisdoc", at: 60, "TEXtREAd") { $0.start.big(76, 2) ?? 0 > 0 },
        Signature(
            "OneNote section", "application/onenote",
            [0xE4, 0x52, 0x5C, 0x7B, 0x8C, 0xD8, 0xA7, 0x4D, 0xAE, 0xB1, 0x53, 0x78, 0xD0, 0x29, 0x96, 0xD3]),
        Signature(
            "OneNote contents", "application/onenote",
            [0xA1, 0x2F, 0xFF, 0x43, 0xD9, 0xEF, 0x76, 0x4C, 0x9E, 0xE2, 0x10, 0xEA, 0x57, 0x22, 0x76, 0x5F]),
        Signature(
            "Foxmail", "application/x-foxmail",
            [0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x53]),
        Signature("AppleWorks", "application/x-appleworks-document", at: 4, "BOBO") { $0.start.big(0, 1).isIn(1...6) },
        Signature("Outlook folders", "application/vnd.ms-outlook-pst", "!BDN") {
            $0.start.has("SM", at: 8) || $0.start.has("SO", at: 8)
        },
        Signature("TNEF", "application/vnd.ms-tnef", [0x78, 0x9F, 0x3E, 0x22]) { $0.start.big(6, 1).isIn(1...2) },
        Signature(
            "Windows shortcut", "application/x-ms-shortcut",
            [0x4C, 0, 0, 0, 1, 0x14, 2, 0, 0, 0, 0, 0, 0xC0, 0, 0, 0, 0, 0, 0, 0x46]),
        Signature(
            "InDesign", "application/x-adobe-indesign", [0x06, 0x06, 0xED, 0xF5, 0xD8, 0x1D, 0x46, 0xE5, 0xBD, 0x31]),
        Signature("Lotus 1-2-3", "application/vnd.lotus-1-2-3", [0, 0, 0x02, 0, 0x04, 0x04]),
        Signature("Lotus 1-2-3", "application/vnd.lotus-1-2-3", [0, 0, 0x02, 0, 0x06, 0x04]),
        Signature("Quattro Pro", "application/x-quattro-pro", [0, 0, 0x02, 0, 0x20, 0x51]),
        Signature("Quattro Pro", "application/x-quattro-pro", [0, 0, 0x02, 0, 0x01, 0x10]),
        Signature("Quattro Pro", "application/x-quattro-pro", [0, 0, 0x02, 0, 0x02, 0x10]),
        Signature("Lotus 1-2-3", "application/vnd.lotus-1-2-3", [0, 0, 0x1A, 0]) { sample in
            [0x1000, 0x1002, 0x1003, 0x1005].contains(sample.start.little(4, 2))
        },
        Signature("Excel 2", "application/vnd.ms-excel", [0x09, 0x00, 0x04, 0x00]) { isWorkbook($0.start) },
        Signature("Excel 3", "application/vnd.ms-excel", [0x09, 0x02, 0x06, 0x00]) { isWorkbook($0.start) },
        Signature("Excel 4", "application/vnd.ms-excel", [0x09, 0x04, 0x06, 0x00]) { isWorkbook($0.start) },
        Signature("Write", "application/x-mswrite", [0x31, 0xBE, 0, 0, 0, 0xAB]),
        Signature("Write with OLE", "application/x-mswrite", [0x32, 0xBE, 0, 0, 0, 0xAB]),
        Signature("Word 2", "application/msword", [0xDB, 0xA5, 0x2D, 0x00]) { $0.start.hasControl(within: 64) },
        Signature("WordPerfect 4.2", "application/vnd.wordperfect", [0xCB, 0x0A, 0x01]),
        Signature("Pocket Word", "application/x-pocket-word", "{\\pwi"),
        Signature("WinHelp", "application/winhlp", [0x3F, 0x5F, 0x03, 0x00]) {
            $0.start.little(4, 4).isIn(16...(1 << 31))
        },
        Signature("QuarkXPress", "application/vnd.quark.quarkxpress", at: 2, "IIXPR"),
        Signature("QuarkXPress", "application/vnd.quark.quarkxpress", at: 2, "MMXPR"),
        Signature("HWP 3", "application/x-hwp", "HWP Document File V"),
        Signature("BBeB", "application/x-sony-bbeb", [0x4C, 0, 0x52, 0, 0x46, 0, 0, 0]),
    ]

    /// Begin of file: the kind of sheet is a defined one.
    private static func isWorkbook(_ start: [UInt8]) -> Bool {
        [0x0010, 0x0020, 0x0040, 0x0100].contains(start.little(6, 2))
    }
}
