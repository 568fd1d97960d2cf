/// How a type is read.
enum TextKind: Equatable {
    /// Words for people, with a title in the first lines.
    case prose
    /// Source code, tables and settings, which have no title.
    case code
    /// Lines without a title that may begin as XML does.
    case declarations
    case json
    case subtitles
    case calendar
    case card
    case page
    case xml
    case mail
    case mailbox
    /// A message that Outlook saved.
    case outlook
    /// A saved page in the form of a mail.
    case webArchive

    /// The kind of a MIME type; `prose` if nothing else is known.
    init(type: String) {
        let type = type.lowercased()
        if let known = Self.known[type] {
            self = known
        } else if type.hasSuffix("+xml") || type.hasPrefix("image/") {
            self = .xml
        } else if type.hasSuffix("+json") {
            self = .json
        } else if type.hasPrefix("message/") {
            self = .mail
        } else if type.hasPrefix("multipart/") {
            self = .webArchive
        } else if Self.proseTypes.contains(type) {
            self = .prose
        } else {
            self = .code
        }
    }

    private static let known: [String: TextKind] = [
        "text/html": .page, "application/xhtml+xml": .page,
        "text/xml": .xml, "application/xml": .xml,
        "application/xml-dtd": .declarations, "text/sgml": .declarations,
        "application/json": .json, "application/x-ndjson": .json, "text/json": .json,
        "text/calendar": .calendar, "text/x-vcalendar": .calendar, "application/ics": .calendar,
        "text/vcard": .card, "text/x-vcard": .card, "text/directory": .card,
        "text/vtt": .subtitles, "application/x-subrip": .subtitles, "text/x-subrip": .subtitles,
        "text/x-ssa": .subtitles, "text/x-microdvd": .subtitles, "text/x-subviewer": .subtitles,
        "text/x-mpsub": .subtitles, "application/x-sami": .page,
        "application/vnd.ms-outlook": .outlook, "application/x-msg": .outlook,
        "text/x-mail": .mail, "application/mbox": .mailbox, "application/x-mbox": .mailbox,
        "application/x-mimearchive": .webArchive, "text/x-mht": .webArchive,
    ]

    private static let proseTypes: Set<String> = [
        "text/plain", "text/markdown", "text/x-markdown", "text/x-rst", "text/x-org", "text/org", "text/x-readme",
        "text/x-authors", "text/x-changelog", "text/x-copying", "text/x-install", "text/x-news", "text/x-credits",
        "text/enriched", "text/richtext", "text/x-tex", "text/x-texinfo", "text/troff", "text/asciidoc",
        "text/x-todo-txt", "text/x-setext", "text/x-fountain",
    ]
}
