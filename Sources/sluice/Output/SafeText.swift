/// Text from strangers, made safe for a terminal: what could move the cursor, reorder a line or hide in it is shown
/// as an escape.
///
/// Shown as escapes: control characters (ESC among them), format characters such as the bidirectional overrides
/// (Unicode's category Cf, without the two joiners that scripts and emoji need), line and paragraph separators, tags.
enum SafeText {
    /// How many Unicode scalars of one string are shown; the rest is an ellipsis.
    static let limit = 300

    static func escape(_ text: some StringProtocol) -> String {
        var result = ""
        var count = 0
        for scalar in text.unicodeScalars {
            guard count < limit else { return result + "…" }
            count += 1
            result += isSafe(scalar) ? String(scalar) : escape(scalar)
        }
        return result
    }

    /// A name's bytes; those that are not UTF-8 as `\xE4`.
    static func escape(bytes: some Sequence<UInt8>) -> String {
        var result = ""
        for run in UTF8Runs(bytes: Array(bytes)).runs {
            switch run {
            case .text(let text): result += escape(text)
            case .bytes(let bytes): result += bytes.map { "\\x" + hexadecimal(UInt32($0)) }.joined()
            }
        }
        return result
    }

    private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value >= 0x20 && scalar.value != 0x7F }
        return switch scalar.properties.generalCategory {
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
