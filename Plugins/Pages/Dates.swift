import SinkTools

/// Dates in ISO 8601.
package enum Dates {
    /// The date, if a value begins with one in ISO 8601: a year, a day, or a time with or without its zone. Parts of a
    /// second go.
    package static func iso(_ value: String) -> String? {
        let value = value.cleaned()
        if let match = value.prefixMatch(
            of: #/(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?([.,]\d+)? ?(Z|[+-]\d\d:?\d\d)?/#)
        {
            var zone = String(match.5 ?? "")
            if zone.count == 5, !zone.contains(":") { zone.insert(":", at: zone.index(zone.startIndex, offsetBy: 3)) }
            return "\(match.1)T\(match.2)\(match.3 ?? ":00")\(zone)"
        }
        if let match = value.prefixMatch(of: #/\d{4}(-\d\d(-\d\d)?)?(?![\d-])/#) { return String(match.0) }
        return nil
    }

    /// The date of iCalendar and vCard in ISO 8601: `20240305`, `20240305T091500` or `20240305T091500Z`.
    package static func basic(_ value: String) -> String? {
        let value = value.cleaned()
        if let match = value.wholeMatch(of: #/(\d{4})(\d\d)(\d\d)(T(\d\d)(\d\d)(\d\d)?(Z)?)?/#) {
            let day = "\(match.1)-\(match.2)-\(match.3)"
            guard let hour = match.5, let minute = match.6 else { return day }
            return "\(day)T\(hour):\(minute):\(match.7 ?? "00")\(match.8 ?? "")"
        }
        return iso(value)
    }
}
