internal import Formats
internal import ShareModel

/// Messages by their header (RFC 5322, section 3.6); news by the fields that RFC 5536, section 3.1 requires; saved
/// pages in the form of a mail (RFC 2557) by what browsers put into them; mailboxes by their separators (RFC 4155,
/// appendix A); messages as Apple's Mail keeps them, behind a line with their size.
struct MailInspector: Inspector {
    let starts: Set<MediaType> = [.plainText]
    let concludes: Set<MediaType> = [
        "message/rfc822", "message/news", "message/x-emlx", "application/x-mimearchive", "application/mbox",
        "text/x-patch",
    ]

    /// Separators are looked for up to this many.
    private static let messageLimit = 16

    func inspect(_ sample: Sample) throws -> Finding? {
        guard let text = try sample.text() else { return nil }
        let bytes = text.bytes
        guard text.firstWord < bytes.count else { return nil }
        let start = text.firstWord
        if bytes.has("From ", at: start) || bytes.has(">From ", at: start) { return Self.mailbox(text, from: start) }
        if bytes[start].isDigit { return Self.numbered(text, from: start) }
        guard bytes[start].isLetter, let header = MailHeader(bytes, from: start), header.isMessage else { return nil }
        return Self.message(header)
    }

    private static func message(_ header: MailHeader) -> Finding {
        let evidence = Evidence("mail", "a header of \(header.count) fields", at: Int64(header.offset))
        if header.known.isSuperset(of: [.newsgroups, .path]) { return Finding("message/news", evidence) }
        if header.known.contains(.snapshot) { return Finding("application/x-mimearchive", evidence) }
        return Finding("message/rfc822", evidence, header.weight >= 5 ? .certain : .likely)
    }

    /// Messages behind `From `, the sender and the time; programs leave out the one or the other, or write a dash. Then
    /// a header has to follow.
    private static func mailbox(_ text: TextHead, from start: Int) -> Finding? {
        var lines = TextLines(text.bytes, from: start)
        guard let separator = lines.next() else { return nil }
        // What `git format-patch` writes: a commit, and always this date.
        if separator.dropFirst(45).begins(with: " Mon Sep 17 00:00:00 2001") {
            return Finding("text/x-patch", Evidence("text", "a patch in the form of a mail", at: Int64(start)))
        }
        let header = MailHeader(text.bytes, from: lines.offset)
        guard isStamped(separator) || (header?.weight ?? 0) >= 2 else { return nil }
        let count = messages(text.bytes, from: lines.offset)
        let says = "\(count) \(count == 1 ? "separator" : "separators")\(count < messageLimit ? "" : " and more")"
        return Finding("application/mbox", Evidence("mail", says, at: Int64(start)), header == nil ? .likely : .certain)
    }

    /// Whether a separator has the time that RFC 4155 wants: `Fri Feb 22 17:06:23 2008`, perhaps with a zone.
    private static func isStamped(_ line: ArraySlice<UInt8>) -> Bool {
        let words = line.split(separator: 0x20, maxSplits: 8)
        guard words.count >= 7, let clock = words.dropFirst(2).firstIndex(where: { $0.contains(0x3A) }), clock >= 4,
            words.count > clock + 1
        else { return false }
        let days: [StaticString] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
        return words[clock].split(separator: 0x3A).allSatisfy { $0.number != nil } && words[clock - 1].number != nil
            && days.contains { words[clock - 3].isWord($0) }
    }

    /// How many separators there are: `From ` behind a blank line, and a header behind it.
    private static func messages(_ bytes: [UInt8], from start: Int) -> Int {
        var lines = TextLines(bytes, from: start)
        var count = 1
        var isBehindBlank = false
        while count < messageLimit, let line = lines.next() {
            if isBehindBlank, line.begins(with: "From "), MailHeader(bytes, from: lines.offset) != nil { count += 1 }
            isBehindBlank = line.isEmpty
        }
        return count
    }

    /// A line with a size, and a message behind it.
    private static func numbered(_ text: TextHead, from start: Int) -> Finding? {
        var lines = TextLines(text.bytes, from: start)
        guard let size = lines.next()?.trimmed.number, size > 0,
            let header = MailHeader(text.bytes, from: lines.offset), header.isMessage
        else { return nil }
        return Finding("message/x-emlx", Evidence("mail", "a size of \(size) bytes, and a header", at: Int64(start)))
    }
}
