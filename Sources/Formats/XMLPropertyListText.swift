/// Converts the text of the elements of an XML property list; `nil` for malformed text.
enum XMLPropertyListText {
    static func trimmed(_ text: String) -> String {
        let bytes = text.utf8.drop(while: XMLScanner.isSpace)
        let end = bytes.lastIndex { !XMLScanner.isSpace($0) }.map { bytes.index(after: $0) }
        return String(decoding: bytes[bytes.startIndex..<(end ?? bytes.startIndex)], as: UTF8.self)
    }

    /// The character of a reference, from the name between `&` and `;`.
    static func reference(_ name: String) -> Unicode.Scalar? {
        switch name {
        case "lt": "<"
        case "gt": ">"
        case "amp": "&"
        case "quot": "\""
        case "apos": "'"
        default: numericReference(name)
        }
    }

    private static func numericReference(_ name: String) -> Unicode.Scalar? {
        guard name.hasPrefix("#") else { return nil }
        let digits = name.dropFirst()
        let number = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        // XML 1.0, section 2.2, does not allow the character 0.
        return number.flatMap { $0 == 0 ? nil : Unicode.Scalar($0) }
    }

    /// A decimal number, or a hexadecimal one after `0x`, with an optional sign.
    static func integer(_ text: String) -> Int128? {
        let isNegative = text.hasPrefix("-")
        let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
        guard let first = digits.utf8.first, first != UInt8(ascii: "-"), first != UInt8(ascii: "+") else { return nil }
        let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
        let number = isHexadecimal ? UInt64(digits.dropFirst(2), radix: 16) : UInt64(digits)
        return number.map { isNegative ? -Int128($0) : Int128($0) }
    }

    /// The seconds since 2001-01-01 of a date `YYYY-MM-DDTHH:MM:SSZ`.
    static func date(_ text: String) -> Double? {
        let separators = Array("--T::Z".utf8)
        let widths = [4, 2, 2, 2, 2, 2]
        var rest = Array(text.utf8)[...]
        var numbers: [Int] = []
        for (width, separator) in zip(widths, separators) {
            let digits = rest.prefix(width)
            guard digits.count == width, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            rest = rest.dropFirst(width)
            guard rest.first == separator else { return nil }
            rest = rest.dropFirst()
            numbers.append(digits.reduce(0) { $0 * 10 + Int($1 - 0x30) })
        }
        guard rest.isEmpty, (1...12).contains(numbers[1]), (1...31).contains(numbers[2]), numbers[3] < 24,
            numbers[4] < 60, numbers[5] <= 60
        else { return nil }
        let days = days(year: numbers[0], month: numbers[1], day: numbers[2])
        return Double(days * 86400 + numbers[3] * 3600 + numbers[4] * 60 + numbers[5])
    }

    /// The days since 2001-01-01 in the Gregorian calendar. Years start in March here, so that a leap day is the last
    /// day.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let year = month > 2 ? year : year - 1
        let monthFromMarch = (month + 9) % 12
        let leapDays =
            Int((Double(year) / 4).rounded(.down)) - Int((Double(year) / 100).rounded(.down))
            + Int((Double(year) / 400).rounded(.down))
        return year * 365 + leapDays + (monthFromMarch * 153 + 2) / 5 + day - 1 - 730_791
    }

    /// The bytes of base64 text (RFC 4648, section 4), which may contain white space.
    static func base64(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        var padding = 0
        for byte in text.utf8 where !XMLScanner.isSpace(byte) {
            if byte == UInt8(ascii: "=") {
                padding += 1
                continue
            }
            guard padding == 0, let digit = base64Digit(byte) else { return nil }
            bits = bits << 6 | digit
            count += 1
            if count % 4 == 0 { bytes += [UInt8(bits >> 16 & 255), UInt8(bits >> 8 & 255), UInt8(bits & 255)] }
        }
        switch count % 4 {
        case 0: break
        case 2: bytes.append(UInt8(bits >> 4 & 255))
        case 3: bytes += [UInt8(bits >> 10 & 255), UInt8(bits >> 2 & 255)]
        default: return nil
        }
        return padding <= 2 ? bytes : nil
    }

    private static func base64Digit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte) - 71
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte) + 4
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
