internal import Formats
internal import ShareModel

/// Recognizes mail:
/// - messages by their header (RFC 5322, section 3.6)
/// - news by the fields that RFC 5536, section 3.1, requires
/// - saved pages in the form of mail (RFC 2557) by the field that browsers add
/// - mailboxes by their separators (RFC 4155, appendix A)
/// - messages of Apple's Mail, after a line with their size
struct MailInspector: Inspector {
    let starts: Set<MediaType> = [.plainText]
    let concludes: Set<MediaType> = [
        "message/rfc822", "message/news", "message/x-emlx", "application/x-mimearchive", "application/mbox",
        "text/x-patch",
    ]

    /// The largest number of separators that are counted.
    private static let messageLimit = 16

    func inspect(_ sample: Sample) throws -> Finding? {
        guard let text = try sample.text() else { return nil }
        let bytes = text.bytes
        guard text.firstWord < bytes.count else { return nil }
        let start = text.firstWord
        if bytes.has("From ", at: start) || bytes.has(">From ", at: start) {
            return Self.mailbox(text, from: start, sample)
        }
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

    /// Recognizes messages after `From `, the sender and the time. Some programs leave out the sender or the time, or
    /// write a dash; then a header must follow.
    ///
    /// Programs also write such a line before a single message, so with one separator a claim decides.
    private static func mailbox(_ text: TextHead, from start: Int, _ sample: Sample) -> Finding? {
        var lines = TextLines(text.bytes, from: start)
        guard let separator = lines.next() else { return nil }
        // `git format-patch` writes a commit and always this date.
        // `From ` and the 40 digits of the commit have 45 bytes.
        if separator.dropFirst(45).begins(with: " Mon Sep 17 00:00:00 2001") {
            return Finding("text/x-patch", Evidence("text", "a patch in the form of a mail", at: Int64(start)))
        }
        let header = MailHeader(text.bytes, from: lines.offset)
        guard isStamped(separator) || (header?.weight ?? 0) >= 2 else { return nil }
        let count = messages(text.bytes, from: lines.offset)
        if count == 1, text.isWhole, header != nil { sample.possible = ["message/rfc822"] }
        let says = "\(count) \(count == 1 ? "separator" : "separators")\(count < messageLimit ? "" : " and more")"
        return Finding("application/mbox", Evidence("mail", says, at: Int64(start)), header == nil ? .likely : .certain)
    }

    /// Whether a separator has the time of RFC 4155: `Fri Feb 22 17:06:23 2008`, perhaps with a zone.
    private static func isStamped(_ line: ArraySlice<UInt8>) -> Bool {
        let words = line.split(separator: 0x20, maxSplits: 8)
        guard words.count >= 7, let clock = words.dropFirst(2).firstIndex(where: { $0.contains(0x3A) }), clock >= 4,
            words.count > clock + 1
        else { return false }
        let days: [StaticString] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
        return words[clock].split(separator: 0x3A).allSatisfy { $0.number != nil } && words[clock - 1].number != nil
            && days.contains { words[clock - 3].isWord($0) }
    }

    /// The number of separators: `From ` after a blank line, with a header after it.
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

    /// Recognizes a message after a line with its size.
    private static func numbered(_ text: TextHead, from start: Int) -> Finding? {
        var lines = TextLines(text.bytes, from: start)
        guard let size = lines.next()?.trimmed.number, size > 0,
            let header = MailHeader(text.bytes, from: lines.offset), header.isMessage
        else { return nil }
        return Finding("message/x-emlx", Evidence("mail", "a size of \(size) bytes, and a header", at: Int64(start)))
    }
}
