internal import Formats
internal import ShareModel

/// Recognizes old office documents and related files by the entries at the top of their compound file ([MS-CFB]), and
/// by the class of its root; see ``OLETypes``. Embedded documents are deeper, and do not count. A truncated file has no
/// directory; then the record in the first sector usually decides ([MS-DOC] 2.5.2, [MS-XLS] 2.4.21).
struct OLEInspector: Inspector {
    let starts: Set<MediaType> = ["application/x-ole-storage", "application/cdfv2"]
    let concludes = Set(OLETypes.byStream.map(\.type)).union(OLETypes.byClass.values).union([installer, hangul])

    private static let installer: MediaType = "application/x-msi"
    private static let hangul: MediaType = "application/x-hwp"
    private static let firstSector = 512

    func inspect(_ sample: Sample) throws -> Finding? {
        guard let directory = try OLEDirectory(sample.content) else { return firstRecord(sample.start) }
        let row = OLETypes.byStream.first { $0.names.allSatisfy(directory.has) }
        if let row, row.isDecisive {
            return try row.names == OLETypes.encrypted ? encrypted(directory, sample) : Self.finding(row)
        }
        if let rootClass = directory.rootClass, let type = OLETypes.byClass[rootClass] {
            return Finding(type, Evidence("OLE", "root class \(rootClass)"))
        }
        if let row { return Self.finding(row) }
        // Windows Installer marks the tables of its database with U+4840 at the start of their names.
        if directory.entries.keys.contains(where: { $0.unicodeScalars.first?.value == 0x4840 }) {
            return Finding(Self.installer, Evidence("OLE", "tables of a database at the top"))
        }
        return try hangul(directory, sample)
    }

    private static func finding(_ row: OLETypes.Row) -> Finding {
        let names = row.names.map {
            String($0.filter { $0.isLetter || $0.isNumber || $0 == "_" || $0 == " " || $0 == "." })
        }
        return Finding(row.type, Evidence("OLE", "top entry \(names.joined(separator: ", "))"))
    }

    /// An encrypted document ([MS-OFFCRYPTO] 2.3.1). Its summary may name the program that wrote it.
    private func encrypted(_ directory: OLEDirectory, _ sample: Sample) throws -> Finding {
        let says = "streams EncryptionInfo and EncryptedPackage"
        // The document's own type is encrypted too.
        sample.possible = OLETypes.encryptable
        guard let name = try OLESummary.program(directory, sample.content),
            let row = OLETypes.byProgram.first(where: { name.contains($0.word) })
        else {
            return Finding("application/encrypted", Evidence("OLE", says))
        }
        return Finding(row.type, Evidence("OLE", "\(says); the summary says \(row.word)"))
    }

    /// Hangul documents 5.0 (Hancom's specification, section 3.2.1): the stream `FileHeader` starts with the format's
    /// name.
    private func hangul(_ directory: OLEDirectory, _ sample: Sample) throws -> Finding? {
        let head = try directory.start(of: "FileHeader", in: sample.content, count: 32)
        guard head.has("HWP Document File", at: 0) else { return nil }
        return Finding(Self.hangul, Evidence("OLE", "stream FileHeader begins with HWP Document File"))
    }

    private func firstRecord(_ start: [UInt8]) -> Finding? {
        let found: (type: MediaType, name: String)? =
            switch (start.big(Self.firstSector, 2), start.big(Self.firstSector, 4)) {
            case (0xECA5, _): ("application/msword", "a document")
            case (_, 0x0908_1000): ("application/vnd.ms-excel", "a workbook")
            default: nil
            }
        guard let found else { return nil }
        let says = "no directory; the first sector starts like \(found.name)"
        return Finding(found.type, Evidence("OLE", says, at: Int64(Self.firstSector)), .likely)
    }
}
