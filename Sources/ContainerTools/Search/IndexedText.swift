internal import ShareModel

/// Text in the form in which the index holds it.
///
/// The tokenizer finds words by the spaces between them, and Chinese and Japanese have none. So each of their characters
/// is a word of its own here: a zero width space, which ends a word and is not visible, follows it. A search for two or
/// more of them looks for them as a phrase.
enum IndexedText {
    /// U+200B, zero width space.
    private static let separator: [UInt8] = [0xE2, 0x80, 0x8B]

    /// The text with separators, and without control characters except tabs, line ends and form feeds.
    static func prepare(_ text: String) -> String {
        // The tokenizer folds accents, but does not join the parts of Korean and Japanese letters, which file names of
        // macOS have. In UTF-8, these parts begin with E1 or E3.
        let mayHaveParts = text.utf8.contains(0xE1) || text.utf8.contains(0xE3)
        var text =
            mayHaveParts && text.unicodeScalars.contains(where: isPart)
            ? text.composed : text
        return text.withUTF8 { bytes in
            guard bytes.contains(where: { $0 >= 0xE2 || isControl($0) }) else {
                return String(decoding: bytes, as: UTF8.self)
            }
            var result: [UInt8] = []
            result.reserveCapacity(bytes.count + bytes.count / 8)
            var index = 0
            while index < bytes.count {
                let byte = bytes[index]
                guard byte >= 0xE2 else {
                    result.append(isControl(byte) ? 0x20 : byte)
                    index += 1
                    continue
                }
                let length = min(byte >= 0xF0 ? 4 : 3, bytes.count - index)
                let scalar = bytes[index..<index + length]
                index += length
                // One that is in the text already would disappear from a snippet.
                if scalar.elementsEqual(separator) { continue }
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

    /// Whether a scalar is a part of a Korean letter, or a voice mark of Japanese.
    private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        (0x1100...0x11FF).contains(scalar.value) || scalar.value == 0x3099 || scalar.value == 0x309A
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
