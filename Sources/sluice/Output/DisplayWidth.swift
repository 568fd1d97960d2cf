/// The columns that text takes on a terminal: none for a combining character, two for East Asian wide characters and
/// emoji, one for the rest.
///
/// This is an estimate for layout, because terminals differ. The wide ranges are those of Unicode's EastAsianWidth.txt,
/// rounded to blocks.
enum DisplayWidth {
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
        0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
    ]

    static func of(_ text: some StringProtocol) -> Int {
        text.unicodeScalars.reduce(0) { $0 + of($1) }
    }

    /// The text, cut to fit the columns. A cut text ends in an ellipsis, which is counted.
    static func fit(_ text: String, columns: Int) -> String {
        of(text) > columns ? cut(text, columns: columns) : text
    }

    /// The beginning of the text and an ellipsis, in at most this many columns.
    static func cut(_ text: String, columns: Int) -> String {
        columns > 0 ? prefix(of: text.unicodeScalars, columns: columns - 1) + "…" : ""
    }

    /// The text, cut in its middle to fit the columns: a name's ending tells as much as its beginning.
    static func fitMiddle(_ text: String, columns: Int) -> String {
        guard of(text) > columns else { return text }
        guard columns > 4 else { return cut(text, columns: columns) }
        let tail = columns / 3
        let end = prefix(of: text.unicodeScalars.reversed(), columns: tail).unicodeScalars.reversed()
        let start = prefix(of: text.unicodeScalars, columns: columns - 1 - tail)
        return start + "…" + String(String.UnicodeScalarView(end))
    }

    private static func prefix(of text: some Sequence<Unicode.Scalar>, columns: Int) -> String {
        var result = String.UnicodeScalarView()
        var used = 0
        for scalar in text {
            used += of(scalar)
            if used > columns { break }
            result.append(scalar)
        }
        return String(result)
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        if scalar.isASCII { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return wide.contains { $0.contains(scalar.value) } ? 2 : 1
        }
    }
}
