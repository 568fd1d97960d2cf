import ShareModel

/// Makes untrusted text safe for a terminal. A character that could move the cursor, reorder a line or hide in it is
/// shown as an escape.
///
/// These are control characters such as ESC, line and paragraph separators, private characters, and format characters
/// (Unicode's category Cf), such as the bidirectional overrides. Two of category Cf are shown as they are: the joiners,
/// which scripts and emoji need.
enum SafeText {
    /// The most Unicode scalars of a name to show; an ellipsis stands for the rest.
    static let nameLimit = 300
    /// The most Unicode scalars of any text to show: half of them from its start, half from its end, because a message
    /// ends with its remedy.
    static let limit = 16_384

    static func escape(_ text: some StringProtocol) -> String {
        if text.utf8.count <= limit, isPlain(text.utf8) { return String(text) }
        let scalars = text.unicodeScalars
        guard scalars.count > limit else { return escape(scalars) }
        return escape(scalars.prefix(limit / 2)) + " … " + escape(scalars.suffix(limit / 2))
    }

    /// A name, a title or a caption, cut to ``nameLimit``.
    static func escape(name: some StringProtocol) -> String {
        let head = name.unicodeScalars.prefix(nameLimit)
        return escape(head) + (head.endIndex < name.unicodeScalars.endIndex ? "…" : "")
    }

    /// Whether the text needs no escape.
    static func isSafe(_ text: some StringProtocol) -> Bool { text.unicodeScalars.allSatisfy(isSafe) }

    /// Whether every byte is a visible ASCII character or a space. Most text is, and this test is much faster than the
    /// properties of each scalar.
    private static func isPlain(_ bytes: some Sequence<UInt8>) -> Bool {
        bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
    }

    private static func escape(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        scalars.reduce(into: "") { $0 += isSafe($1) ? String($1) : escape($1) }
    }

    /// A name's bytes as text; each byte that is not UTF-8 is shown like `\xE4`.
    static func escape(bytes: some Sequence<UInt8>) -> String {
        let bytes = Array(bytes)
        if isPlain(bytes) { return String(decoding: bytes, as: UTF8.self) }
        var result = ""
        for run in UTF8Runs(bytes: bytes).runs {
            switch run {
            case .text(let text): result += escape(text)
            case .bytes(let bytes): result += bytes.map { "\\x" + hexadecimal(UInt32($0)) }.joined()
            }
        }
        return result
    }

    /// A line of JSON with the escapes of JSON. The encoder escapes the control characters of ASCII, and what is unsafe besides
    /// them is found in strings alone.
    static func escape(json line: [UInt8]) -> [UInt8] {
        // The first unsafe scalar is U+007F.
        guard line.contains(where: { $0 >= 0x7F }) else { return line }
        return String(decoding: line, as: UTF8.self).unicodeScalars.reduce(into: []) { bytes, scalar in
            if isSafe(scalar) { return bytes += UTF8.encode(scalar).map(Array.init) ?? [] }
            for unit in UTF16.encode(scalar).map(Array.init) ?? [] {
                bytes += Array("\\u\(unit.padded(to: 4, radix: 16))".utf8)
            }
        }
    }

    private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value >= 0x20 && scalar.value != 0x7F }
        return switch scalar.properties.generalCategory {
        // The zero-width non-joiner and joiner.
        case .format: scalar.value == 0x200C || scalar.value == 0x200D
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse: false
        default: true
        }
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        default: "\\u{" + hexadecimal(scalar.value) + "}"
        }
    }

    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return digits.utf8.count % 2 == 0 ? digits : "0" + digits
    }
}
