/// A date in the tags of a picture: the known parts of a local time, and the zone if a tag states it.
struct PictureDate: Equatable {
    /// Year, month and day; the last ones may be unknown.
    private var day: [Int]
    /// Hour, minute and second; empty if unknown.
    private var time: [Int]
    /// The offset from UTC in minutes.
    private var zone: Int?

    /// Reads the forms of EXIF (`2020:01:31 15:04:05`), XMP (`2020-01-31T15:04:05.25+01:00`) and IPTC (`2020-01-31`),
    /// and those of programs that mix them up.
    ///
    /// `nil` if it is no date, or the zero of a clock that was never set.
    init?(_ text: String) {
        var rest = Substring(text).drop { $0.isWhitespace }
        day = Self.numbers(&rest, widths: [4, 2, 2], separators: ":-/.")
        // Month or day 0 mean that it is unknown.
        if let zero = day.firstIndex(of: 0) { day.removeSubrange(zero...) }
        guard let year = day.first, year >= 1000, Self.isDay(day) else { return nil }
        rest = rest.drop { $0 == "T" || $0 == " " }
        time = Self.numbers(&rest, widths: [2, 2, 2], separators: ":")
        if time.count < 2 || day.count < 3 { time = [] }
        guard zip(time, [23, 59, 60]).allSatisfy(<=) else { return nil }
        if !time.isEmpty { zone = Self.zone(rest.drop { $0 == "." || $0.isNumber }) }
        guard !((day == [1970, 1, 1] || day == [1904, 1, 1]) && time.allSatisfy { $0 == 0 }) else { return nil }
    }

    /// The date in ISO 8601, with a zone only if it is known.
    var text: String {
        var text = zip(day, ["", "-", "-"]).map { $1 + Self.padded($0, $1.isEmpty ? 4 : 2) }.joined()
        guard !time.isEmpty else { return text }
        text += zip(time, ["T", ":", ":"]).map { $1 + Self.padded($0, 2) }.joined()
        guard let zone else { return text }
        if zone == 0 { return text + "Z" }
        return text + (zone < 0 ? "-" : "+") + Self.padded(abs(zone) / 60, 2) + ":" + Self.padded(abs(zone) % 60, 2)
    }

    /// Whether the zone is known to be UTC.
    var isUTC: Bool { zone == 0 }

    var withoutZone: PictureDate {
        var date = self
        date.zone = nil
        return date
    }

    /// The date with the zone of a tag such as `+02:00`, unless it has one.
    func inZone(_ offset: String?) -> PictureDate {
        guard zone == nil, !time.isEmpty, let offset else { return self }
        var date = self
        date.zone = Self.zone(Substring(offset).drop { $0.isWhitespace })
        return date
    }

    /// The date with the zone that its difference from a satellite's time shows, unless it has one.
    ///
    /// The camera's clock and the time of the last position differ a little. So the difference counts only within
    /// two minutes of an offset that a country uses.
    func inZone(atUTC moment: PictureDate?) -> PictureDate {
        guard zone == nil, let moment, let local = seconds, let utc = moment.seconds else { return self }
        let difference = local - utc
        guard abs(difference) <= 15 * 3600 else { return self }
        let quarter = Int((Double(difference) / 900).rounded()) * 15
        let isUsed = (-720...840).contains(quarter) && (quarter % 30 == 0 || [345, 525, 765, 825].contains(quarter))
        guard isUsed, abs(difference - quarter * 60) <= 120 else { return self }
        var date = self
        date.zone = quarter
        return date
    }

    /// The seconds since an arbitrary moment, as if the time were UTC; `nil` if it is not known to the minute.
    private var seconds: Int? {
        guard day.count == 3, time.count >= 2 else { return nil }
        // Howard Hinnant's algorithm: a year that begins in March has its leap day at its end.
        let year = day[1] <= 2 ? day[0] - 1 : day[0]
        let days = year * 365 + year / 4 - year / 100 + year / 400 + (153 * ((day[1] + 9) % 12) + 2) / 5 + day[2]
        return days * 86_400 + time[0] * 3600 + time[1] * 60 + (time.count > 2 ? time[2] : 0)
    }

    /// Reads numbers of at most these widths, each after one separator. The first has its full width.
    private static func numbers(_ rest: inout Substring, widths: [Int], separators: String) -> [Int] {
        var all: [Int] = []
        for width in widths {
            var next = rest
            if !all.isEmpty {
                guard let separator = next.first, separators.contains(separator) else { return all }
                next = next.dropFirst()
            }
            let digits = next.prefix(width).prefix { $0.isASCII && $0.isNumber }
            guard let number = Int(digits), !all.isEmpty || digits.count == width else { return all }
            all.append(number)
            rest = next.dropFirst(digits.count)
        }
        return all
    }

    private static func isDay(_ day: [Int]) -> Bool {
        guard day.count > 1 else { return true }
        guard (1...12).contains(day[1]) else { return false }
        guard day.count > 2 else { return true }
        let isLeap = day[0] % 4 == 0 && (day[0] % 100 != 0 || day[0] % 400 == 0)
        return day[2] <= [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][day[1] - 1]
    }

    private static func zone(_ text: Substring) -> Int? {
        guard let sign = text.first else { return nil }
        if sign == "Z" { return 0 }
        guard sign == "+" || sign == "-" else { return nil }
        var rest = text.dropFirst()
        let parts = numbers(&rest, widths: [2, 2], separators: ":")
        guard let hours = parts.first, hours <= 14, parts.count == 2, parts[1] < 60 else { return nil }
        return (sign == "-" ? -1 : 1) * (hours * 60 + parts[1])
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
