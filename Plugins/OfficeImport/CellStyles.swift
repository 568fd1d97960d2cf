import Glibc
import Markup

/// Tells which cells of a workbook show their number as a date, and writes such numbers as dates.
final class CellStyles: MarkupHandler {
    /// The largest number of styles and formats that are kept.
    private static let maximumCount = 70_000

    /// Whether the workbook counts the days from 1904 on, as Excel for the Macintosh did.
    var isFrom1904 = false

    /// The numbers of the formats that are dates. Those of Excel itself are in no file (ECMA-376, 18.8.30).
    private var dates = Set(14...17).union([22])
    private var formats: [Int] = []
    private var inCells = false

    func start(_ name: String, _ attributes: MarkupAttributes) {
        switch name {
        case "cellXfs": inCells = true
        case "xf" where inCells && formats.count < Self.maximumCount:
            formats.append(attributes["numFmtId"].flatMap { Int($0) } ?? 0)
        case "numFmt" where dates.count < Self.maximumCount:
            guard let id = attributes["numFmtId"].flatMap({ Int($0) }), let code = attributes["formatCode"] else {
                return
            }
            if Self.isDate(code) { dates.insert(id) }
        default: break
        }
    }

    func end(_ name: String) {
        if name == "cellXfs" { inCells = false }
    }

    func characters(_ bytes: UnsafeBufferPointer<UInt8>) {}

    /// The date that a cell of this style shows for a number; `nil` if the style shows no date.
    func date(_ number: [UInt8], style: Int) -> String? {
        // 2,958,465 is the last day of the year 9999.
        guard formats.indices.contains(style), dates.contains(formats[style]),
            let days = Double(String(decoding: number, as: UTF8.self)), (1..<2_958_466).contains(days)
        else { return nil }
        // Day 25,569 is 1970-01-01. The calendar from 1904 on begins 1,462 days later.
        let seconds = ((days - 25_569 + (isFrom1904 ? 1_462 : 0)) * 86_400).rounded()
        var time = time_t(seconds)
        var parts = tm()
        guard gmtime_r(&time, &parts) != nil else { return nil }
        var text = [CChar](repeating: 0, count: 32)
        let length = strftime(&text, text.count, days == days.rounded(.down) ? "%Y-%m-%d" : "%Y-%m-%d %H:%M", &parts)
        return String(decoding: text[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether a format shows a day or a year. Texts in quotes and brackets do not count.
    private static func isDate(_ code: String) -> Bool {
        var end: Character?
        for letter in code.lowercased() {
            if let closing = end {
                if letter == closing { end = nil }
            } else if letter == "\"" {
                end = "\""
            } else if letter == "[" {
                end = "]"
            } else if letter == "d" || letter == "y" {
                return true
            }
        }
        return false
    }
}
