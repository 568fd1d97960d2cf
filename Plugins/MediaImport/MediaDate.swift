import SinkTools

/// The time in a media file's tags, in ISO 8601.
enum MediaDate {
    /// The moment of a QuickTime or ISO media file that has none: its clock starts in 1904, that of the system in 1970.
    private static let placeholders = ["1904-01-01", "1970-01-01", "0000"]

    /// The known part of a date: the year, the day, or the time with its zone, if the tag has one.
    ///
    /// Tags separate the parts in several ways: `2024-03-05T10:11:12.000000Z`, `2024-03-05 10:11`, `2024/03/05`,
    /// `20240305`, `2024:03:05`. `nil` if the text does not start with a year from 1000 on, and for placeholders.
    static func parse(_ text: String) -> String? {
        var rest = text.cleanedDigits[...]
        guard let year = number(&rest, 4, 1000...9999) else { return nil }
        var date = year
        let isCompact = rest.first?.isASCIIDigit == true
        for limit in [1...12, 1...31] {
            var next = rest
            guard isCompact || next.first.map({ "-/:.".contains($0) }) == true else { break }
            if !isCompact { next.removeFirst() }
            guard let part = number(&next, 2, limit) else { break }
            date += "-" + part
            rest = next
        }
        if placeholders.contains(where: date.hasPrefix) { return nil }
        guard date.count == 10, let first = rest.first, first == "T" || first == " " else {
            // What follows is no part of a date, so the start may be none.
            return rest.isEmpty || rest.first.map { !$0.isASCIIDigit } == true ? date : nil
        }
        rest.removeFirst()
        return time(rest).map { date + "T" + $0 } ?? date
    }

    /// The time of a day, `10:11`, `10:11:12` or `10:11:12.5`, with the zone behind it, if any.
    static func time(_ text: Substring) -> String? {
        var rest = text
        guard let hour = number(&rest, 2, 0...23), rest.first == ":" else { return nil }
        rest.removeFirst()
        guard let minute = number(&rest, 2, 0...59) else { return nil }
        var time = hour + ":" + minute
        if rest.first == ":" {
            rest.removeFirst()
            guard let second = number(&rest, 2, 0...60) else { return nil }
            time += ":" + second
            if rest.first == "." { rest = rest.dropFirst().drop(while: \.isASCIIDigit) }
        }
        return time + zone(rest)
    }

    /// `Z` or the offset in the form `+01:00`; empty if there is none.
    private static func zone(_ text: Substring) -> String {
        guard let sign = text.first else { return "" }
        if sign == "Z" { return "Z" }
        guard sign == "+" || sign == "-" else { return "" }
        var rest = text.dropFirst()
        guard let hours = number(&rest, 2, 0...14) else { return "" }
        if rest.first == ":" { rest.removeFirst() }
        return "\(sign)\(hours):\(number(&rest, 2, 0...59) ?? "00")"
    }

    /// Takes `count` digits whose value is in `range`.
    private static func number(_ text: inout Substring, _ count: Int, _ range: ClosedRange<Int>) -> String? {
        let digits = text.prefix(count)
        guard digits.count == count, digits.allSatisfy(\.isASCIIDigit), let value = Int(digits), range.contains(value)
        else { return nil }
        text = text.dropFirst(count)
        return String(digits)
    }
}

extension Character {
    /// Whether it is one of 0 to 9.
    var isASCIIDigit: Bool { isASCII && isWholeNumber }
}

extension String {
    fileprivate var cleanedDigits: String { cleaned(limit: 64) }
}
