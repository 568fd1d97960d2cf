public import ShareModel

/// What a sender declared: one of Apple's uniform type identifiers (`public.jpeg`) or a MIME type (`image/jpeg`).
///
/// Letter case and white space do not matter; parameters of a MIME type are dropped. It is a claim, believed by nobody.
public struct DeclaredType: Sendable, Hashable {
    /// What a declaration says.
    public enum Kind: Sendable, Hashable {
        /// Content of one type: ``DeclaredType/mediaType``.
        case concrete
        /// Content of one class, any type of it (`public.image`, `image/*`).
        case abstract(ContentClass)
        /// A `file:` URL, not the content itself.
        case fileURL
        /// A URL, normally a web address.
        case url
        /// Anything at all (`public.data`, `application/octet-stream`).
        case generic
        /// An identifier that no table here knows, or nonsense.
        case unknown
    }

    /// The declaration without white space around it, in lower case.
    public let text: String
    /// What it says.
    public let kind: Kind
    /// The one type that it names; `nil` unless it is ``Kind/concrete``.
    public let mediaType: MediaType?

    /// MIME types that say no more than "bytes": senders and servers give them when they do not know.
    private static let genericTypes: Set<String> = [
        "application/octet-stream", "binary/octet-stream", "application/binary", "application/x-binary",
        "application/x-download", "application/force-download", "application/unknown", "application/x-unknown",
        "application/download", "*/*", "application/*", "unknown/unknown", "content/unknown",
    ]

    /// Longer declarations are nonsense, in bytes.
    private static let lengthLimit = 255

    /// Reads a declaration.
    public init(_ text: String) {
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
        // `text/*` and the like; of a family without a class nothing is known.
        let contentClass = ContentClass(of: type)
        return contentClass == .other ? (.unknown, nil) : (.abstract(contentClass), nil)
    }

    private static func read(identifier text: String) -> (kind: Kind, type: MediaType?) {
        if let kind = UniformTypes.abstract[text] { return (kind, nil) }
        guard let type = UniformTypes.concrete[text].flatMap({ MediaType($0) }) else { return (.unknown, nil) }
        return (.concrete, type)
    }
}
