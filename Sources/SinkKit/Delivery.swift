/// The stored content of one group, for one sink.
public struct Delivery: Sendable, Codable, Equatable {
    /// Identifies this delivery in answers, within one session.
    public var id: String
    /// The idempotency key. The same content for the same sink has the same key in every attempt and session.
    public var key: String
    /// Starts at 1, and grows with each attempt.
    public var attempt: Int
    /// The title that the sender gave the package's item, if any.
    public var title: String?
    /// The text that the sender gave the package's item, if any.
    public var text: String?
    /// At least one part. The host chose the sink by the type of the first part.
    public var parts: [Part]
    /// The absolute path of an empty folder for products, reserved for this delivery until its answer.
    ///
    /// It is the empty string if the manifest says `"content": "none"`.
    public var out: String
    /// The transfer that an earlier attempt has handed over and that has ended; `nil` if there is none.
    public var transfer: EndedTransfer?

    /// A transfer that the service has answered.
    public struct EndedTransfer: Sendable, Codable, Equatable {
        /// ``SinkMessage/Transfer/state`` of the sink's message.
        public var state: JSONValue?
        /// The status of the service's answer; `nil` for a download that has failed.
        public var status: Int?
        /// Why a download has failed. Another transfer that fails makes the delivery fail, and the sink does not get it.
        public var failure: HostMessage.RequestFailure?
        /// The headers of the answer by their names in lower case. The values of one name have commas between them.
        public var headers: [String: String]?
        /// The body of the answer, if it is text in UTF-8.
        public var text: String?
        /// Any other body, in base64.
        public var base64: String?
        /// The body, if it was downloaded.
        public var file: File?
        /// The address that has answered, if redirections led to another one.
        public var url: String?

        /// The end of a transfer with the given values.
        public init(
            state: JSONValue? = nil, status: Int?, headers: [String: String]? = nil, text: String? = nil,
            base64: String? = nil, file: File? = nil, url: String? = nil, failure: HostMessage.RequestFailure? = nil
        ) {
            (self.state, self.status, self.headers, self.text, self.base64) = (state, status, headers, text, base64)
            (self.file, self.url, self.failure) = (file, url, failure)
        }

        /// A downloaded file.
        public struct File: Sendable, Codable, Equatable {
            /// The absolute path of a read-only copy; `nil` if the manifest says `"content": "none"`.
            public var path: String?
            /// The MIME type that the host concluded from the bytes.
            public var type: String
            /// The size, in bytes.
            public var size: Int64
            /// The SHA-256 digest, as 64 hexadecimal digits.
            public var sha256: String

            /// A file with the given values.
            public init(path: String?, type: String, size: Int64, sha256: String) {
                (self.path, self.type, self.size, self.sha256) = (path, type, size, sha256)
            }
        }
    }

    /// One stored file of a delivery.
    public struct Part: Sendable, Codable, Equatable {
        /// The role of a part within its delivery.
        public enum Role: String, Sendable, Codable {
            /// The content itself; in a live photo, the still image.
            case content
            /// The movie of a live photo.
            case movie
            /// The text that accompanies a link.
            case caption
            /// A picture of the content, such as a page's icon.
            case preview
            /// A file that describes the content, such as XMP.
            case sidecar
        }

        /// The role of the part within its delivery.
        public var role: Role
        /// The absolute path of a read-only copy; `nil` if the manifest says `"content": "none"`.
        public var path: String?
        /// A name that is safe to display and to use as a file name.
        public var name: String
        /// The MIME type that the host concluded from the bytes.
        public var type: String
        /// The size, in bytes.
        public var size: Int64
        /// The SHA-256 digest, as 64 hexadecimal digits.
        public var sha256: String

        /// A part as the host describes it; nothing is checked.
        public init(role: Role, path: String?, name: String, type: String, size: Int64, sha256: String) {
            self.role = role
            self.path = path
            self.name = name
            self.type = type
            self.size = size
            self.sha256 = sha256
        }
    }

    /// A delivery as the host describes it; nothing is checked.
    public init(
        id: String, key: String, attempt: Int, title: String? = nil, text: String? = nil, parts: [Part], out: String,
        transfer: EndedTransfer? = nil
    ) {
        self.id = id
        self.key = key
        self.attempt = attempt
        self.title = title
        self.text = text
        self.parts = parts
        self.out = out
        self.transfer = transfer
    }
}
