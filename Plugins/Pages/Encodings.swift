import CUchardet
import SinkTools

/// Finds the encoding of a text: by its byte order mark, by what the text states, or by its bytes.
package enum Encodings {
    /// The bytes that a detector looks at.
    package static let examined = 1 << 20
    /// The encoding of Western Windows, which older texts without any other sign most likely have.
    package static let fallback = "WINDOWS-1252"

    /// A text, and its encoding by its usual name.
    package struct Decoded {
        package var text: String
        package var encoding: String

        /// The name, if it says something: not for UTF-8 and ASCII.
        package var notable: String? { encoding == "UTF-8" ? nil : encoding }
    }

    /// Decodes a text.
    ///
    /// - Parameter stated: the encoding that the text or its mail states. It does not count if the system does not know
    ///   it, or if it says UTF-8 or ASCII and the bytes are something else.
    package static func decode(_ bytes: ArraySlice<UInt8>, stated: String? = nil) -> Decoded {
        if let mark = mark(of: bytes) {
            return decode(bytes.dropFirst(mark.length), mark.encoding)
        }
        let isUTF8 = isUTF8(bytes)
        if let stated = stated.map(canonical), stated != "UTF-8",
            let text = Charset.decode(bytes, converter(stated))
        {
            return Decoded(
                text: text, encoding: bytes.allSatisfy { $0 < 0x80 } && isUTF8 && !isStateful(stated) ? "UTF-8" : stated
            )
        }
        // Both bytes of many of its characters are ASCII too, so this comes first.
        if let wide = wide(bytes) { return decode(bytes, wide) }
        if isUTF8, !isISO2022(bytes) { return decode(bytes, "UTF-8") }
        if isEBCDIC(bytes) { return decode(bytes, "IBM037") }
        if isMostlyUTF8(bytes) { return decode(bytes, "UTF-8") }
        let found = detected(bytes) ?? fallback
        let isLatin = latin.contains(found) && !isStateful(found) && found != "UTF-8"
        return decode(bytes, isLatin ? LatinLetters.best(bytes, found) : found)
    }

    private static func decode(_ bytes: ArraySlice<UInt8>, _ encoding: String) -> Decoded {
        if let text = Charset.decode(bytes, converter(encoding)) { return Decoded(text: text, encoding: encoding) }
        return Decoded(text: Charset.decode(bytes, fallback) ?? "", encoding: fallback)
    }

    private static func mark(of bytes: ArraySlice<UInt8>) -> (encoding: String, length: Int)? {
        let marks: [([UInt8], String)] = [
            ([0xEF, 0xBB, 0xBF], "UTF-8"), ([0xFF, 0xFE, 0, 0], "UTF-32LE"), ([0, 0, 0xFE, 0xFF], "UTF-32BE"),
            ([0xFF, 0xFE], "UTF-16LE"), ([0xFE, 0xFF], "UTF-16BE"),
        ]
        return marks.first { bytes.starts(with: $0.0) }.map { ($0.1, $0.0.count) }
    }

    /// Whether the bytes are UTF-8. The last character may be cut.
    package static func isUTF8(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        // A cut leaves the beginning of a character. The longest whole one has four bytes.
        for byte in bytes.suffix(4).reversed() {
            if byte < 0x80 { break }
            rest = rest.dropLast()
            if byte >= 0xC0 {
                let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
                if bytes.count - rest.count == length { rest = bytes }
                break
            }
        }
        return rest.withUnsafeBufferPointer { String(validating: $0, as: UTF8.self) != nil }
    }

    /// Whether the bytes are UTF-8 with a few faults, at most one in ten characters beyond ASCII.
    private static func isMostlyUTF8(_ bytes: ArraySlice<UInt8>) -> Bool {
        var (good, bad) = (0, 0)
        for scalar in String(decoding: bytes.prefix(examined), as: UTF8.self).unicodeScalars where !scalar.isASCII {
            if scalar == "\u{FFFD}" { bad += 1 } else { good += 1 }
        }
        return bad > 0 && bad * 10 <= good
    }

    /// UTF-16 without a mark: the bytes on one side are zero for at least a quarter of the characters, and hardly on the other side.
    /// Two characters, such as the ideographic space, have a zero there.
    private static func wide(_ bytes: ArraySlice<UInt8>) -> String? {
        let head = bytes.prefix(4096)
        guard head.count >= 4, head.contains(0) else { return nil }
        var zeros = [0, 0]
        for (index, byte) in head.enumerated() where byte == 0 { zeros[index & 1] += 1 }
        let half = head.count / 2
        if zeros[1] * 4 >= half, zeros[0] * 4 <= zeros[1] { return "UTF-16LE" }
        if zeros[0] * 4 >= half, zeros[1] * 4 <= zeros[0] { return "UTF-16BE" }
        return nil
    }

    /// Whether the words are separated by the blanks of EBCDIC, and most of what it gives are letters and digits.
    private static func isEBCDIC(_ bytes: ArraySlice<UInt8>) -> Bool {
        let head = bytes.prefix(4096)
        // Lines of EBCDIC end with other bytes.
        let blanks = head.count { $0 == 0x40 }
        guard !head.contains(0x20), !head.contains(0x0A), blanks * 25 >= head.count,
            !hasWideBlanks(Array(head), blanks),
            let text = Charset.decode(head, "IBM037")
        else { return false }
        return text.count { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == " ") } * 4 >= head.count * 3
    }

    /// Whether most blanks are the second bytes of ideographic blanks in Shift JIS (0x81) or Big5 (0xA1). The host has the same
    /// rule in `Sources/Sniffing/Inspectors/Text/EBCDICInspector.swift`, with the reason.
    private static func hasWideBlanks(_ bytes: [UInt8], _ blanks: Int) -> Bool {
        var wide = zip(bytes, bytes.dropFirst()).count { $0 == 0xA1 && $1 == 0x40 }
        var place = 0
        while place + 1 < bytes.count {
            let byte = bytes[place]
            if byte == 0x81, bytes[place + 1] == 0x40 { wide += 1 }
            let isFirst = (0x81...0x9F).contains(byte) || (0xE0...0xFC).contains(byte)
            place += isFirst ? 2 : 1
        }
        return wide * 3 > blanks * 2
    }

    private static func isISO2022(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let escape = bytes.prefix(examined).firstIndex(of: 0x1B) else { return false }
        let next = bytes[escape...].dropFirst().prefix(2)
        return next.elementsEqual("$B".utf8) || next.elementsEqual("$@".utf8) || next.elementsEqual("$)".utf8)
    }

    private static func isStateful(_ encoding: String) -> Bool {
        ["ISO-2022", "UTF-7", "UTF-16", "UTF-32", "HZ"].contains { encoding.hasPrefix($0) }
    }

    private static func detected(_ bytes: ArraySlice<UInt8>) -> String? {
        guard let detector = uchardet_new() else { return nil }
        defer { uchardet_delete(detector) }
        let first = bytes.firstIndex { $0 >= 0x80 || $0 == 0x1B } ?? bytes.startIndex
        // Many ASCII characters before the first other one say nothing.
        let start = max(bytes.startIndex, first - 4096)
        let status = bytes[start...].prefix(examined).withUnsafeBytes { raw in
            uchardet_handle_data(detector, raw.baseAddress?.assumingMemoryBound(to: CChar.self), raw.count)
        }
        guard status == 0 else { return nil }
        uchardet_data_end(detector)
        guard let name = uchardet_get_charset(detector) else { return nil }
        let found = String(cString: name)
        guard !found.isEmpty, found != "ASCII" else { return nil }
        let encoding = canonical(found)
        return latin.contains(encoding) || !areSingle(bytes[start...].prefix(examined)) ? encoding : nil
    }

    /// Whether most bytes beyond ASCII stand alone, as the accented letters and the quotes of Latin script do. A
    /// detector takes a few of them for another script.
    private static func areSingle(_ bytes: ArraySlice<UInt8>) -> Bool {
        var (count, runs) = (0, 0)
        var wasHigh = false
        for byte in bytes {
            let isHigh = byte >= 0x80
            if isHigh { count += 1 }
            if isHigh, !wasHigh { runs += 1 }
            wasHigh = isHigh
        }
        return runs > 0 && count * 2 < runs * 3
    }

    /// The encodings of Latin script, and those that need no bytes beyond ASCII.
    private static let latin: Set<String> = [
        "WINDOWS-1250", "WINDOWS-1252", "WINDOWS-1254", "WINDOWS-1257", "WINDOWS-1258", "ISO-8859-2", "ISO-8859-3",
        "ISO-8859-4", "ISO-8859-10", "ISO-8859-13", "ISO-8859-15", "ISO-8859-16", "IBM852", "MAC-CENTRALEUROPE",
        "VISCII", "UTF-8", "UTF-16", "UTF-32", "ISO-2022-JP", "ISO-2022-KR", "ISO-2022-CN", "HZ-GB-2312",
    ]

    /// The usual name of an encoding, in capitals.
    package static func canonical(_ name: String) -> String {
        let name = String(name.uppercased().prefix(40)).replacing("_", with: "-").filter {
            !$0.isWhitespace && $0 != "\""
        }
        return names[name] ?? (name.hasPrefix("CP125") ? "WINDOWS-" + name.dropFirst(2) : name)
    }

    /// Web browsers read these names in the same way.
    private static let names = [
        "UTF8": "UTF-8", "ASCII": "UTF-8", "US-ASCII": "UTF-8", "UNICODE-1-1-UTF-8": "UTF-8", "UTF-8-SIG": "UTF-8",
        "ANSI-X3.4-1968": "UTF-8", "": "UTF-8", "UNKNOWN-8BIT": "UTF-8", "X-UNKNOWN": "UTF-8",
        "ISO-8859-1": "WINDOWS-1252", "ISO8859-1": "WINDOWS-1252", "LATIN1": "WINDOWS-1252", "L1": "WINDOWS-1252",
        "ISO-8859-9": "WINDOWS-1254", "LATIN5": "WINDOWS-1254", "ISO-8859-11": "WINDOWS-874", "TIS-620": "WINDOWS-874",
        "SHIFT-JIS": "SHIFT_JIS", "SJIS": "SHIFT_JIS", "X-SJIS": "SHIFT_JIS", "CP932": "SHIFT_JIS",
        "WINDOWS-31J": "SHIFT_JIS", "MS-KANJI": "SHIFT_JIS",
        "GB2312": "GB18030", "GBK": "GB18030", "CP936": "GB18030", "X-GBK": "GB18030", "EUC-CN": "GB18030",
        "KS-C-5601-1987": "EUC-KR", "KSC5601": "EUC-KR", "UHC": "EUC-KR", "CP949": "EUC-KR",
        "BIG5-HKSCS": "BIG5", "CP950": "BIG5", "UNICODE-1-1-UTF-7": "UTF-7",
    ]

    /// The system's name of an encoding.
    static func converter(_ encoding: String) -> String {
        switch encoding {
        case "SHIFT_JIS": "CP932"
        case "EUC-KR": "UHC"
        case "BIG5": "BIG5-HKSCS"
        case "WINDOWS-874": "CP874"
        default: encoding.hasPrefix("WINDOWS-") ? "CP" + encoding.dropFirst(8) : encoding
        }
    }
}
