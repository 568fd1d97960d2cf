/// The header of a message: RFC 5322, sections 2.2 and 3.6; RFC 2045, section 3, for MIME; RFC 5536, section 3, for
/// news.
///
/// Like mail programs, it tolerates blank lines before the header, and one or two lines that are not fields.
struct MailHeader {
    /// The sum of the weights of the fields. A field that hardly anything but a message has counts as two.
    private(set) var weight = 0
    /// The known fields in the header.
    private(set) var known: Set<Field> = []
    /// The number of fields, known or not.
    private(set) var count = 0
    /// The offset of the first field.
    private(set) var offset = 0

    private var faults = 0
    /// Whether the header has an address (RFC 5322, section 3.4.1), and a time of day (section 3.3).
    private var hasAddress = false
    private var hasTime = false
    private var unknown = 0

    /// The known fields.
    enum Field: String, CaseIterable, Sendable {
        case from, to, cc, bcc, date, subject, sender, received, references, path, newsgroups, xref, lines
        case replyTo = "reply-to", messageID = "message-id", inReplyTo = "in-reply-to"
        case returnPath = "return-path", deliveredTo = "delivered-to", envelopeTo = "envelope-to"
        case mimeVersion = "mime-version", contentType = "content-type", userAgent = "user-agent"
        case transferEncoding = "content-transfer-encoding", disposition = "content-disposition"
        case contentID = "content-id", contentLocation = "content-location", importance, priority, precedence
        case dkim = "dkim-signature", authentication = "authentication-results", receivedSPF = "received-spf"
        case resentFrom = "resent-from", snapshot = "snapshot-content-location", threadIndex = "thread-index"
        case threadTopic = "thread-topic", arcSeal = "arc-seal", returnReceipt = "disposition-notification-to"
        case autoSubmitted = "auto-submitted", unsubscribe = "list-unsubscribe", listID = "list-id", status
        case arcSignature = "arc-message-signature", arcResults = "arc-authentication-results"
        case domainKey = "domainkey-signature", organization, distribution, errorsTo = "errors-to"
    }

    private static let heavy: Set<Field> = [
        .received, .returnPath, .deliveredTo, .envelopeTo, .messageID, .mimeVersion, .inReplyTo, .newsgroups, .dkim,
        .authentication, .receivedSPF, .resentFrom, .snapshot, .arcSeal, .arcSignature, .arcResults, .domainKey,
    ]
    /// The fields that identify the sender or the route. A message has at least one of them.
    private static let origin: Set<Field> = [
        .from, .received, .returnPath, .deliveredTo, .messageID, .mimeVersion, .newsgroups, .date, .sender,
    ]
    private static let byLength: [Int: [(name: [UInt8], field: Field)]] = Dictionary(
        grouping: Field.allCases.map { (name: Array($0.rawValue.utf8), field: $0) }, by: \.name.count)

    /// The part that is read for the header, in bytes.
    private static let window = 8 << 10
    /// The longest name of a field, in bytes.
    private static let nameLimit = 76
    /// The largest number of lines that are not fields.
    private static let faultLimit = 2

    /// Reads the header at `start`; `nil` if the first line is not a field.
    init?(_ text: [UInt8], from start: Int) {
        offset = start
        guard start < text.count, text[start] > 0x20 else { return nil }
        // This check of the first line excludes most texts at low cost.
        guard Self.field(text[start..<min(text.count, start + Self.nameLimit + 2)]) != nil else { return nil }
        for line in TextLines(text, from: start, upTo: start + Self.window) {
            if line.isEmpty { break }
            if line.first == 0x20 || line.first == 0x09 { continue }
            guard let (name, value) = Self.field(line) else {
                faults += 1
                if faults > Self.faultLimit { break }
                continue
            }
            add(name, value)
        }
    }

    /// Whether this is the header of a message: it has enough fields, at least one with an origin, and few unknown
    /// fields.
    var isMessage: Bool {
        isProven && weight >= 3 && !known.isDisjoint(with: Self.origin) && unknown <= known.count * 2 + 2
            && faults <= count
    }

    /// Memos, tickets and settings have fields with the same names, but no addresses and times.
    private var isProven: Bool {
        if hasAddress || !known.isDisjoint(with: Self.heavy) { return true }
        return hasTime && !known.isDisjoint(with: [.from, .sender, .to])
    }

    private mutating func add(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) {
        count += 1
        guard let field = Self.byLength[name.count]?.first(where: { isSame(name, $0.name) })?.field else {
            if !name.begins(withAnyCase: "x-"), !name.begins(withAnyCase: "list-") { unknown += 1 }
            return
        }
        guard known.insert(field).inserted else { return }
        switch field {
        case .from, .sender: hasAddress = hasAddress || value.contains(0x40)
        case .date: hasTime = Self.hasTime(value)
        default: break
        }
        weight += Self.heavy.contains(field) || (field == .from && value.contains(0x40)) ? 2 : 1
    }

    /// Whether a value has digits on both sides of a colon.
    private static func hasTime(_ value: ArraySlice<UInt8>) -> Bool {
        guard let (hour, rest) = value.split(at: UInt8(ascii: ":")) else { return false }
        return hour.last?.isDigit == true && rest.first?.isDigit == true
    }

    private func isSame(_ name: ArraySlice<UInt8>, _ known: [UInt8]) -> Bool {
        zip(name, known).allSatisfy { $0.lowercased == $1 }
    }

    /// The name and value of a field: printable ASCII, a colon, and any text. White space before the colon is obsolete
    /// syntax.
    private static func field(_ line: ArraySlice<UInt8>) -> (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)? {
        let name = line.prefix { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
        guard !name.isEmpty, name.count <= nameLimit, name.contains(where: \.isLetter) else { return nil }
        let rest = line[name.endIndex...].drop { $0 == 0x20 || $0 == 0x09 }
        return rest.first == UInt8(ascii: ":") ? (name, rest.dropFirst()) : nil
    }
}
