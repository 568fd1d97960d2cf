/// Iterates over the start tags of a short XML document, for flat lists: content types, relationships, manifests.
///
/// It checks only the form of the tags, and stops at the first malformed one.
package struct XMLTags: Sequence, IteratorProtocol {
    /// The largest number of tags.
    package static let limit = 4_096
    /// The largest number of attributes of a tag that are kept.
    private static let attributeLimit = 8

    private var scanner: XMLScanner
    private var count = 0

    /// Reads a document in UTF-8, or in UTF-16 with a byte order mark. The document may end anywhere.
    package init(_ bytes: [UInt8]) { scanner = XMLScanner(TextBytes.utf8(bytes)) }

    /// The next start tag.
    package mutating func next() -> XMLProlog.Element? {
        while count < Self.limit, scanner.skip(through: "<") {
            if scanner.skip("!--") {
                guard scanner.skip(through: "-->") else { return nil }
            } else if scanner.skip("!") || scanner.skip("?") || scanner.skip("/") {
                continue
            } else {
                count += 1
                guard let name = scanner.name(), let attributes = scanner.attributes(limit: Self.attributeLimit) else {
                    return nil
                }
                return XMLProlog.Element(name: name, attributes: attributes)
            }
        }
        return nil
    }
}
