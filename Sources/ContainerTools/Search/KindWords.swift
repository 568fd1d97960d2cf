internal import ShareModel
internal import Synchronization

/// The words by which a person names a kind of content.
enum KindWords {
    /// The words of a type: those of its class, more exact ones, and the type itself.
    static func of(_ type: MediaType) -> String {
        if let words = known.withLock({ $0[type] }) { return words }
        let words = found(type)
        known.withLock { known in
            if known.count >= knownLimit { known = [:] }
            known[type] = words
        }
        return words
    }

    /// The words of the types so far, because the search for them costs more than all else of a small package.
    private static let known = Mutex<[MediaType: String]>([:])
    private static let knownLimit = 1_024

    private static func found(_ type: MediaType) -> String {
        let name = type.description
        let exact = exact.filter { name.contains($0.part) }.map(\.words)
        return ([words(of: ContentClass(of: type))] + exact + [name]).joined(separator: " ")
    }

    /// The ending of a file's name, in small letters, as a person names a kind: `jpg`, `docx`; `nil` if there is none.
    static func ending(_ name: String) -> String? {
        let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count > 1, let last = parts.last, (1...5).contains(last.count) else { return nil }
        let ending = String(Substring(last)).lowercased()
        return ending.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) } ? ending : nil
    }

    /// The word of a class in a list.
    static func word(of type: MediaType) -> String {
        let name = type.description
        if let exact = exact.first(where: { name.contains($0.part) }) {
            return String(exact.words.prefix { $0 != " " })
        }
        return String(words(of: ContentClass(of: type)).prefix { $0 != " " })
    }

    /// Whether a word is one for a kind, or is a type.
    static func isKnown(_ word: String) -> Bool {
        word.contains("/") || word.hasSuffix("*") || vocabulary.contains(word.lowercased())
    }

    /// The endings of the files of cameras with what the sensor saw. A person calls such a file raw, also if it has
    /// been converted.
    private static let rawEndings: Set<String> = [
        "3fr", "arw", "cr2", "cr3", "crw", "dng", "erf", "mrw", "nef", "nrw", "orf", "pef", "raf", "rw2", "rwl", "sr2",
        "srw", "x3f",
    ]

    /// The words for the ending of a file's name.
    static func words(ofEnding ending: String) -> String { rawEndings.contains(ending) ? ending + " raw" : ending }

    private static let vocabulary = Set(
        (ContentClass.allCases.map(words) + exact.map(\.words) + ["raw"]).flatMap {
            $0.split(separator: " ").map(String.init)
        })

    private static func words(of contentClass: ContentClass) -> String {
        switch contentClass {
        case .pdf: "pdf document pdfs documents"
        case .image: "photo picture image photos pictures images"
        case .link: "link bookmark links bookmarks"
        case .html: "page website pages websites"
        case .text: "text note texts notes"
        case .mail: "mail email message mails emails messages"
        case .office: "document office documents"
        case .archive: "archive archives"
        case .audio: "audio sound recording music sounds recordings"
        case .video: "video movie film videos movies films"
        case .font: "font fonts"
        case .binary: "program programs"
        case .other: "file files"
        }
    }

    /// Words for types with a part in their names.
    private static let exact: [(part: String, words: String)] = [
        ("spreadsheet", "spreadsheet table spreadsheets tables excel"),
        ("ms-excel", "spreadsheet table spreadsheets excel"),
        ("numbers", "spreadsheet table spreadsheets"), ("text/csv", "table spreadsheet tables spreadsheets"),
        ("presentation", "presentation slides presentations powerpoint"),
        ("ms-powerpoint", "presentation slides presentations powerpoint"),
        ("keynote", "presentation slides presentations"),
        ("wordprocessingml", "document word documents"), ("msword", "document word documents"),
        ("mimearchive", "page website web pages websites"), ("text/html", "web"), ("xhtml", "web"),
        ("epub", "book ebook books ebooks"),
        ("mobipocket", "book ebook books ebooks"), ("fictionbook", "book ebook books ebooks"),
        ("text/calendar", "appointment calendar event"),
        ("text/vcard", "contact address card"), ("svg", "drawing"), ("x-subrip", "subtitles"),
        ("text/vtt", "subtitles"),
        ("text/x-", "code"), ("javascript", "code"), ("markdown", "note"),
    ]
}
