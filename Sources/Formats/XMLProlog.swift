/// The beginning of an XML document up to its root element: XML 1.0, section 2.8.
///
/// The reader skips the declaration, comments, processing instructions and the document type declaration with its
/// internal subset. It does not interpret them.
package struct XMLProlog {
    /// A start tag.
    package struct Element: Sendable, Hashable {
        /// The name as written, with its prefix.
        package var name: String
        /// The attributes as written, without resolving references; at most ``XMLProlog/attributeLimit``.
        package var attributes: [Attribute]

        /// The name without its prefix.
        package var localName: Substring { name.split(separator: ":").last ?? "" }

        /// The namespace of the element; `nil` if its own start tag does not bind the prefix.
        package var namespace: String? {
            let prefix = name.split(separator: ":").dropLast().first
            let binding = prefix.map { "xmlns:\($0)" } ?? "xmlns"
            return attributes.first { $0.name == binding }?.value
        }
    }

    /// One attribute of a start tag.
    package struct Attribute: Sendable, Hashable {
        /// The name as written, with its prefix.
        package var name: String
        /// The value as written.
        package var value: String
    }

    /// A document type declaration, as XML or SGML has it.
    package struct DocumentType: Sendable, Hashable {
        /// Whether it begins with `<!DOCTYPE` in capitals, as XML demands.
        package var isUppercase: Bool
        /// The name of the root element: `svg`.
        package var name: String
        /// `SYSTEM` or `PUBLIC`, as written; `nil` if there is no external identifier.
        package var keyword: String?
        /// The public identifier: `-//W3C//DTD SVG 1.1//EN`.
        package var publicID: String?
        /// The system identifier, which is a URI. XML demands it after each keyword (XML 1.0, section 4.2.2).
        package var systemID: String?
    }

    /// The largest number of attributes that are kept.
    package static let attributeLimit = 64

    /// The root element's start tag.
    package var root: Element
    /// The document type declaration.
    package var documentType: DocumentType?
    /// The offset of the root's `<` in the UTF-8 form of the document.
    package var rootOffset: Int

    /// Reads the beginning of a document in UTF-8, or in UTF-16 with a byte order mark. The document may end anywhere
    /// after the root's start tag. `nil` if it does not start like XML.
    package init?(_ bytes: [UInt8]) {
        var scanner = XMLScanner(TextBytes.utf8(bytes))
        guard scanner.skipMisc() else { return nil }
        let isUppercase = scanner.skip("<!DOCTYPE")
        if isUppercase || scanner.skip("<!doctype") {
            guard let type = scanner.documentType(isUppercase: isUppercase), scanner.skipMisc() else { return nil }
            documentType = type
        }
        rootOffset = scanner.offset
        guard scanner.skip("<"), let name = scanner.name() else { return nil }
        guard let attributes = scanner.attributes(limit: Self.attributeLimit) else { return nil }
        root = Element(name: name, attributes: attributes)
    }

    /// Whether the bytes are a document type definition of its own file (XML 1.0, section 2.8, `extSubset`). A markup
    /// declaration, a conditional section or a parameter entity is the first that is neither a comment nor a processing
    /// instruction.
    package static func isExternalSubset(_ bytes: [UInt8]) -> Bool {
        var scanner = XMLScanner(TextBytes.utf8(bytes))
        guard scanner.skipMisc() else { return false }
        if scanner.skip("<![") {
            scanner.skipSpace()
            guard scanner.skip("INCLUDE") || scanner.skip("IGNORE") || scanner.skipReference() else { return false }
            scanner.skipSpace()
            return scanner.skip("[")
        }
        let declarations: [StaticString] = ["<!ELEMENT", "<!ATTLIST", "<!ENTITY", "<!NOTATION"]
        guard declarations.contains(where: { scanner.skip($0) }) else { return scanner.skipReference() }
        return scanner.next.map(XMLScanner.isSpace) ?? false
    }
}
