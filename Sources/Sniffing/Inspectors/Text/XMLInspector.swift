internal import Formats
internal import ShareModel

/// Recognizes XML documents (XML 1.0, section 2.8) by their root element and its namespace (Namespaces in XML 1.0), as
/// in ``XMLVocabulary``, or by their document type. Flat ODF has `office:mimetype` (ODF 1.2, part 1, section 3.1.2).
///
/// A text without a declaration and without a known root is XML if the root binds a namespace. It is also XML if it
/// ends with the root's end tag or consists of an empty root, comments aside, and HTML has no such element. A document
/// type without a declaration may be SGML (ISO 8879), and declarations without a document are a DTD.
struct XMLInspector: Inspector {
    let starts: Set<MediaType> = [.plainText, "application/xml"]
    let concludes = Set(XMLVocabulary.byRoot.values.flatMap { $0.map(\.type) })
        .union(flat.values).union(["application/xml", "application/rss+xml", "application/docbook+xml", .html])
        .union([dtd, sgml])

    private static let dtd: MediaType = "application/xml-dtd"
    private static let sgml: MediaType = "text/sgml"
    private static let office = "urn:oasis:names:tc:opendocument:xmlns:office:1.0"
    private static let flat: [String: MediaType] = [
        "application/vnd.oasis.opendocument.text": "application/vnd.oasis.opendocument.text-flat-xml",
        "application/vnd.oasis.opendocument.spreadsheet": "application/vnd.oasis.opendocument.spreadsheet-flat-xml",
        "application/vnd.oasis.opendocument.presentation": "application/vnd.oasis.opendocument.presentation-flat-xml",
        "application/vnd.oasis.opendocument.graphics": "application/vnd.oasis.opendocument.graphics-flat-xml",
    ]

    func inspect(_ sample: Sample) throws -> Finding? {
        guard let text = try sample.text(), text.firstWord < text.bytes.count else { return nil }
        let bytes = text.bytes
        guard bytes[text.firstWord] == UInt8(ascii: "<") else { return nil }
        let isDeclared = bytes.has("<?xml", at: text.firstWord)
        guard let prolog = XMLProlog(bytes) else {
            if XMLProlog.isExternalSubset(bytes) {
                return Finding(Self.dtd, Evidence("XML", "declarations without a document", at: Int64(text.firstWord)))
            }
            let evidence = Evidence("XML", "declaration", at: Int64(text.firstWord))
            return isDeclared ? Finding("application/xml", evidence, .likely) : nil
        }
        // A browser reads `<!DOCTYPE html>` as HTML, whatever element comes first. `HTMLInspector` decides about it.
        if !isDeclared, prolog.documentType?.name.lowercased() == "html" { return nil }
        let root = prolog.root
        let place = Int64(prolog.rootOffset)
        HTMLInspector.allowPHP(sample, bytes)
        if let type = Self.type(of: prolog, isDeclared) {
            return Finding(type, Evidence("XML", "root element \(root.name)", at: place))
        }
        // `HTMLInspector` decides about HTML.
        if isDeclared {
            if root.name.lowercased() == "html" { return nil }
            return Finding("application/xml", Evidence("XML", "declaration", at: Int64(text.firstWord)))
        }
        let opening = HTMLTags.opening(bytes, at: prolog.rootOffset)
        if opening != .page, let kind = prolog.documentType, !Self.isXML(kind) {
            return Finding(
                Self.sgml, Evidence("SGML", "document type \(kind.name)", at: Int64(text.firstWord)), .likely)
        }
        guard opening == .none else { return nil }
        let isBound = root.attributes.contains { $0.name == "xmlns" || $0.name.hasPrefix("xmlns:") }
        guard isBound || (text.isWhole && Self.ends(bytes, with: root, at: prolog.rootOffset)) else { return nil }
        return Finding("application/xml", Evidence("XML", "root element \(root.name)", at: place), .likely)
    }

    private static func type(of prolog: XMLProlog, _ isDeclared: Bool) -> MediaType? {
        let root = prolog.root
        let namespace = root.namespace
        if namespace == office, root.localName == "document" {
            return root.attributes.first { $0.name.hasSuffix(":mimetype") }.flatMap { flat[$0.value] }
        }
        guard let row = XMLVocabulary.byRoot[String(root.localName)]?.first(where: { $0.fits(namespace: namespace) })
        else {
            guard let publicID = prolog.documentType?.publicID else { return nil }
            if root.localName == "html", isDeclared, publicID.contains("//DTD XHTML") { return "application/xhtml+xml" }
            guard publicID.contains("//DTD DocBook") else { return nil }
            return isDeclared || publicID.contains("XML") ? "application/docbook+xml" : sgml
        }
        switch row.type {
        // Without an XML declaration, XHTML is served and read as HTML.
        case "application/xhtml+xml" where !isDeclared: return nil
        // RSS 1.0 is RDF.
        case "application/rdf+xml" where root.attributes.contains { $0.value == "http://purl.org/rss/1.0/" }:
            return "application/rss+xml"
        default: return row.type
        }
    }

    /// Whether XML allows a document type (XML 1.0, sections 2.8 and 4.2.2), and not only SGML (ISO 8879).
    private static func isXML(_ type: XMLProlog.DocumentType) -> Bool {
        type.isUppercase
            && (type.keyword == nil || ["SYSTEM", "PUBLIC"].contains(type.keyword) && type.systemID != nil)
    }

    /// Whether the document ends with the root's end tag, or with an empty root element. Comments and processing
    /// instructions may follow (XML 1.0, section 2.8), and white space may be inside of the end tag (3.1).
    private static func ends(_ bytes: [UInt8], with root: XMLProlog.Element, at place: Int) -> Bool {
        var rest = bytes[...].trimmed
        while let start = startOfAside(rest), start > place { rest = rest[..<start].trimmed }
        guard rest.last == UInt8(ascii: ">") else { return false }
        let tag = "</\(root.name)"
        if rest.dropLast().trimmed.suffix(tag.utf8.count).elementsEqual(tag.utf8) { return true }
        return rest.suffix(2).elementsEqual("/>".utf8) && rest.lastIndex(of: UInt8(ascii: "<")) == place
    }

    /// The offset of the comment or processing instruction at the end; `nil` if there is none.
    private static func startOfAside(_ text: ArraySlice<UInt8>) -> Int? {
        if text.suffix(3).elementsEqual("-->".utf8) { return ByteSearch.last(commentStart, in: text.dropLast(3)) }
        if text.suffix(2).elementsEqual("?>".utf8) { return ByteSearch.last(instructionStart, in: text.dropLast(2)) }
        return nil
    }

    private static let commentStart = Array("<!--".utf8)
    private static let instructionStart = Array("<?".utf8)
}
