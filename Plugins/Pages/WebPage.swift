package import Markup
package import SinkTools

/// Reads the text of a page of HTML, and what its head says.
package final class WebPage: MarkupHandler {
    /// The bytes that libxml2 gets at a time.
    private static let piece = 1 << 16
    /// The bytes in which a page must state its encoding; browsers look at 1,024.
    private static let statement = 4_096
    /// The most spaces, equals signs and slashes in a tag. Libxml2 compares each attribute with all others.
    private static let maximumMarks = 60_000
    /// The most keywords of a page that are looked at.
    private static let maximumKeywords = 1_000

    private let page = PageText()
    private var note = Note()
    private var keywords: [String] = []
    private var title: [UInt8] = []
    private var heading: [UInt8] = []
    private var inTitle = false
    private var inHeading = false
    private var hasHeading = false
    /// The elements of SVG have titles of their own.
    private var drawings = 0
    private let time: ProcessorTime
    /// The calls of a handler between two looks at the clock.
    private static let callsBetweenLooks = 1024
    private weak var parser: MarkupParser?
    private var calls = 0

    private init(_ time: ProcessorTime) { self.time = time }

    /// - Parameter stated: the encoding that a mail states.
    package static func read(_ bytes: ArraySlice<UInt8>, stated: String?, _ time: ProcessorTime) -> Note {
        let decoded = Encodings.decode(bytes, stated: stated ?? self.stated(in: bytes))
        var result = parse(decoded.text, time)
        result.findings.set("encoding", decoded.notable)
        return result
    }

    private static func parse(_ html: String, _ time: ProcessorTime) -> Note {
        let handler = WebPage(time)
        guard let parser = MarkupParser(handler, html: true, isUTF8: true) else { return handler.note }
        handler.parser = parser
        var html = html.utf8.contains(0) ? html.replacing("\0", with: "") : html
        html.withUTF8 { bytes in
            let all = UnsafeRawBufferPointer(bytes)
            let bytes = UnsafeRawBufferPointer(rebasing: all.prefix(readable(all)))
            handler.note.isCut = bytes.count < all.count
            for start in stride(from: 0, to: bytes.count, by: piece) {
                if time.isOver { handler.note.isCut = true }
                if time.isOver || handler.page.text.isCut { break }
                parser.parse(UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + piece, bytes.count)]))
            }
        }
        if !time.isOver { parser.finish() }
        return handler.finished(parser.problem)
    }

    /// The bytes before a tag with too many attributes.
    private static func readable(_ bytes: UnsafeRawBufferPointer) -> Int {
        var (start, marks) = (-1, 0)
        for index in bytes.indices {
            switch bytes[index] {
            case UInt8(ascii: "<"): (start, marks) = (index, 0)
            case UInt8(ascii: ">"): start = -1
            case 0x09...0x0D, 0x20, UInt8(ascii: "="), UInt8(ascii: "/"):
                marks += 1
                if start >= 0, marks > maximumMarks, isTag(bytes, start) { return start }
            default: break
            }
        }
        return bytes.count
    }

    private static func isTag(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Bool {
        start + 1 < bytes.count && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(bytes[start + 1] | 0x20)
    }

    private func finished(_ problem: String?) -> Note {
        note.text = page.text
        note.findings.set("problem", problem)
        note.complete("title", String(decoding: title, as: UTF8.self).singleSpaced)
        note.complete("title", Headings.shortened(String(decoding: heading, as: UTF8.self).singleSpaced))
        note.findings.set("keywords", list: keywords)
        return note
    }

    package func start(_ name: String, _ attributes: MarkupAttributes) {
        watch()
        page.start(name, attributes)
        switch name {
        case "html": note.complete("language", attributes["lang"] ?? attributes["xml:lang"])
        case "title": inTitle = drawings == 0 && title.isEmpty
        case "h1": inHeading = !hasHeading
        case "svg": drawings += 1
        case "meta": take(attributes)
        default: break
        }
    }

    package func end(_ name: String) {
        page.end(name)
        switch name {
        case "title": inTitle = false
        case "h1":
            inHeading = false
            hasHeading = hasHeading || !heading.isEmpty
        case "svg": drawings = max(0, drawings - 1)
        default: break
        }
    }

    package func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
        watch()
        if !inTitle { page.characters(bytes) }
        if inTitle { title += bytes.prefix(max(0, 8 * Findings.maximumTextLength - title.count)) }
        if inHeading { heading += bytes.prefix(max(0, 8 * Findings.maximumTextLength - heading.count)) }
    }

    private func watch() {
        calls += 1
        guard calls % Self.callsBetweenLooks == 0, time.isOver else { return }
        note.isCut = true
        parser?.stop()
    }

    private func take(_ meta: MarkupAttributes) {
        guard let key = (meta["name"] ?? meta["property"] ?? meta["itemprop"])?.lowercased(),
            let value = meta["content"]
        else { return }
        switch key {
        case "author", "dc.creator", "dcterms.creator", "article:author":
            if !value.hasPrefix("http") { note.complete("author", value) }
        case "description", "og:description", "dc.description": note.complete("description", value)
        case "keywords", "article:tag", "dc.subject":
            if keywords.count < Self.maximumKeywords {
                keywords += value.split { $0 == "," || $0 == ";" }.prefix(Self.maximumKeywords).map(String.init)
            }
        case "article:published_time", "date", "dc.date", "dcterms.date", "dcterms.created", "datepublished",
            "citation_publication_date", "pubdate":
            note.complete("date", Dates.iso(value))
        case "article:modified_time", "dcterms.modified", "datemodified", "last-modified":
            note.complete("modified", Dates.iso(value))
        case "dc.language": note.complete("language", value)
        default: break
        }
    }

    /// The encoding that the page states in its first bytes, in `meta` or in the declaration of XML.
    private static func stated(in bytes: ArraySlice<UInt8>) -> String? {
        guard let name = StatedEncoding.find(in: bytes.prefix(statement)) else { return nil }
        // A page whose statement could be read is not in UTF-16, and browsers then read UTF-8.
        return name.hasPrefix("utf-16") ? "utf-8" : name
    }
}

extension String {
    /// The text with single spaces between its words.
    package var singleSpaced: String {
        split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
