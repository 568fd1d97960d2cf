/// One group's selections, handed to one sink as its parts.
public struct Delivery: Sendable, Codable, Equatable {
    /// Names this delivery in answers.
    public var id: String
    /// The same for the same content and sink, in every attempt and session: the sink's means to recognize a repeat.
    public var key: String
    /// From 1.
    public var attempt: Int
    /// The title of the package's item, where the sender gave one.
    public var title: String?
    /// The text of the package's item, where the sender gave one.
    public var text: String?
    /// What belongs together; the first part leads.
    public var parts: [Part]
    /// The absolute path of an empty folder for products; it is the sink's own until the answer.
    ///
    /// An empty text, as the parts' paths are absent, where the manifest asks for no content.
    public var out: String

    /// One stored content of a delivery.
    public struct Part: Sendable, Codable, Equatable {
        /// What a part is to its delivery.
        public enum Role: String, Sendable, Codable {
            /// The content itself; in a live photo the still.
            case content
            /// The movie of a live photo.
            case movie
            /// What was written beside a link.
            case caption
            /// A picture of the content, such as a page's icon.
            case preview
            /// A file that describes the content, such as XMP.
            case sidecar
        }

        /// What it is to its delivery.
        public var role: Role
        /// The absolute path of a read-only copy; absent where the manifest asks for none (`"content": "none"`).
        public var path: String?
        /// A name that is safe to show and to use as a file name.
        public var name: String
        /// The concluded MIME type.
        public var type: String
        /// In bytes.
        public var size: Int64
        /// 64 hexadecimal digits.
        public var sha256: String

        /// A part as the host describes it.
        public init(role: Role, path: String?, name: String, type: String, size: Int64, sha256: String) {
            self.role = role
            self.path = path
            self.name = name
            self.type = type
            self.size = size
            self.sha256 = sha256
        }
    }

    /// A delivery as the host describes it; the first part leads.
    public init(
        id: String, key: String, attempt: Int, title: String? = nil, text: String? = nil, parts: [Part], out: String
    ) {
        self.id = id
        self.key = key
        self.attempt = attempt
        self.title = title
        self.text = text
        self.parts = parts
        self.out = out
    }
}
