import Pages
import SinkTools

/// Reads calendars (RFC 5545) and contact cards (RFC 6350 and its predecessors): lines of a name, parameters and a value.
struct RecordReader {
    /// The most lines that are read.
    static let maximumLines = 500_000

    private var note = Note()
    private let isCalendar: Bool
    /// The open components, such as an event in a calendar.
    private var components: [String] = []
    /// The parts of the first name, for cards without a formatted one.
    private var nameWithoutFN: String?

    static func read(_ text: String, isCalendar: Bool) -> Note {
        var reader = RecordReader(isCalendar: isCalendar)
        var lines = text.split(whereSeparator: \.isNewline)[...].prefix(maximumLines)
        while let line = lines.popFirst() {
            var whole = String(line)
            while let next = lines.first {
                if whole.hasSuffix("="), isQuoted(whole) {
                    whole.removeLast()
                    whole += next
                } else if next.first == " " || next.first == "\t" {
                    whole += next.dropFirst()
                } else {
                    break
                }
                lines.removeFirst()
            }
            reader.take(whole)
        }
        reader.note.complete("title", reader.nameWithoutFN)
        return reader.note
    }

    private init(isCalendar: Bool) { self.isCalendar = isCalendar }

    private static func isQuoted(_ line: String) -> Bool {
        line.prefix { $0 != ":" }.uppercased().contains("QUOTED-PRINTABLE")
    }

    private mutating func take(_ line: String) {
        guard let colon = Self.colon(in: line) else { return }
        let parts = line[..<colon].split(separator: ";").map(String.init)
        guard let name = parts.first?.split(separator: ".").last?.uppercased() else { return }
        let raw = String(line[line.index(after: colon)...])
        switch name {
        case "BEGIN": if components.count < 64 { components.append(raw.uppercased().cleaned()) }
        case "END":
            if !components.isEmpty { components.removeLast() }
            if !isCalendar { note.text.endLine() }
        default: takeValue(name, parts.dropFirst().map { $0 }, raw)
        }
    }

    private mutating func takeValue(_ name: String, _ parameters: [String], _ raw: String) {
        guard components.last != "VTIMEZONE", !components.contains("STANDARD"), !components.contains("DAYLIGHT"),
            !components.contains("VALARM")
        else { return }
        let value = Self.decoded(raw, parameters)
        if isCalendar { takeCalendar(name, value, parameters) } else { takeCard(name, value, raw, parameters) }
    }

    private mutating func takeCalendar(_ name: String, _ value: String, _ parameters: [String]) {
        switch name {
        case "SUMMARY": note.complete("title", value)
        case "DESCRIPTION": note.complete("description", value)
        case "LOCATION": note.complete("place", value)
        case "DTSTART": return note.complete("date", Dates.basic(value))
        case "X-WR-CALNAME", "CATEGORIES", "COMMENT", "CONTACT", "RESOURCES", "URL": break
        case "ATTENDEE", "ORGANIZER":
            let name = parameters.first { $0.uppercased().hasPrefix("CN=") }?.dropFirst(3) ?? ""
            let address = value.lowercased().hasPrefix("mailto:") ? String(value.dropFirst(7)) : ""
            line("\(String(name).trimmed(of: ["\""])) \(address)")
            return
        default: return
        }
        line(value)
    }

    private mutating func takeCard(_ name: String, _ value: String, _ raw: String, _ parameters: [String]) {
        switch name {
        case "FN": note.complete("title", value)
        case "N":
            if nameWithoutFN == nil { nameWithoutFN = Self.name(raw, parameters) }
            return line(value.singleSpaced)
        case "NOTE": note.complete("description", value)
        case "ORG", "TITLE", "ROLE", "EMAIL", "TEL", "ADR", "LABEL", "URL", "NICKNAME", "CATEGORIES", "IMPP",
            "X-PHONETIC-FIRST-NAME", "X-PHONETIC-LAST-NAME", "RELATED", "X-ABRELATEDNAMES":
            return line(
                value.split(whereSeparator: \.isNewline).map { String($0).singleSpaced }.joined(separator: "\n"))
        default: return
        }
        line(value)
    }

    private mutating func line(_ value: String) {
        note.text.append(lines: value)
        note.text.endLine()
    }

    /// The name in the order of speech: the value has the family name, the given name, more names, prefixes, suffixes.
    private static func name(_ raw: String, _ parameters: [String]) -> String {
        let fields = raw.split(separator: ";", omittingEmptySubsequences: false).map { decoded(String($0), parameters) }
        return [3, 1, 2, 0, 4].filter(fields.indices.contains).map { fields[$0] }.joined(separator: " ").singleSpaced
    }

    /// The colon before the value; quotes may contain others.
    private static func colon(in line: String) -> String.Index? {
        var isQuoted = false
        for index in line.indices.prefix(4000) {
            if line[index] == "\"" { isQuoted.toggle() }
            if line[index] == ":", !isQuoted { return index }
        }
        return nil
    }

    private static func decoded(_ raw: String, _ parameters: [String]) -> String {
        let upper = parameters.map { $0.uppercased() }
        if upper.contains(where: { $0.hasSuffix("QUOTED-PRINTABLE") }) {
            let charset = upper.first { $0.hasPrefix("CHARSET=") }.map { String($0.dropFirst(8)) }
            return Encodings.decode(quotedPrintable(raw)[...], stated: charset).text.replacing(";", with: " ")
        }
        var result = ""
        var isEscaped = false
        for character in raw {
            if isEscaped {
                result.append(character == "n" || character == "N" ? "\n" : character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                result.append(character == ";" ? " " : character)
            }
        }
        return result
    }

    private static func quotedPrintable(_ text: String) -> [UInt8] {
        var result: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "="), let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                result.append(value)
                rest = rest.dropFirst(2)
            } else {
                result.append(byte)
            }
        }
        return result
    }
}
