import CGMime
import Pages
import SinkTools

/// What the headers of a message say.
struct MailHeaders {
    /// The most addresses of one header that are read.
    static let maximumAddresses = 1_000

    let subject: String?
    let from: [String]
    let to: [String]
    let cc: [String]
    /// In ISO 8601, with the zone unless it is unknown.
    let date: String?

    init(_ message: UnsafeMutablePointer<GMimeMessage>) {
        let object = UnsafeMutableRawPointer(message).assumingMemoryBound(to: GMimeObject.self)
        subject = Self.subject(message, Self.undeclared("Subject", object))
        let sender = Self.people(g_mime_message_get_from(message), "From", object)
        from = sender.isEmpty ? Self.people(g_mime_message_get_sender(message), "Sender", object) : sender
        to = Self.people(g_mime_message_get_to(message), "To", object)
        cc = Self.people(g_mime_message_get_cc(message), "Cc", object)
        date = Self.date(message, object)
        areUsual = Self.usual.contains { g_mime_object_get_header(object, $0) != nil }
    }

    private static let usual = [
        "From", "To", "Subject", "Date", "MIME-Version", "Content-Type", "Received", "Return-Path", "Message-ID",
    ]

    /// Whether there is a header that mails have.
    let areUsual: Bool

    /// The headers as lines of a text.
    var text: ProductText {
        var text = ProductText()
        func line(_ name: String, _ value: String) {
            guard !value.isEmpty else { return }
            text.append(name + value)
            text.endLine()
        }
        line("", subject ?? "")
        line("From: ", from.joined(separator: ", "))
        line("To: ", to.joined(separator: ", "))
        line("Cc: ", cc.joined(separator: ", "))
        line("Date: ", date ?? "")
        return text
    }

    private static func subject(_ message: UnsafeMutablePointer<GMimeMessage>, _ undeclared: String?) -> String? {
        if let undeclared {
            guard let owned = g_mime_utils_header_decode_text(nil, undeclared) else { return undeclared }
            defer { g_free(owned) }
            return String(cString: owned).cleaned()
        }
        let subject = g_mime_message_get_subject(message).map { String(cString: $0).cleaned() }
        return subject?.isEmpty == true ? nil : subject
    }

    /// The text of a header whose bytes are neither ASCII nor UTF-8, in the encoding that its bytes suggest.
    private static func undeclared(_ name: String, _ object: UnsafeMutablePointer<GMimeObject>) -> String? {
        guard let list = g_mime_object_get_header_list(object), let header = g_mime_header_list_get_header(list, name),
            let raw = g_mime_header_get_raw_value(header)
        else { return nil }
        let bytes = Array(
            UnsafeBufferPointer(
                start: UnsafeRawPointer(raw).assumingMemoryBound(to: UInt8.self), count: strlen(raw)))
        guard bytes.contains(where: { $0 >= 0x80 }), !Encodings.isUTF8(bytes[...]) else { return nil }
        return Encodings.decode(escaped(bytes)[...]).text.singleSpaced
    }

    /// The longest encoded word that is read, in bytes. RFC 2047 allows 75.
    private static let longestWord = 2_000

    /// A header with the bytes inside of its encoded words (RFC 2047) in hexadecimal, as they must be. Such a byte is in the
    /// encoding of its word, and not in that of the rest.
    private static func escaped(_ bytes: [UInt8]) -> [UInt8] {
        let mark = UInt8(ascii: "?")
        var result: [UInt8] = []
        var rest = bytes[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "=")) {
            result += rest[..<start]
            rest = rest[start...]
            // `=?charset?Q?text?=`
            let fields =
                rest.dropFirst().first == mark
                ? rest.prefix(longestWord).split(separator: mark, maxSplits: 4, omittingEmptySubsequences: false) : []
            guard fields.count == 5, fields[2].count == 1, fields[2].first.map({ $0 & 0xDF }) == UInt8(ascii: "Q"),
                fields[4].first == UInt8(ascii: "=")
            else {
                result.append(rest.removeFirst())
                continue
            }
            result += rest[start..<fields[3].startIndex]
            for byte in fields[3] {
                result += byte < 0x80 ? [byte] : Array("=\(String(byte, radix: 16, uppercase: true))".utf8)
            }
            rest = rest[fields[3].endIndex...]
        }
        return result + rest
    }

    private static func people(
        _ list: UnsafeMutablePointer<InternetAddressList>?, _ name: String, _ object: UnsafeMutablePointer<GMimeObject>
    ) -> [String] {
        if let undeclared = undeclared(name, object) {
            guard let parsed = internet_address_list_parse(nil, undeclared) else { return [undeclared.cleaned()] }
            defer { g_object_unref(gpointer(parsed)) }
            return people(parsed)
        }
        return list.map { people($0) } ?? []
    }

    private static func people(_ list: UnsafeMutablePointer<InternetAddressList>, depth: Int = 0) -> [String] {
        var people: [String] = []
        for index in 0..<max(0, min(internet_address_list_length(list), Int32(maximumAddresses))) {
            guard let address = internet_address_list_get_address(list, index) else { continue }
            let raw = UnsafeMutableRawPointer(address)
            let instance = raw.assumingMemoryBound(to: GTypeInstance.self)
            let name = internet_address_get_name(address).map { String(cString: $0).cleaned() } ?? ""
            if g_type_check_instance_is_a(instance, internet_address_group_get_type()) != 0 {
                let group = raw.assumingMemoryBound(to: InternetAddressGroup.self)
                let members = depth < 4 ? internet_address_group_get_members(group) : nil
                let all = members.map { self.people($0, depth: depth + 1) } ?? []
                people += all.isEmpty && !name.isEmpty ? [name] : all
            } else if g_type_check_instance_is_a(instance, internet_address_mailbox_get_type()) != 0 {
                let mailbox = raw.assumingMemoryBound(to: InternetAddressMailbox.self)
                let address = internet_address_mailbox_get_addr(mailbox).map { String(cString: $0).cleaned() } ?? ""
                people.append(
                    name.isEmpty || name == address ? address : address.isEmpty ? name : "\(name) <\(address)>")
            }
        }
        return people.filter { !$0.isEmpty }
    }

    private static func date(
        _ message: UnsafeMutablePointer<GMimeMessage>, _ object: UnsafeMutablePointer<GMimeObject>
    ) -> String? {
        func header(_ name: String) -> String? { g_mime_object_get_header(object, name).map { String(cString: $0) } }
        if let date = g_mime_message_get_date(message) { return text(date, header("Date") ?? "") }
        // Of a mail with a broken date, the server that took it in wrote another one, at the end of its line.
        guard let line = header("Received"), let semicolon = line.lastIndex(of: ";") else { return nil }
        let received = String(line[line.index(after: semicolon)...])
        guard let date = g_mime_utils_header_decode_date(received) else { return nil }
        defer { g_date_time_unref(date) }
        return text(date, received)
    }

    /// - Parameter raw: the date as it was written.
    private static func text(_ date: OpaquePointer, _ raw: String) -> String? {
        // RFC 5322, section 3.3: -0000 says that the zone is unknown.
        let format = raw.contains("-0000") ? "%Y-%m-%dT%H:%M:%S" : "%Y-%m-%dT%H:%M:%S%:z"
        guard let owned = g_date_time_format(date, format) else { return nil }
        defer { g_free(owned) }
        return String(cString: owned)
    }
}
