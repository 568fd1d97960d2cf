/// The header that a message begins with: RFC 5322, sections 2.2 and 3.6; with MIME RFC 2045, section 3, and news RFC
/// 5536, section 3. Blank lines before it and a line or two that is no field are forgiven, as mail programs do.
struct MailHeader {
    /// What the fields weigh together: one that hardly anything but a message has counts for two.
    private(set) var weight = 0
    /// Known fields, each once.
    private(set) var known: Set<Field> = []
    /// Fields of whatever name.
    private(set) var count = 0
    /// Where the first field begins.
    private(set) var offset = 0

    private var faults = 0
    /// Whether somebody's address is there (RFC 5322, section 3.4.1), and a time of day (section 3.3).
    private var hasAddress = false
    private var hasTime = false
    private var unknown = 0

    /// Fields that this knows by name.
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
    /// One of these says who sent what; a message has at least one.
    private static let origin: Set<Field> = [
        .from, .received, .returnPath, .deliveredTo, .messageID, .mimeVersion, .newsgroups, .date, .sender,
    ]
    private static let byLength: [Int: [(name: [UInt8], field: Field)]] = Dictionary(
        grouping: Field.allCases.map { (name: Array($0.rawValue.utf8), field: $0) }, by: \.name.count)

    /// A header lies within so many bytes of the text, as far as is read.
    private static let window = 8 << 10
    /// No field name is longer.
    private static let nameLimit = 76
    /// Lines that are no field, before the header counts as none.
    private static let faultLimit = 2

    /// Reads the header that is at `start`; `nil` where the first line is no field.
    init?(_ text: [UInt8], from start: Int) {
        offset = start
        guard start < text.count, text[start] > 0x20 else { return nil }
        // A field's name and colon: most texts end here.
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

    /// Whether it is that of a message: enough fields, one that says where it is from, and not many that nobody knows.
    var isMessage: Bool {
        isProven && weight >= 3 && !known.isDisjoint(with: Self.origin) && unknown <= known.count * 2 + 2
            && faults <= count
    }

    /// Memos, tickets and settings have fields of the same names, but no addresses and no times.
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

    /// Digits on both sides of a colon.
    private static func hasTime(_ value: ArraySlice<UInt8>) -> Bool {
        guard let (hour, rest) = value.split(at: UInt8(ascii: ":")) else { return false }
        return hour.last?.isDigit == true && rest.first?.isDigit == true
    }

    private func isSame(_ name: ArraySlice<UInt8>, _ known: [UInt8]) -> Bool {
        zip(name, known).allSatisfy { $0.lowercased == $1 }
    }

    /// Name and value of a field: printable ASCII, a colon (white space before it is obsolete syntax), anything.
    private static func field(_ line: ArraySlice<UInt8>) -> (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)? {
        let name = line.prefix { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
        guard !name.isEmpty, name.count <= nameLimit, name.contains(where: \.isLetter) else { return nil }
        let rest = line[name.endIndex...].drop { $0 == 0x20 || $0 == 0x09 }
        return rest.first == UInt8(ascii: ":") ? (name, rest.dropFirst()) : nil
    }
}
