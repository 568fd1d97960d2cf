public import ShareModel

/// A package that a search found.
public struct SearchHit: Sendable, Equatable, Encodable {
    /// The package.
    public var entry: PackageEntry
    /// The type of its first part; `nil` if there is no content.
    public var type: MediaType?
    /// The kind of its first part in a word, such as `photo`; `nil` if there is no content.
    public var kind: String?
    /// Its title, as the sender gave it or a sink found it: the subject of a mail, the title of a page; `nil` if there is none.
    public var foundTitle: String?
    /// When it was made, as far as that is known, else when it came in: the local time in ISO 8601 without a zone. It may
    /// be less exact, such as a year; empty if nothing is known.
    public var date: String
    /// The passage with the best hits; `nil` if only names, titles and kinds were found.
    public var snippet: Snippet?

    /// The number of folders above a file by which a word without a filter finds it. Those above them are the same for all
    /// files of a person.
    public static let folderCount = 4

    /// A passage of a text.
    public struct Snippet: Sendable, Equatable, Encodable {
        /// The passage on one line. A part is a hit, or the text before, between and after the hits.
        public var parts: [Part]
        /// The number of the page in its document, from 1 on; `nil` if the document has no pages.
        public var page: Int?
        /// What the text is: `text`, `author`, `people`, `tags` or `folder`.
        public var source: String

        /// A part of a passage.
        public struct Part: Sendable, Equatable, Encodable {
            /// The text.
            public var text: String
            /// Whether it was looked for.
            public var isHit: Bool

            enum CodingKeys: String, CodingKey {
                case text
                case isHit = "hit"
            }
        }
    }

    enum CodingKeys: String, CodingKey {
        case type, kind, date, snippet
        case foundTitle = "found_title"
    }

    /// Writes the entry's keys, and those of the hit beside them.
    public func encode(to encoder: any Encoder) throws {
        try entry.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(type?.description, forKey: .type)
        try container.encodeIfPresent(kind, forKey: .kind)
        try container.encode(date, forKey: .date)
        try container.encodeIfPresent(foundTitle, forKey: .foundTitle)
        try container.encodeIfPresent(snippet, forKey: .snippet)
    }
}
