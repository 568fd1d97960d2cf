/// The columns that text takes on a terminal: none for a combining character, two for East Asian wide characters and
/// emoji, one for the rest.
///
/// This is an estimate for layout, because terminals differ. The wide ranges are those of Unicode's EastAsianWidth.txt,
/// rounded to blocks. Emoji are wide wherever they are, and a symbol is one with a variation selector after it (Unicode
/// Technical Standard 51).
enum DisplayWidth {
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
        0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
    ]

    static func of(_ text: some StringProtocol) -> Int {
        // Most text is ASCII, which needs no borders of characters.
        text.utf8.allSatisfy { $0 < 0x80 } ? text.utf8.count : text.reduce(0) { $0 + of($1) }
    }

    /// The text, cut to fit the columns. A cut text ends in an ellipsis, which is counted.
    static func fit(_ text: String, columns: Int) -> String {
        of(text) > columns ? cut(text, columns: columns) : text
    }

    /// The beginning of the text and an ellipsis, in at most this many columns.
    static func cut(_ text: String, columns: Int) -> String {
        columns > 0 ? String(prefix(of: text, columns: columns - 1)) + "…" : ""
    }

    /// The name, cut in its middle to fit the columns: its ending tells as much as its beginning. A file extension is
    /// whole, if it leaves room for a beginning.
    static func fitMiddle(_ name: String, columns: Int) -> String {
        guard of(name) > columns else { return name }
        guard columns > 4 else { return cut(name, columns: columns) }
        // An array, because the borders of characters are not searched from the end of a hostile name.
        let characters = Array(name)
        let dot = characters.lastIndex(of: ".") ?? characters.endIndex
        let ending = of(String(characters[dot...]))
        let tail = ending <= columns * 2 / 3 ? max(ending, columns / 3) : columns / 3
        let end = prefix(of: characters.reversed(), columns: tail).reversed()
        return String(prefix(of: characters, columns: columns - 1 - tail)) + "…" + String(end)
    }

    /// The path, cut to fit the columns: its folders first, from the left, and its name only if that is too long by
    /// itself.
    static func fitPath(_ path: String, columns: Int) -> String {
        guard of(path) > columns else { return path }
        // Of scalars, because a combining mark can follow a slash.
        let scalars = path.unicodeScalars
        // From the end, because a hostile path has thousands of folders. The ellipsis takes a column.
        var (start, used) = (scalars.endIndex, 1)
        while let slash = scalars[..<start].lastIndex(of: "/") {
            used += 1 + of(Substring(scalars[scalars.index(after: slash)..<start]))
            guard used <= columns else { break }
            start = slash
        }
        if start < scalars.endIndex { return "…" + String(Substring(scalars[start...])) }
        guard let slash = scalars.lastIndex(of: "/") else { return fitMiddle(path, columns: columns) }
        let name = String(Substring(scalars[scalars.index(after: slash)...]))
        return columns > 8 ? "…/" + fitMiddle(name, columns: columns - 2) : fitMiddle(name, columns: columns)
    }

    private static func prefix(of text: some Sequence<Character>, columns: Int) -> [Character] {
        var used = 0
        return Array(
            text.prefix { character in
                used += of(character)
                return used <= columns
            })
    }

    private static func of(_ character: Character) -> Int {
        var (width, last): (Int, Unicode.Scalar?) = (0, nil)
        for scalar in character.unicodeScalars {
            // Variation selector 16 makes an emoji of a symbol.
            if scalar == "\u{FE0F}", let symbol = last, symbol.properties.isEmoji, of(symbol) == 1 { width += 1 }
            width += of(scalar)
            last = scalar
        }
        return width
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        if scalar.isASCII { return 1 }
        // The vowels and the last consonants of Korean letters in normal form D join the letter before them.
        if (0x1160...0x11FF).contains(scalar.value) { return 0 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return scalar.properties.isEmojiPresentation || isWide(scalar) ? 2 : 1
        }
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool { wide.contains { $0.contains(scalar.value) } }
}
