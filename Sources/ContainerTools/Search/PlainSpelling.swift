/// The other spellings under which a person looks for a word.
///
/// The tokenizer removes the accents of Latin letters. The plain spelling is without what it keeps: the accents of Greek, the
/// dots of ё, the vowel signs of Hebrew and Arabic, and the Latin letters that are not a plain one with an accent, such as ß
/// and ø. The long one has two letters for one, as in Froesche and Aarhus.
enum PlainSpelling {
    /// Calls `body` with each other spelling of each word.
    ///
    /// - Parameter text: in the form of ``IndexedText``.
    static func forEachWord(in text: String, _ body: (String) -> Void) {
        // All letters that are concerned begin with such a byte.
        guard text.utf8.contains(where: { $0 >= 0xC3 }) else { return }
        let scalars = text.unicodeScalars
        var start: String.Index?
        var isOther = false
        func end(_ place: String.Index) {
            if isOther, let start { spellings(of: scalars[start..<place]).forEach(body) }
            (start, isOther) = (nil, false)
        }
        for place in scalars.indices {
            let scalar = scalars[place]
            if !scalar.isASCII, plain(scalar) != nil || long[scalar] != nil {
                isOther = true
            } else if !scalar.isOfWord {
                end(place)
                continue
            }
            start = start ?? place
        }
        end(scalars.endIndex)
    }

    /// The other spellings of a text, at most two.
    static func all(of text: String) -> [String] { spellings(of: text.unicodeScalars[...]) }

    private static func spellings(of scalars: Substring.UnicodeScalarView) -> [String] {
        let text = String(scalars)
        let plain = spelling(of: scalars, plain)
        let long = spelling(of: scalars) { Self.long[$0] ?? Self.plain($0) }
        return (plain == text ? [] : [plain]) + (long == plain ? [] : [long])
    }

    private static func spelling(of scalars: Substring.UnicodeScalarView, _ letters: (Unicode.Scalar) -> String?)
        -> String
    {
        var result = String.UnicodeScalarView()
        for scalar in scalars {
            if !scalar.isASCII, let plain = letters(scalar) {
                result.append(contentsOf: plain.unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// Two letters for one, as German and the languages of the north write them without their own letters.
    private static let long: [Unicode.Scalar: String] = [
        "ä": "ae", "Ä": "ae", "ö": "oe", "Ö": "oe", "ü": "ue", "Ü": "ue", "å": "aa", "Å": "aa", "ø": "oe", "Ø": "oe",
    ]

    /// The plain letters for a scalar, in small letters; `nil` if it is plain itself.
    private static func plain(_ scalar: Unicode.Scalar) -> String? {
        switch scalar.value {
        case 0x00C0...0x0180, 0x1E9E: latin[scalar]
        case 0x0386...0x03CE, 0x0401, 0x0451: accented[scalar]
        // Points and accents of Hebrew; vowel signs of Arabic, and its stroke that makes words longer.
        case 0x0591...0x05BD, 0x05BF, 0x05C1, 0x05C2, 0x05C4, 0x05C5, 0x05C7, 0x0640, 0x064B...0x065F, 0x0670: ""
        case 0x0622, 0x0623, 0x0625, 0x0671: "\u{627}"
        case 0x1F00...0x1FFC: ancientGreek.first { $0.range.contains(scalar.value) }?.letter
        default: nil
        }
    }

    private static let latin: [Unicode.Scalar: String] = [
        "ß": "ss", "ẞ": "ss", "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe", "ø": "o", "Ø": "o", "ð": "d", "Ð": "d",
        "đ": "d", "Đ": "d", "þ": "th", "Þ": "th", "ł": "l", "Ł": "l", "ı": "i",
    ]

    private static let accented: [Unicode.Scalar: String] = [
        "ά": "α", "Ά": "α", "έ": "ε", "Έ": "ε", "ή": "η", "Ή": "η", "ί": "ι", "Ί": "ι", "ϊ": "ι", "Ϊ": "ι", "ΐ": "ι",
        "ό": "ο", "Ό": "ο", "ύ": "υ", "Ύ": "υ", "ϋ": "υ", "Ϋ": "υ", "ΰ": "υ", "ώ": "ω", "Ώ": "ω",
        "ё": "е", "Ё": "е",
    ]

    /// The block Greek Extended of Unicode.
    private static let ancientGreek: [(range: ClosedRange<UInt32>, letter: String)] = [
        (0x1F00...0x1F0F, "α"), (0x1F10...0x1F1D, "ε"), (0x1F20...0x1F2F, "η"), (0x1F30...0x1F3F, "ι"),
        (0x1F40...0x1F4D, "ο"), (0x1F50...0x1F5F, "υ"), (0x1F60...0x1F6F, "ω"), (0x1F70...0x1F71, "α"),
        (0x1F72...0x1F73, "ε"), (0x1F74...0x1F75, "η"), (0x1F76...0x1F77, "ι"), (0x1F78...0x1F79, "ο"),
        (0x1F7A...0x1F7B, "υ"), (0x1F7C...0x1F7D, "ω"), (0x1F80...0x1F8F, "α"), (0x1F90...0x1F9F, "η"),
        (0x1FA0...0x1FAF, "ω"), (0x1FB0...0x1FBC, "α"), (0x1FC2...0x1FC7, "η"), (0x1FC8...0x1FC9, "ε"),
        (0x1FCA...0x1FCC, "η"), (0x1FD0...0x1FDB, "ι"), (0x1FE4...0x1FE5, "ρ"), (0x1FEC...0x1FEC, "ρ"),
        (0x1FE0...0x1FEB, "υ"), (0x1FF8...0x1FF9, "ο"), (0x1FF2...0x1FFC, "ω"),
    ]
}
