/// Quantities as text for people.
enum Units {
    /// A size in decimal units, as for disks and networks: `0 bytes`, `1 byte`, `42 KB`, `3.4 GB`.
    static func bytes(_ count: Int64) -> String {
        guard count >= 1000 else { return Self.count(count, "byte") }
        var value = Double(count)
        var unit = ""
        for next in ["KB", "MB", "GB", "TB", "PB", "EB"] {
            value /= 1000
            unit = next
            // A larger value would be rounded to "1000 KB".
            if value < 999.5 { break }
        }
        return "\(short(value)) \(unit)"
    }

    /// `1 package`, `2 packages`, `12,345 packages`. A noun in -y gets the plural -ies.
    static func count(_ count: some BinaryInteger, _ noun: String) -> String {
        "\(grouped(count)) \(count == 1 ? noun : plural(noun))"
    }

    /// `under 0.1 s`, `0.4 s`, `12 s`, `3 min 5 s`, `2 h 4 min`.
    static func duration(_ duration: Duration) -> String {
        let seconds = max(0, Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18)
        if seconds < 0.05 { return "under 0.1 s" }
        if seconds < 9.95 { return "\(short(seconds)) s" }
        let whole = Int64(seconds.rounded())
        if whole < 60 { return "\(whole) s" }
        if whole < 3600 { return "\(whole / 60) min \(whole % 60) s" }
        return "\(whole / 3600) h \(whole % 3600 / 60) min"
    }

    /// With commas between thousands: `12,345`.
    static func grouped(_ number: some BinaryInteger) -> String {
        let digits = Array(String(number.magnitude))
        var result = number < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { result += "," }
            result.append(digit)
        }
        return result
    }

    private static func plural(_ noun: String) -> String {
        noun.hasSuffix("y") ? noun.dropLast() + "ies" : noun + "s"
    }

    /// Below ten, one decimal place unless it is zero; from ten on, none.
    private static func short(_ value: Double) -> String {
        let tenths = Int64((value * 10).rounded())
        if tenths >= 100 || tenths % 10 == 0 { return String(Int64(value.rounded())) }
        return "\(tenths / 10).\(tenths % 10)"
    }
}
