import SinkKit
import SinkTools

/// Reads the text and the properties of office documents and books: OOXML, ODF, EPUB and RTF.
///
/// A document that cannot be read counts as delivered, because the container keeps the content anyway. In its metadata,
/// `damaged` is true or `problem` has the reason.
@main struct OfficeImport: Sink {
    static let id = "office-import"
    static let version = "0.1.0"

    mutating func configure(_ configuration: JSONValue) throws {}

    mutating func deliver(_ delivery: Delivery, report: Report) throws -> Settlement {
        let (part, path) = try delivery.contentFile(for: Self.id)
        let file = try DocumentFile(path)
        try report.progress()
        return try settle(read(file, type: part.type), out: delivery.out)
    }

    private func read(_ file: DocumentFile, type: String) throws -> Document {
        let head = try file.bytes(8)
        if head.starts(with: [0xD0, 0xCF, 0x11, 0xE0]) {
            return try file.isEncryptedPackage()
                ? .locked : Document(problem: "no reader of this sink knows the binary format of old office programs")
        }
        if head.starts(with: Array("{\\rtf".utf8)) {
            var reader = RTFReader()
            return reader.read(try file.bytes(RTFReader.maximumBytes))
        }
        let package = PackageFile(file.path, size: file.size)
        guard head.starts(with: [0x50, 0x4B]) else {
            return Document(problem: "it is neither a zip archive nor RTF", isDamaged: true)
        }
        if type.hasPrefix("application/epub") { return EPUB(package).read() }
        if type.contains("opendocument") || type.contains("vnd.sun.xml") { return OpenDocument(package).read() }
        var reader = OOXML(package)
        return reader.read()
    }

    private func settle(_ document: Document, out: String) throws -> Settlement {
        var findings = document.findings
        if document.isDamaged { findings["damaged"] = true }
        if document.needsPassword { findings["encrypted"] = true }
        findings.set("problem", document.problem)
        let products = try document.text.write(
            in: out, &findings, without: document.problem == nil ? "there is no word in it" : "it cannot be read")
        return .delivered(metadata: findings.json, products: products)
    }
}
