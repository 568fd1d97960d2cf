import CGsf
import Glibc
import Pages
import SinkKit
import SinkTools

/// A message that Outlook saved: properties as streams of a compound file, which libgsf reads ([MS-OXMSG], [MS-OXPROPS]).
struct OutlookMessage {
    /// The largest file that is read, in bytes.
    static let maximumBytes = 256 << 20
    /// The most recipients and the most attachments that are read.
    static let maximumEntries = 1_000
    /// The most bytes of a name, a subject or an address.
    private static let wordLimit = 1 << 16

    private let storage: OutlookStorage

    /// Prepares libgsf, once in the process.
    static func start() { gsf_init() }

    /// `nil` if the file is no compound file.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0, Int(status.st_size) <= Self.maximumBytes,
            let storage = OutlookStorage(path)
        else { return nil }
        self.storage = storage
    }

    /// What the message says.
    func note(_ time: ProcessorTime, _ report: Report) throws -> Note {
        var note = Note()
        let properties = storage.properties(after: 32)
        let encoding = (properties.number(0x3FFD) ?? properties.number(0x3FDE)).map { "cp\($0)" }
        func text(_ tag: UInt16, in storage: OutlookStorage? = nil, limit: Int = Self.wordLimit) -> String? {
            (storage ?? self.storage).text(tag, limit: limit, encoding: encoding)
        }
        note.findings.set("title", text(0x0037) ?? text(0x0070))
        if properties.bytes.isEmpty {
            note.findings["damaged"] = true
            note.findings.set("problem", "its list of properties is missing or empty")
        }
        note.findings.set("date", properties.time(0x0039) ?? properties.time(0x0E06) ?? properties.time(0x3007))
        // The address of a sender of the same company is a path of its directory, and the other property is the one of the network.
        let address = [text(0x5D01), text(0x0C1F), text(0x0065)].compactMap(\.self).first { $0.contains("@") }
        note.findings.set("from", list: [Self.person(text(0x0C1A) ?? text(0x0042), address)].compactMap(\.self))
        var people: [UInt32: [String]] = [:]
        for entry in storage.entries(named: "__recip_version1.0_#", limit: Self.maximumEntries) {
            let address = [text(0x39FE, in: entry), text(0x3003, in: entry)].compactMap(\.self).first {
                $0.contains("@")
            }
            guard let person = Self.person(text(0x3001, in: entry), address) else { continue }
            people[entry.properties(after: 8).number(0x0C15) ?? 1, default: []].append(person)
        }
        note.findings.set("to", list: people[1] ?? Self.names(text(0x0E04)))
        note.findings.set("cc", list: people[2] ?? Self.names(text(0x0E03)))
        try report.progress()
        let attachments = storage.entries(named: "__attach_version1.0_#", limit: Self.maximumEntries)
        note.findings.set(
            "attachments",
            list: attachments.compactMap { text(0x3707, in: $0) ?? text(0x3704, in: $0) ?? text(0x3001, in: $0) })
        if let body = text(0x1000, limit: TextFile.limit), body.contains(where: \.isLetter) {
            note.text.append(lines: body)
        } else if let page = storage.bytes(0x1013, limit: TextFile.limit) {
            let read = WebPage.read(page[...], stated: properties.number(0x3FDE).map { "cp\($0)" }, time)
            (note.text, note.isCut) = (read.text, read.isCut)
        }
        return note
    }

    /// `Ada Brook <ada@example.org>`
    private static func person(_ name: String?, _ address: String?) -> String? {
        guard let name, !name.isEmpty else { return address }
        guard let address, !name.contains(address) else { return name }
        return "\(name) <\(address)>"
    }

    private static func names(_ text: String?) -> [String] {
        (text ?? "").split(separator: ";").map { String($0).cleaned() }.filter { !$0.isEmpty }
    }
}

/// A storage of a compound file. The class owns libgsf's object, and releases it.
private final class OutlookStorage {
    private let file: OpaquePointer

    init?(_ path: String) {
        guard let input = gsf_input_stdio_new(path, nil) else { return nil }
        defer { g_object_unref(gpointer(input)) }
        guard let file = gsf_infile_msole_new(input, nil) else { return nil }
        self.file = file
    }

    private init(_ file: OpaquePointer) { self.file = file }

    deinit { g_object_unref(gpointer(file)) }

    /// The storages inside, whose names begin so.
    func entries(named start: String, limit: Int) -> [OutlookStorage] {
        (0..<max(0, gsf_infile_num_children(file))).lazy.filter { index in
            gsf_infile_name_by_index(self.file, index).map { String(cString: $0).hasPrefix(start) } ?? false
        }.prefix(limit).compactMap { index in
            guard let child = gsf_infile_child_by_index(self.file, index) else { return nil }
            let raw = UnsafeMutableRawPointer(child)
            guard
                g_type_check_instance_is_a(raw.assumingMemoryBound(to: GTypeInstance.self), gsf_infile_get_type()) != 0
            else {
                g_object_unref(gpointer(child))
                return nil
            }
            return OutlookStorage(child)
        }
    }

    /// A property of text: in UTF-16, or in the encoding of the message.
    func text(_ tag: UInt16, limit: Int, encoding: String?) -> String? {
        if let wide = stream(Self.name(tag, "001F"), limit) {
            let units = stride(from: 0, to: wide.count - 1, by: 2).map { UInt16(wide[$0]) | UInt16(wide[$0 + 1]) << 8 }
            return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
        }
        return stream(Self.name(tag, "001E"), limit).map {
            Encodings.decode($0.prefix { $0 != 0 }, stated: encoding).text
        }
    }

    /// A property of bytes, or of text that has a format of its own.
    func bytes(_ tag: UInt16, limit: Int) -> [UInt8]? {
        ["0102", "001E"].lazy.compactMap { self.stream(Self.name(tag, $0), limit) }.first
    }

    /// The properties of a fixed size, behind a head.
    func properties(after head: Int) -> OutlookProperties {
        OutlookProperties(bytes: Array((stream("__properties_version1.0", 1 << 20) ?? []).dropFirst(head)))
    }

    private static func name(_ tag: UInt16, _ type: String) -> String {
        let digits = String(tag, radix: 16, uppercase: true)
        return "__substg1.0_" + String(repeating: "0", count: 4 - digits.count) + digits + type
    }

    private func stream(_ name: String, _ limit: Int) -> [UInt8]? {
        guard let input = gsf_infile_child_by_name(file, name) else { return nil }
        defer { g_object_unref(gpointer(input)) }
        let size = min(Int(clamping: gsf_input_size(input)), limit)
        guard size > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: size)
        return gsf_input_read(input, size, &bytes) == nil ? nil : bytes
    }
}

/// The properties of a fixed size: entries of 16 bytes, with a tag and a value.
private struct OutlookProperties {
    let bytes: [UInt8]

    /// A number of 32 bits.
    func number(_ tag: UInt16) -> UInt32? { value(tag, 0x0003).map { UInt32(truncatingIfNeeded: $0) } }

    /// A time in UTC, in ISO 8601; `nil` for none.
    func time(_ tag: UInt16) -> String? {
        // In 100 ns since 1601.
        guard let ticks = value(tag, 0x0040), ticks > 0 else { return nil }
        var seconds = time_t(clamping: Int64(clamping: ticks / 10_000_000) - 11_644_473_600)
        var parts = tm()
        guard seconds > -2_208_988_800, gmtime_r(&seconds, &parts) != nil, parts.tm_year < 8_100 else { return nil }
        var buffer = [CChar](repeating: 0, count: 32)
        let length = strftime(&buffer, buffer.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
        return String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private func value(_ tag: UInt16, _ type: UInt16) -> UInt64? {
        for start in stride(from: 0, to: bytes.count - 15, by: 16) {
            let entry = bytes[start..<start + 16]
            guard number(entry.prefix(2)) == UInt64(type), number(entry.dropFirst(2).prefix(2)) == UInt64(tag) else {
                continue
            }
            return number(entry.suffix(8))
        }
        return nil
    }

    private func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } }
}
