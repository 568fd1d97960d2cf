/// Recognizes the names that cameras, scanners and programs give without knowing the content: `IMG_1234`, `scan0001`,
/// `download (3)`, `3f2a9c01-…`. A person does not know a file by such a name.
enum AutomaticName {
    /// Whether a name without its ending is one: each of its words is a number, one of ``words`` with or without a number
    /// behind it, or an identifier; or the whole name is an identifier.
    static func matches(_ stem: String) -> Bool {
        let found = stem.lowercased().utf8.split { !isAlphanumeric($0) }
        return found.allSatisfy(isAutomatic) || isDigest(found.joined())
    }

    private static func isAutomatic(_ word: Substring.UTF8View) -> Bool {
        let letters = word.prefix { !isDigit($0) }
        guard word.dropFirst(letters.count).allSatisfy(isDigit) else { return isIdentifier(word) }
        return letters.isEmpty || words.contains(String(Substring(letters)))
    }

    /// Whether a word is hexadecimal digits in disorder: `a1b2c3d4`, but not `cafe2024`.
    private static func isIdentifier(_ word: Substring.UTF8View) -> Bool {
        let changes = zip(word, word.dropFirst()).count { isDigit($0) != isDigit($1) }
        return word.count >= shortestIdentifier && changes > 1 && word.allSatisfy(isHexadecimal)
    }

    /// Whether the words of a name are the parts of a digest or a UUID.
    private static func isDigest(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.count >= shortestDigest && bytes.contains(where: isDigit) && bytes.allSatisfy(isHexadecimal)
    }

    /// The fewest digits of an identifier in one word. Shorter ones are often words with a number.
    private static let shortestIdentifier = 8
    /// The fewest hexadecimal digits that are no words with a number, in whatever order they are.
    private static let shortestDigest = 16

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    private static func isHexadecimal(_ byte: UInt8) -> Bool { isDigit(byte) || (0x61...0x66).contains(byte) }
    /// A byte of a letter outside of ASCII belongs to a word.
    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x61...0x7A).contains(byte) || byte >= 0x80
    }

    /// Words in small letters.
    private static let words: Set<String> = Set(
        """
        burst cimg dsc dscf dscn gh gopr gx hdr img imgp kimg mov mvi p pano pict pxl sam vid wa
        audio bild foto image imagen immagine movie photo pic picture recording rec video voice
        attachment anhang doc document documento dokument file fax scan scn scanned text
        default download downloads index new neu neues nouveau nuevo noname temp tmp track unbenannt unknown unnamed
        untitled copy copia copie kopie
        """.split(whereSeparator: \.isWhitespace).map(String.init))
}
