package import ShareModel

/// A sender's declaration: one of Apple's uniform type identifiers (`public.jpeg`) or a MIME type (`image/jpeg`).
///
/// It ignores letter case, white space and the parameters of a MIME type. A declaration is only a claim.
package struct DeclaredType: Sendable, Hashable {
    /// The meaning of a declaration.
    package enum Kind: Sendable, Hashable {
        /// Content of one type: ``DeclaredType/mediaType``.
        case concrete
        /// Content of one class, of any type (`public.image`, `image/*`).
        case abstract(ContentClass)
        /// A `file:` URL, not the content itself.
        case fileURL
        /// A URL, normally a web address.
        case url
        /// Any content (`public.data`, `application/octet-stream`).
        case generic
        /// An identifier that is in no table, or a malformed one.
        case unknown
    }

    /// The declaration in lower case, without white space.
    package let text: String
    /// The meaning of the declaration.
    package let kind: Kind
    /// The declared type; `nil` unless ``kind`` is ``Kind/concrete``.
    package let mediaType: MediaType?

    /// MIME types that only mean "bytes". Senders and servers declare them if they do not know the type.
    private static let genericTypes: Set<String> = [
        "application/octet-stream", "binary/octet-stream", "application/binary", "application/x-binary",
        "application/x-download", "application/force-download", "application/unknown", "application/x-unknown",
        "application/download", "application/octetstream", "application/x-octet-stream", "application/x-octetstream",
        "application/data", "application/x-data", "application/file", "application/x-file", "application/save",
        "application/save-as", "application/bin", "application/stream", "*/*", "application/*", "unknown/unknown",
        "content/unknown",
    ]

    /// The longest declaration that is parsed, in bytes.
    private static let lengthLimit = 255

    /// Parses a declaration.
    package init(_ text: String) {
        let text = text.utf8.count <= Self.lengthLimit ? text.filter { !$0.isWhitespace }.lowercased() : ""
        self.text = text
        let known = text.contains("/") ? Self.read(mime: text) : Self.read(identifier: text)
        kind = known.kind
        mediaType = known.type
    }

    private static func read(mime text: String) -> (kind: Kind, type: MediaType?) {
        guard let type = MediaType(text) else { return (.unknown, nil) }
        if genericTypes.contains(type.description) { return (.generic, nil) }
        guard type.subtype == "*" else { return (.concrete, type) }
        // This is `text/*` or the like. A family without a class says nothing.
        let contentClass = ContentClass(of: type)
        return contentClass == .other ? (.unknown, nil) : (.abstract(contentClass), nil)
    }

    private static func read(identifier text: String) -> (kind: Kind, type: MediaType?) {
        if let kind = UniformTypes.abstract[text] { return (kind, nil) }
        guard let type = UniformTypes.concrete[text].flatMap({ MediaType($0) }) else { return (.unknown, nil) }
        return (.concrete, type)
    }
}
