internal import Formats
internal import ShareModel

/// Recognizes web pages by their first tag, after white space and comments: WHATWG MIME Sniffing, section 7.1.
///
/// That table also has elements that notes, Markdown and templates start with (`<p`, `<a`, `<!--`). Text that starts
/// with those, or with another element, is a page only if it is mostly tags. The inspector skips zeros, which readers
/// of HTML replace (WHATWG HTML, section 13.2.3.5).
struct HTMLInspector: Inspector {
    let starts: Set<MediaType> = [.plainText, .unknown]
    let concludes: Set<MediaType> = [.html]

    private static let phpTags = [Array("<?php".utf8), Array("<?=".utf8)]

    /// The part in which tags are counted, in bytes from the first tag, and the part that may show PHP, from the start.
    private static let window = 4 << 10
    /// The largest number of comments before the first tag.
    private static let commentLimit = 64

    func inspect(_ sample: Sample) throws -> Finding? {
        let text = try sample.text()
        guard let bytes = try text?.bytes ?? Self.untidy(sample) else { return nil }
        let first = Self.firstTag(bytes, from: text?.firstWord ?? 0)
        let place = Int64(first)
        switch HTMLTags.opening(bytes, at: first) {
        case .page:
            Self.allowPHP(sample, bytes)
            return Finding(.html, Evidence("HTML", "the tag that a page begins with", at: place))
        case .element:
            guard text != nil, Self.isFragment(bytes, from: first) else { return nil }
            Self.allowPHP(sample, bytes)
            return Finding(.html, Evidence("HTML", "mostly tags", at: place), .likely)
        case .none:
            guard let text, text.firstWord < bytes.count, Self.holdsPage(bytes) else { return nil }
            return Finding(.html, Evidence("HTML", "a page after other text"), .likely)
        }
    }

    /// Markup with tags of PHP can be the source of a page, or a page about such sources. A claim decides.
    static func allowPHP(_ sample: Sample, _ bytes: [UInt8]) {
        let head = bytes.prefix(window)
        if phpTags.contains(where: { ByteSearch.first($0, in: head) != nil }) {
            sample.possible = ["application/x-php"]
        }
    }

    /// The content if it is not text, but has a tag after white space and zeros.
    private static func untidy(_ sample: Sample) throws -> [UInt8]? {
        func first(_ bytes: [UInt8]) -> UInt8? { bytes.first { $0 > 0x20 || !isFiller($0) } }
        if let byte = first(sample.start) { return byte == UInt8(ascii: "<") ? try sample.head() : nil }
        let head = try sample.head()
        return first(head) == UInt8(ascii: "<") ? head : nil
    }

    private static func isFiller(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0 || (0x09...0x0D).contains(byte) }

    /// The offset of the first tag. Comments and XML processing instructions do not count.
    private static func firstTag(_ bytes: [UInt8], from start: Int) -> Int {
        var offset = start
        for _ in 0..<commentLimit {
            while offset < bytes.count, isFiller(bytes[offset]) { offset += 1 }
            if bytes.has("<!--", at: offset), let end = ByteSearch.first(commentEnd, in: bytes[(offset + 4)...]) {
                offset = end + 3
            } else if bytes.has("-->", at: offset) {
                // This is the end of a comment that hides the page.
                offset += 3
            } else if bytes.has("<?xml", at: offset), let end = bytes[offset...].firstIndex(of: UInt8(ascii: ">")) {
                offset = end + 1
            } else {
                break
            }
        }
        return offset
    }

    private static let commentEnd = Array("-->".utf8)

    /// Whether the text after a general element is mostly tags, and is not Markdown with tags.
    private static func isFragment(_ bytes: [UInt8], from start: Int) -> Bool {
        let stretch = bytes[start..<min(bytes.count, start + window)]
        let tags = HTMLTags(stretch)
        guard tags.starts + tags.ends >= 2, tags.isMostly else { return false }
        return tags.documents > 0 || !isMarkdown(bytes, from: start)
    }

    /// Whether the text has Markdown: headings, fences or links at the beginning of a line, or links and strong words
    /// in a line. CommonMark 0.31, sections 4.2, 4.3, 4.5, 6.2 and 6.3.
    private static func isMarkdown(_ bytes: [UInt8], from start: Int) -> Bool {
        TextLines(bytes, from: start, upTo: start + window).contains { line in
            let rest = line.drop { $0 == UInt8(ascii: "#") }
            let isHeading = (1...6).contains(line.count - rest.count) && rest.first == 0x20
            return isHeading || isUnderline(line) || hasMarks(line) || line.begins(with: "```")
                || line.begins(with: "[![") || line.begins(with: "![")
                || line.begins(with: "- [") || line.begins(with: "* [") || line.begins(with: "{%")
        }
    }

    private static func isUnderline(_ line: ArraySlice<UInt8>) -> Bool {
        guard line.count >= 3, let first = line.first, first == 0x3D || first == 0x2D else { return false }
        return line.allSatisfy { $0 == first }
    }

    /// Whether a line has `[text](https://…)` or ` **strong**`. Both are rare in scripts.
    private static func hasMarks(_ line: ArraySlice<UInt8>) -> Bool {
        for index in line.indices {
            let rest = line[index...]
            switch line[index] {
            case UInt8(ascii: "]"):
                if ["](http", "](#", "](/", "](./"].contains(where: { rest.begins(with: $0) }) { return true }
            case UInt8(ascii: "*"):
                let isOpening = index == line.startIndex || line[index - 1] == 0x20
                if isOpening, rest.begins(with: "**"), rest.dropFirst(2).first?.isLetter == true { return true }
            default: break
            }
        }
        return false
    }

    /// Whether a page follows a few lines of text, such as an error message of a server, and continues to the end.
    private static func holdsPage(_ bytes: [UInt8]) -> Bool {
        guard bytes.last(where: { $0 > 0x20 }) == UInt8(ascii: ">") else { return false }
        guard bytes.prefix(window).contains(UInt8(ascii: "<")) else { return false }
        let tags = HTMLTags(bytes.prefix(window)[...])
        return tags.documents >= 2 && tags.starts + tags.ends >= 8 && tags.tagged * 3 >= tags.filled
    }
}
