internal import ShareModel

/// The words by which a person names a kind of content.
enum KindWords {
    /// The words of a type: those of its class, more exact ones, and the type itself.
    static func of(_ type: MediaType) -> String {
        let name = type.description
        let exact = exact.filter { name.contains($0.part) }.map(\.words)
        return ([words(of: ContentClass(of: type))] + exact + [name]).joined(separator: " ")
    }

    /// The word of a class in a list.
    static func word(of type: MediaType) -> String {
        let name = type.description
        if let exact = exact.first(where: { name.contains($0.part) }) {
            return String(exact.words.prefix { $0 != " " })
        }
        return String(words(of: ContentClass(of: type)).prefix { $0 != " " })
    }

    private static func words(of contentClass: ContentClass) -> String {
        switch contentClass {
        case .pdf: "pdf document"
        case .image: "photo picture image"
        case .link: "link bookmark"
        case .html: "page website"
        case .text: "text note"
        case .mail: "mail email message"
        case .office: "document office"
        case .archive: "archive"
        case .audio: "audio sound recording"
        case .video: "video movie"
        case .font: "font"
        case .binary: "program"
        case .other: "file"
        }
    }

    /// Words for types with a part in their names.
    private static let exact: [(part: String, words: String)] = [
        ("spreadsheet", "spreadsheet table"), ("ms-excel", "spreadsheet table"), ("numbers", "spreadsheet table"),
        ("text/csv", "table spreadsheet"), ("presentation", "presentation slides"),
        ("ms-powerpoint", "presentation slides"), ("keynote", "presentation slides"), ("epub", "book"),
        ("mobipocket", "book"), ("fictionbook", "book"), ("text/calendar", "appointment calendar event"),
        ("text/vcard", "contact address card"), ("svg", "drawing"), ("x-subrip", "subtitles"),
        ("text/vtt", "subtitles"),
        ("text/x-", "code"), ("javascript", "code"), ("markdown", "note"),
    ]
}
