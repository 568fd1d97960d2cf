internal import Files
internal import ShareModel

/// A page that opens a web address. It is HTML, because every desktop opens that with a double click, and asks nothing.
///
/// The page depends on the address alone. Its last line is a seal: the digest of the lines before it. So a page that no
/// other program changed is recognized by itself.
package struct LinkPage: Sendable, Equatable {
    /// The address, of `http` or `https`, without white space and without a password, which others could read.
    package let address: String

    /// The longest content that is read for an address, in bytes. Browsers and servers have similar limits.
    static let contentLimit = 8 << 10
    /// More bytes than any page has: an escaped character has at most six for one, and the address is there four times.
    static let sizeLimit = 256 << 10

    /// The page for a content of the type `text/uri-list`; `nil` unless the content is one address of the web.
    init?(uriList: [UInt8]) {
        guard uriList.count <= Self.contentLimit, let text = String(validating: uriList, as: UTF8.self) else {
            return nil
        }
        // RFC 2483, section 5: one address on each line; a line that starts with `#` is a comment.
        let lines = text.split(whereSeparator: \.isNewline).map { String($0).trimmed }
            .filter { !$0.isEmpty && !$0.hasPrefix("#") }
        guard lines.count == 1, Self.isOfTheWeb(lines[0]) else { return nil }
        address = lines[0].withoutPassword
    }

    /// Other schemes run code, are content themselves, or name a file on this computer.
    private static let schemes = ["https://", "http://"]

    private static func isOfTheWeb(_ address: String) -> Bool {
        let host = withoutScheme(address)
        return host.count < address.count
            && host.unicodeScalars.first.map { !"/?#\\".unicodeScalars.contains($0) } ?? false
            && address.unicodeScalars.allSatisfy(isDrawn)
    }

    private static func withoutScheme(_ address: String) -> Substring {
        let start = address.prefix(8).lowercased()
        return address.dropFirst(schemes.first { start.hasPrefix($0) }?.count ?? 0)
    }

    private static func isDrawn(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
            .unassigned:
            false
        default: true
        }
    }

    /// The address as a person says it: without its scheme, and without a slash at its end.
    var name: String {
        let name = Self.withoutScheme(address)
        return String(name.hasSuffix("/") ? name.dropLast() : name)
    }

    /// The bytes of the file.
    var bytes: [UInt8] {
        let address = Self.escaped(address)
        let page = Array(
            """
            <!DOCTYPE html>
            <html><head><meta charset="utf-8"><meta name="referrer" content="no-referrer">
            <meta http-equiv="refresh" content="0; url=\(address)">
            <title>\(address)</title></head>
            <body><a href="\(address)">\(address)</a></body></html>

            """.utf8)
        return page + Self.seal(page[...])
    }

    /// Whether bytes are a page as this program writes it.
    static func isIntact(_ bytes: [UInt8]) -> Bool {
        bytes.count <= sizeLimit && bytes.suffix(sealSize) == seal(bytes.dropLast(sealSize))[...]
    }

    private static let sealSize = seal([]).count

    private static func seal(_ page: ArraySlice<UInt8>) -> [UInt8] {
        Array("<!-- sluice \(page.withUnsafeBytes { Digest(of: $0) }) -->\n".utf8)
    }

    private static func escaped(_ text: String) -> String {
        // By scalars, because a quotation mark and a combining mark after it are one character.
        text.unicodeScalars.reduce(into: "") { $0 += escapes[$1] ?? String($1) }
    }

    private static let escapes: [Unicode.Scalar: String] = [
        "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;",
    ]
}
