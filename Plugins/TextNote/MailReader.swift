import CGMime
import Pages
import SinkTools

/// Collects the words, people, dates and attachments of messages.
struct MailReader {
    /// The deepest nesting of parts and messages that is read.
    static let maximumDepth = 64
    /// The most parts of one message that are read.
    static let maximumParts = 10_000
    /// The most decoded bytes of all texts.
    static let maximumBytes = 64 << 20

    private let isWebArchive: Bool
    private let time: ProcessorTime
    /// The number of messages up to now.
    private(set) var messages = 0
    /// Whether there is anything of a mail.
    private(set) var hasContent = false
    private var result = Note()
    private var from: [String] = []
    private var to: [String] = []
    private var cc: [String] = []
    private var attachments: [String] = []
    private var isEncrypted = false
    private var isSealed = false
    private var parts = 0
    private var bytesLeft = maximumBytes
    /// What the first page of HTML says about itself.
    private var page: Findings?

    init(isWebArchive: Bool, _ time: ProcessorTime) {
        self.isWebArchive = isWebArchive
        self.time = time
    }

    /// What all messages say.
    var note: Note {
        var note = result
        note.findings.set("from", list: from)
        note.findings.set("to", list: to)
        note.findings.set("cc", list: cc)
        note.findings.set("attachments", list: attachments)
        if messages > 1 { note.findings["messages"] = .integer(Int64(messages)) }
        if isEncrypted { note.findings["encrypted"] = true }
        if isWebArchive, let page {
            for (key, value) in page.values where key != "encoding" { note.findings[key] = value }
        }
        if note.isCut { note.reason = "its texts are beyond the limits of the sink" }
        if isEncrypted { note.reason = "it is encrypted" }
        if isSealed { note.reason = "its text is inside of a signature that this sink cannot open" }
        return note
    }

    /// Adds a message of the file.
    ///
    /// - Parameter isOne: whether the file has no other message; then the findings have what the headers say, and
    ///   otherwise the text.
    mutating func add(_ message: UnsafeMutablePointer<GMimeMessage>, isOne: Bool) {
        messages += 1
        parts = 0
        let headers = MailHeaders(message)
        if result.findings["date"] == nil { result.findings.set("date", headers.date) }
        if isOne { result.findings.set("title", headers.subject) }
        if from.count < Findings.maximumListCount {
            from += isWebArchive ? headers.from.filter { $0.contains("@") } : headers.from
        }
        if to.count < Findings.maximumListCount { to += headers.to }
        if cc.count < Findings.maximumListCount { cc += headers.cc }
        if messages > 1 { result.text.endPage() }
        if !isOne { result.text.append(headers.text) }
        if let body = g_mime_message_get_mime_part(message) { result.text.append(text(of: body, depth: 0)) }
        hasContent = hasContent || headers.areUsual
    }

    private mutating func text(of object: UnsafeMutablePointer<GMimeObject>, depth: Int) -> ProductText {
        parts += 1
        guard depth < Self.maximumDepth, parts <= Self.maximumParts, !result.text.isCut, !time.isOver else {
            result.isCut = true
            return ProductText()
        }
        if let multipart = object.as(GMimeMultipart.self, g_mime_multipart_get_type()) {
            return text(of: multipart, MailType(object), depth)
        }
        if let part = object.as(GMimeMessagePart.self, g_mime_message_part_get_type()) {
            return text(of: part, depth)
        }
        if let part = object.as(GMimePart.self, g_mime_part_get_type()) { return text(of: part, MailType(object)) }
        return ProductText()
    }

    private mutating func text(
        of multipart: UnsafeMutablePointer<GMimeMultipart>, _ type: MailType, _ depth: Int
    ) -> ProductText {
        guard type.name != "multipart/encrypted" else {
            isEncrypted = true
            return ProductText()
        }
        var text = ProductText()
        var isFound = false
        let isAlternative = type.name == "multipart/alternative"
        for index in 0..<max(0, g_mime_multipart_get_count(multipart)) {
            guard let child = g_mime_multipart_get_part(multipart, index) else { continue }
            let found = self.text(of: child, depth: depth + 1)
            guard isAlternative else {
                text.endLine()
                text.append(found)
                continue
            }
            // The plain form of a text has the same words as the others; the others follow in the order of their quality.
            let isPlain = MailType(child).name == "text/plain"
            if found.finished != nil, !isFound {
                text = found
                isFound = isPlain
            }
        }
        return text
    }

    private mutating func text(of part: UnsafeMutablePointer<GMimeMessagePart>, _ depth: Int) -> ProductText {
        guard let message = g_mime_message_part_get_message(part) else { return ProductText() }
        var text = MailHeaders(message).text
        if let body = g_mime_message_get_mime_part(message) {
            text.endLine()
            text.append(self.text(of: body, depth: depth + 1))
        }
        return text
    }

    private mutating func text(of part: UnsafeMutablePointer<GMimePart>, _ type: MailType) -> ProductText {
        if let name = g_mime_part_get_filename(part), attachments.count <= Findings.maximumListCount {
            let name = String(cString: name)
            if !type.isSignature { attachments.append(name) }
        }
        if type.isEncryptedMessage { isEncrypted = true }
        if type.isSignedMessage { isSealed = true }
        guard type.isText, let body = MailBody.bytes(of: part, limit: min(bytesLeft, TextFile.limit)) else {
            return ProductText()
        }
        bytesLeft -= body.bytes.count
        result.isCut = result.isCut || body.isCut
        switch TextKind(type: type.name) {
        case .page:
            let note = WebPage.read(body.bytes[...], stated: type.charset, time)
            result.isCut = result.isCut || note.isCut
            page = page ?? note.findings
            return note.text
        case .xml: return XMLPage.read(body.bytes[...], isCut: body.isCut, time).text
        case let kind:
            let text = Encodings.decode(body.bytes[...], stated: type.charset).text
            if text.contains("-----BEGIN PGP MESSAGE-----") { isEncrypted = true }
            guard !BinaryCheck.isBinary(text) else { return ProductText() }
            if kind == .calendar || kind == .card {
                return RecordReader.read(text, isCalendar: kind == .calendar).text
            }
            var product = ProductText()
            product.append(lines: text)
            return product
        }
    }
}

extension UnsafeMutablePointer<GMimeObject> {
    /// The object as one of a class of GMime; `nil` if it is not of this class.
    fileprivate func `as`<Class>(_: Class.Type, _ type: GType) -> UnsafeMutablePointer<Class>? {
        let raw = UnsafeMutableRawPointer(self)
        guard g_type_check_instance_is_a(raw.assumingMemoryBound(to: GTypeInstance.self), type) != 0 else { return nil }
        return raw.assumingMemoryBound(to: Class.self)
    }
}
