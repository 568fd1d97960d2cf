import Foundation
import SinkKit
import SinkTools

/// Reads the text and the properties of office documents and books: OOXML, ODF, EPUB and RTF; with LibreOffice, also
/// those of old office programs.
///
/// A document that cannot be read counts as delivered, because the container keeps the content anyway. In its metadata,
/// `damaged` is true or `problem` has the reason. Without LibreOffice, old documents are declined: the user can install
/// it, and open the deliveries again.
@main struct OfficeImport: Sink {
    static let id = "office-import"
    static let version = "0.1.0"

    mutating func configure(_ configuration: JSONValue) throws {}

    mutating func deliver(_ delivery: Delivery, report: Report) throws -> Settlement {
        let (part, path) = try delivery.contentFile(for: Self.id)
        let file = try DocumentFile(path)
        try report.progress()
        let head = try file.bytes(8)
        let isNew = head.starts(with: PackageFile.signature) || head.starts(with: RTFReader.signature)
        guard !isNew, !head.isEmpty, let format = OldFormat(type: part.type) else {
            return try settle(read(file, head, type: part.type), out: delivery.out)
        }
        guard let document = try readOld(file, format, out: delivery.out, report) else {
            return .declined(why: "LibreOffice is missing, which reads the formats of old office programs; install it")
        }
        return try settle(document, out: delivery.out)
    }

    private func read(_ file: DocumentFile, _ head: [UInt8], type: String) throws -> Document {
        if head.starts(with: RTFReader.signature) {
            var reader = RTFReader()
            return reader.read(try file.bytes(RTFReader.maximumBytes))
        }
        if head.starts(with: CompoundFile.signature) {
            return try CompoundFile(file.bytes(CompoundFile.searched)).isEncryptedPackage
                ? .locked : Document(problem: "no reader of this sink knows this format of an old program")
        }
        let package = PackageFile(file.path, size: file.size)
        guard head.starts(with: PackageFile.signature) else {
            return Document(problem: "it is neither a zip archive nor RTF", isDamaged: true)
        }
        if type.hasPrefix("application/epub") { return EPUB(package).read() }
        if type.contains("opendocument") || type.contains("vnd.sun.xml") { return OpenDocument(package).read() }
        var reader = OOXML(package)
        return reader.read()
    }

    /// Reads a document of an old program; `nil` if LibreOffice is missing, and necessary.
    private func readOld(_ file: DocumentFile, _ format: OldFormat, out: String, _ report: Report) throws -> Document? {
        let compound = try CompoundFile(file.bytes(CompoundFile.searched))
        if compound.isEncryptedPackage { return .locked }
        guard let office = LibreOffice() else { return compound.isEncrypted ? .locked : nil }
        let folder = "\(out)/libreoffice"
        guard mkdir(folder, 0o700) == 0 else {
            throw SinkFailure(.transient, "no folder can be made in out: \(reason(errno))")
        }
        // What cannot be removed is not a product, and the host removes it with its folder.
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // LibreOffice knows the default password of Excel. So a document with a password gets there, too.
        guard let path = try office.save(file.path, format, in: folder) else {
            if compound.isEncrypted { return .locked }
            let isCut = compound.isCompound && !compound.hasDirectory && file.size <= CompoundFile.searched
            return Document(
                problem: isCut ? "it is cut off: its directory is missing" : "LibreOffice cannot read it",
                isDamaged: true)
        }
        try report.progress()
        let saved = try DocumentFile(path)
        var document = try read(saved, saved.bytes(8), type: format == .workbook ? "" : "opendocument")
        document.findings.setUTC()
        if format == .workbook { document.findings["language"] = nil }
        return document
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

extension Findings {
    /// Says that the times are in UTC. LibreOffice writes them without a zone into ODF.
    fileprivate mutating func setUTC() {
        for key in ["date", "modified"] {
            if case .string(let time)? = self[key], time.contains("T"), !time.hasSuffix("Z") {
                self[key] = .string(time + "Z")
            }
        }
    }
}
