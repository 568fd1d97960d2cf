extension JSONValue {
    /// The largest number of values in a document, if its reader names no other.
    public static let countLimit = 1_000_000

    /// Reads a document: JSON in UTF-8 (RFC 8259), with or without a byte order mark. Of members with the same key, the first
    /// counts; keys are the same if they are canonically equivalent. A whole number that fits into 64 bits becomes an integer; if
    /// it is written with a fraction or an exponent, only below 2^53, where no digit is lost.
    ///
    /// Foundation's decoder takes far longer for values of unknown shape, because it makes an error for each wrong guess. It
    /// also accepts a comma before a closing bracket.
    ///
    /// - Parameter values: the largest number of values in the document.
    /// - Throws: ``JSONFault``, also for more values, and for arrays and objects that are nested more than 512 deep.
    public init(json bytes: [UInt8], values: Int = JSONValue.countLimit) throws(JSONFault) {
        var reader = JSONReader(bytes, valueLimit: values, makesValues: true)
        self = try reader.document()
    }
}

/// Reads a document without recursion: a list of open arrays and objects holds the nesting.
struct JSONReader {
    private let bytes: [UInt8]
    private var index = 0
    private var open: [OpenValue] = []
    private var values = 0
    private let valueLimit: Int
    /// Whether to keep the values. Otherwise only the grammar is checked, and no more than one string is in memory.
    private let makesValues: Bool

    init(_ bytes: [UInt8], valueLimit: Int, makesValues: Bool) {
        self.bytes = bytes
        self.valueLimit = valueLimit
        self.makesValues = makesValues
    }

    /// An array or object without its end.
    private struct OpenValue {
        let isObject: Bool
        var isEmpty = true
        var elements: [JSONValue] = []
        /// Put into a dictionary at the end, when their number is known, so that it does not grow.
        var members: [(String, JSONValue)] = []
        /// The key of the next member.
        var key = ""

        mutating func add(_ value: JSONValue) {
            if isObject { members.append((key, value)) } else { elements.append(value) }
        }

        var value: JSONValue { isObject ? .object(object) : .array(elements) }

        private var object: [String: JSONValue] {
            let object = Dictionary(members) { first, _ in first }
            // With repeated keys, it has room for more members than it keeps.
            return object.count == members.count ? object : object.filter { _ in true }
        }
    }

    private struct Complaint: Error {
        let what: String

        init(_ what: String) { self.what = what }
    }

    /// The value of the document; `null` if values are not made.
    mutating func document() throws(JSONFault) -> JSONValue {
        do throws(Complaint) {
            return try whole()
        } catch {
            let before = bytes[..<min(index, bytes.count)]
            let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            throw JSONFault(
                line: before.count { $0 == UInt8(ascii: "\n") } + 1, column: before.count - start + 1, what: error.what)
        }
    }

    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private mutating func whole() throws(Complaint) -> JSONValue {
        if bytes.starts(with: Self.byteOrderMark) { index = Self.byteOrderMark.count }
        var last = try value()
        while !open.isEmpty {
            if makesValues, let last { open[open.count - 1].add(last) }
            last = try item()
        }
        skipSpace()
        guard next == nil else { throw Complaint("something follows the end of the document") }
        return last ?? .null
    }

    /// Reads the end of the innermost array or object, or its next value.
    ///
    /// - Returns: as ``value()``, or the array or object that ended.
    private mutating func item() throws(Complaint) -> JSONValue? {
        let (isObject, isEmpty) = (open[open.count - 1].isObject, open[open.count - 1].isEmpty)
        skipSpace()
        if let byte = next, byte == UInt8(ascii: isObject ? "}" : "]") {
            index += 1
            return open.removeLast().value
        }
        if !isEmpty {
            guard let byte = next else { throw Complaint(isObject ? "an object has no end" : "an array has no end") }
            guard byte == UInt8(ascii: ",") else {
                throw Complaint("a comma or \(isObject ? "'}'" : "']'") is missing here")
            }
            index += 1
        }
        open[open.count - 1].isEmpty = false
        if isObject { open[open.count - 1].key = try key() }
        return try value()
    }

    private mutating func key() throws(Complaint) -> String {
        skipSpace()
        guard next == UInt8(ascii: "\"") else { throw Complaint("a key in quotes is missing here") }
        let key = try string()
        skipSpace()
        guard next == UInt8(ascii: ":") else { throw Complaint("a colon is missing after a key") }
        index += 1
        return key
    }

    /// Reads a value, or the opening bracket of one.
    ///
    /// - Returns: `nil` after a bracket.
    private mutating func value() throws(Complaint) -> JSONValue? {
        skipSpace()
        values += 1
        guard values <= valueLimit else { throw Complaint("it has more than \(valueLimit) values") }
        guard let byte = next else { throw Complaint("it ends where a value should be") }
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard open.count < JSONFault.depthLimit else {
                throw Complaint("it is nested more than \(JSONFault.depthLimit) deep")
            }
            index += 1
            open.append(OpenValue(isObject: byte == UInt8(ascii: "{")))
            return nil
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: return try word()
        }
    }

    /// Reads a string; an empty one if values are not made.
    private mutating func string() throws(Complaint) -> String {
        index += 1
        let start = index
        // The text before the last escape, and that escape.
        var unescaped: [UInt8] = []
        var rest = index
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                let last = bytes[rest..<index]
                guard let text = rest == start ? Self.text(last) : Self.text((unescaped + last)[...]) else {
                    index = start
                    throw Complaint("this string is not UTF-8")
                }
                index += 1
                return makesValues ? text : ""
            case UInt8(ascii: "\\"):
                unescaped += bytes[rest..<index]
                unescaped += try escape().utf8
                rest = index
            case 0..<0x20: throw Complaint("a control character in a string must be written as an escape")
            default: index += 1
            }
        }
        throw Complaint("a string has no end")
    }

    /// - Returns: `nil` for bytes that are not UTF-8.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
        // Most strings are ASCII, and to validate costs several times as much as to make the string.
        bytes.allSatisfy { $0 < 0x80 }
            ? String(decoding: bytes, as: UTF8.self) : String(validating: bytes, as: UTF8.self)
    }

    /// Reads an escape.
    private mutating func escape() throws(Complaint) -> String {
        index += 1
        guard let byte = next, "\"\\/bfnrtu".utf8.contains(byte) else { throw Complaint("no such escape") }
        index += 1
        switch byte {
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: return String(UnicodeScalar(byte))
        }
        let unit = try codeUnit()
        guard (0xD800..<0xE000).contains(unit) else { return String(decoding: [unit], as: UTF16.self) }
        guard unit < 0xDC00, bytes[index...].starts(with: "\\u".utf8) else {
            throw Complaint("half of a surrogate pair stands alone")
        }
        index += 2
        let second = try codeUnit()
        guard (0xDC00..<0xE000).contains(second) else { throw Complaint("half of a surrogate pair stands alone") }
        return String(decoding: [unit, second], as: UTF16.self)
    }

    private mutating func codeUnit() throws(Complaint) -> UInt16 {
        let digits = String(decoding: bytes[index...].prefix(4), as: UTF8.self)
        guard digits.utf8.count == 4, digits.allSatisfy(\.isHexDigit), let unit = UInt16(digits, radix: 16) else {
            throw Complaint("\\u needs four hexadecimal digits")
        }
        index += 4
        return unit
    }

    private mutating func number() throws(Complaint) -> JSONValue {
        let start = index
        if next == UInt8(ascii: "-") { index += 1 }
        let first = next
        let count = skipDigits()
        var isWellFormed = count == 1 || count > 1 && first != UInt8(ascii: "0")
        var isInteger = true
        if next == UInt8(ascii: ".") {
            index += 1
            isInteger = false
            if skipDigits() == 0 { isWellFormed = false }
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            index += 1
            isInteger = false
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { index += 1 }
            if skipDigits() == 0 { isWellFormed = false }
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        if isWellFormed, isInteger, let number = Int64(text) { return .integer(number) }
        guard isWellFormed, let number = Double(text) else {
            index = start
            throw Complaint("this is not a number")
        }
        // `1e400` follows the grammar, but does not fit into a `Double`.
        guard number.isFinite else {
            index = start
            throw Complaint("this number is too large")
        }
        if isInteger { return .number(number) }
        // A `Double` has each whole number below this.
        guard number.magnitude < 0x1p53, let whole = Int64(exactly: number) else { return .number(number) }
        return .integer(whole)
    }

    /// - Returns: the number of digits.
    private mutating func skipDigits() -> Int {
        let start = index
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { index += 1 }
        return index - start
    }

    private mutating func word() throws(Complaint) -> JSONValue {
        let words: [(String, JSONValue)] = [("true", .bool(true)), ("false", .bool(false)), ("null", .null)]
        for (word, value) in words where bytes[index...].starts(with: word.utf8) {
            index += word.utf8.count
            return value
        }
        throw Complaint("no value starts like this; strings need double quotes")
    }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }
}
