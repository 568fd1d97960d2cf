internal import ShareModel

/// Text in the form in which the index holds it.
///
/// The tokenizer finds words by the spaces between them, and Chinese and Japanese have none. So each of their characters
/// is a word of its own here: a zero width space, which ends a word and is not visible, follows it. A search for two or
/// more of them looks for them as a phrase.
///
/// The usual spellings of a word that look the same are the same here: letters are composed, ligatures such as `ﬁ` are divided, and
/// soft hyphens and the like, which are not visible inside of a word, are left out.
enum IndexedText {
    /// U+200B, zero width space.
    private static let separator: [UInt8] = [0xE2, 0x80, 0x8B]

    /// The text with separators, and without control characters except tabs, line ends and form feeds.
    static func prepare(_ text: String) -> String {
        // The tokenizer folds the accents of Latin letters alone, and does not join the parts of others, which file names of
        // macOS have. In UTF-8, the first byte of a part is CC or more.
        let mayHaveParts = text.utf8.contains { $0 >= 0xCC }
        var text = mayHaveParts && text.unicodeScalars.contains(where: isPart) ? text.composed : text
        return text.withUTF8 { bytes in
            guard bytes.contains(where: { $0 >= 0xE2 || $0 == softHyphen[0] || isControl($0) }) else {
                return String(decoding: bytes, as: UTF8.self)
            }
            var result: [UInt8] = []
            result.reserveCapacity(bytes.count + bytes.count / 8)
            var index = 0
            while index < bytes.count {
                let byte = bytes[index]
                guard byte >= 0xE2 else {
                    if bytes[index...].starts(with: softHyphen) {
                        index += softHyphen.count
                        continue
                    }
                    result.append(isControl(byte) ? 0x20 : byte)
                    index += 1
                    continue
                }
                let length = min(byte >= 0xF0 ? 4 : 3, bytes.count - index)
                let scalar = bytes[index..<index + length]
                index += length
                // One that is in the text already would disappear from a snippet.
                if scalar.elementsEqual(separator) || isInvisible(scalar) { continue }
                if let letters = ligature(scalar) {
                    result += letters
                    continue
                }
                result += scalar
                if isIdeograph(scalar) { result += separator }
            }
            return String(decoding: result, as: UTF8.self)
        }
    }

    /// The text without the separators.
    static func restore(_ text: some StringProtocol) -> String {
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: text.unicodeScalars.lazy.filter { $0 != "\u{200B}" })
        return String(scalars)
    }

    /// Whether a text has characters that are words of their own.
    static func hasIdeographs(_ text: String) -> Bool {
        text.unicodeScalars.contains { $0.value >= 0x2E80 && isIdeograph($0.value) }
    }

    /// Whether a scalar may be composed with the one before it: the accents of Latin, Greek and Cyrillic, the hamzas of Arabic,
    /// the vowels of India and Burma, the parts of Korean letters, and the voice marks of Japanese.
    private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x300...0x36F, 0x653...0x655, 0x93C, 0x9BE...0x9D7, 0xB3E...0xDDF, 0x102E, 0x1100...0x11FF, 0x3099, 0x309A:
            true
        default: false
        }
    }

    /// U+00AD, which shows where a word may be divided.
    private static let softHyphen: [UInt8] = [0xC2, 0xAD]

    /// Whether a scalar is U+2060, word joiner, or U+FEFF, zero width no-break space.
    private static func isInvisible(_ scalar: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        scalar.elementsEqual([0xE2, 0x81, 0xA0]) || scalar.elementsEqual([0xEF, 0xBB, 0xBF])
    }

    /// The letters of U+FB00 to U+FB06, which are EF AC 80 to EF AC 86 in UTF-8.
    private static func ligature(_ scalar: Slice<UnsafeBufferPointer<UInt8>>) -> String.UTF8View? {
        guard scalar.starts(with: [0xEF, 0xAC]), let last = scalar.last, (0x80...0x86).contains(last) else {
            return nil
        }
        return ["ff", "fi", "fl", "ffi", "ffl", "st", "st"][Int(last) - 0x80].utf8
    }

    private static func isControl(_ byte: UInt8) -> Bool {
        byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0C || byte == 0x7F
    }

    private static func isIdeograph(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        let rest = bytes.dropFirst().reduce(UInt32(0)) { $0 << 6 | UInt32($1 & 0x3F) }
        let first = UInt32(bytes.first ?? 0)
        return isIdeograph(bytes.count == 4 ? (first & 0x07) << 18 | rest : (first & 0x0F) << 12 | rest)
    }

    /// Han with its radicals and extensions, Hiragana and Katakana, as Unicode's blocks have them. Korean has spaces.
    private static func isIdeograph(_ value: UInt32) -> Bool {
        switch value {
        case 0x2E80...0x2FDF, 0x3005...0x3007, 0x3021...0x3029, 0x3031...0x3035, 0x3038...0x303B, 0x3041...0x30FF,
            0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0xFF66...0xFF9F,
            0x1B000...0x1B16F, 0x20000...0x3FFFF:
            true
        default: false
        }
    }
}
