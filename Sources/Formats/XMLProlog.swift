/// The beginning of an XML document up to its root element: XML 1.0, section 2.8.
///
/// Declaration, comments, processing instructions and the document type declaration are stepped over, an internal
/// subset too; nothing in them is obeyed.
public struct XMLProlog {
    /// A start tag.
    public struct Element: Sendable, Hashable {
        /// The name as written, with its prefix.
        public var name: String
        /// The attributes as written, references not resolved, at most ``XMLProlog/attributeLimit``.
        public var attributes: [Attribute]

        /// The name without its prefix.
        public var localName: Substring { name.split(separator: ":").last ?? "" }

        /// The namespace that is bound to the element's own prefix, where the tag itself binds it.
        public var namespace: String? {
            let prefix = name.split(separator: ":").dropLast().first
            let binding = prefix.map { "xmlns:\($0)" } ?? "xmlns"
            return attributes.first { $0.name == binding }?.value
        }
    }

    /// One attribute of a start tag.
    public struct Attribute: Sendable, Hashable {
        /// The name as written, with its prefix.
        public var name: String
        /// The value as written.
        public var value: String
    }

    /// More attributes than these are not read.
    public static let attributeLimit = 64

    /// The root element's start tag.
    public var root: Element
    /// The name in the document type declaration: `svg`.
    public var documentType: String?
    /// Where the root's `<` is, in the UTF-8 form of the document.
    public var rootOffset: Int

    /// Reads the beginning of a document (UTF-8, or UTF-16 with a byte order mark), which may be cut anywhere behind
    /// the root's start tag. `nil` for whatever does not begin as XML does.
    public init?(_ bytes: [UInt8]) {
        var scanner = XMLScanner(TextBytes.utf8(bytes))
        var documentType: String?
        while true {
            scanner.skipSpace()
            if scanner.skip("<?") {
                guard scanner.skip(through: "?>") else { return nil }
            } else if scanner.skip("<!--") {
                guard scanner.skip(through: "-->") else { return nil }
            } else if scanner.skip("<!DOCTYPE") || scanner.skip("<!doctype") {
                scanner.skipSpace()
                documentType = scanner.name()
                guard scanner.skipDocumentType(allowsSubset: true) else { return nil }
            } else {
                break
            }
        }
        rootOffset = scanner.offset
        guard scanner.skip("<"), let name = scanner.name() else { return nil }
        guard let attributes = scanner.attributes(limit: Self.attributeLimit) else { return nil }
        root = Element(name: name, attributes: attributes)
        self.documentType = documentType
    }
}
