/// The start tags of a short XML document in their order, for lists that are flat: content types, relationships,
/// manifests. Nothing is checked beyond the form of the tags; reading ends at the first that is none.
public struct XMLTags: Sequence, IteratorProtocol {
    /// No more tags are read.
    public static let limit = 4_096
    /// More attributes of one tag are not read.
    private static let attributeLimit = 8

    private var scanner: XMLScanner
    private var count = 0

    /// Reads a document in UTF-8, or UTF-16 with a byte order mark, which may be cut anywhere.
    public init(_ bytes: [UInt8]) { scanner = XMLScanner(TextBytes.utf8(bytes)) }

    /// The next start tag.
    public mutating func next() -> XMLProlog.Element? {
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
