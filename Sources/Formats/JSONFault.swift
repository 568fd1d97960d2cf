/// The first error in a text that is not JSON (RFC 8259), for the person who corrects it. Foundation's decoder does not
/// report the place.
package struct JSONFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// The line, from 1.
    package let line: Int
    /// The column in bytes, from 1.
    package let column: Int
    /// The error.
    package let what: String

    /// The largest depth of nested arrays and objects, the same as in Foundation's decoder.
    package static let depthLimit = 512

    /// The place and the error: `line 3, column 7: …`.
    package var description: String { "line \(line), column \(column): \(what)" }

    /// The first error; `nil` if the bytes are JSON.
    ///
    /// - Parameter values: the largest number of values in the document. Each value costs memory when it is decoded.
    package static func find(in bytes: [UInt8], values: Int = 1_000_000) -> JSONFault? {
        var scanner = Scanner(bytes: bytes, valueLimit: values)
        do {
            try scanner.document()
            return nil
        } catch {
            let before = bytes[..<min(scanner.index, bytes.count)]
            let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            return JSONFault(
                line: before.count { $0 == UInt8(ascii: "\n") } + 1, column: before.count - start + 1, what: error.what)
        }
    }

    private struct Complaint: Error {
        let what: String

        init(_ what: String) { self.what = what }
    }

    /// Checks the grammar without recursion: a list of open brackets holds the nesting.
    private struct Scanner {
        let bytes: [UInt8]
        var index = 0
        private var open: [UInt8] = []
        private var values = 0
        private let valueLimit: Int

        init(bytes: [UInt8], valueLimit: Int) { (self.bytes, self.valueLimit) = (bytes, valueLimit) }

        private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

        mutating func document() throws(Complaint) {
            try value()
            while let bracket = open.last {
                skipSpace()
                try item(of: bracket)
            }
            skipSpace()
            if next != nil { throw Complaint("something follows the end of the document") }
        }

        /// Reads the text after a value inside an array or object: its end, or a comma and the next value.
        private mutating func item(of bracket: UInt8) throws(Complaint) {
            let isObject = bracket == UInt8(ascii: "{")
            guard let byte = next else { throw Complaint(isObject ? "an object has no end" : "an array has no end") }
            if byte == UInt8(ascii: isObject ? "}" : "]") {
                open.removeLast()
                index += 1
            } else if byte == UInt8(ascii: ",") {
                index += 1
                try member(isObject)
            } else {
                throw Complaint("a comma or \(isObject ? "'}'" : "']'") is missing here")
            }
        }

        private mutating func member(_ isObject: Bool) throws(Complaint) {
            if isObject {
                skipSpace()
                guard next == UInt8(ascii: "\"") else { throw Complaint("a key in quotes is missing here") }
                try string()
                skipSpace()
                guard next == UInt8(ascii: ":") else { throw Complaint("a colon is missing after a key") }
                index += 1
            }
            try value()
        }

        private mutating func value() throws(Complaint) {
            skipSpace()
            values += 1
            guard values <= valueLimit else { throw Complaint("it has more than \(valueLimit) values") }
            guard let byte = next else { throw Complaint("it ends where a value should be") }
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["): try enter(byte)
            case UInt8(ascii: "\""): try string()
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
            default: try word()
            }
        }

        private mutating func enter(_ bracket: UInt8) throws(Complaint) {
            guard open.count < JSONFault.depthLimit else {
                throw Complaint("it is nested more than \(JSONFault.depthLimit) deep")
            }
            open.append(bracket)
            index += 1
            skipSpace()
            let isObject = bracket == UInt8(ascii: "{")
            if next == UInt8(ascii: isObject ? "}" : "]") {
                open.removeLast()
                index += 1
            } else {
                try member(isObject)
            }
        }

        private mutating func string() throws(Complaint) {
            let start = index + 1
            index += 1
            while let byte = next {
                switch byte {
                case UInt8(ascii: "\""):
                    guard String(validating: bytes[start..<index], as: UTF8.self) != nil else {
                        index = start
                        throw Complaint("this string is not UTF-8")
                    }
                    index += 1
                    return
                case UInt8(ascii: "\\"): try escape()
                case 0..<0x20: throw Complaint("a control character in a string must be written as an escape")
                default: index += 1
                }
            }
            throw Complaint("a string has no end")
        }

        private mutating func escape() throws(Complaint) {
            index += 1
            guard let byte = next, "\"\\/bfnrtu".utf8.contains(byte) else { throw Complaint("no such escape") }
            index += 1
            guard byte == UInt8(ascii: "u") else { return }
            let unit = try codeUnit()
            guard (0xD800..<0xE000).contains(unit) else { return }
            guard unit < 0xDC00, bytes[index...].starts(with: "\\u".utf8) else {
                throw Complaint("half of a surrogate pair stands alone")
            }
            index += 2
            guard (0xDC00..<0xE000).contains(try codeUnit()) else {
                throw Complaint("half of a surrogate pair stands alone")
            }
        }

        private mutating func codeUnit() throws(Complaint) -> Int {
            let digits = String(decoding: bytes[index...].prefix(4), as: UTF8.self)
            guard digits.utf8.count == 4, digits.allSatisfy(\.isHexDigit), let unit = Int(digits, radix: 16) else {
                throw Complaint("\\u needs four hexadecimal digits")
            }
            index += 4
            return unit
        }

        private mutating func number() throws(Complaint) {
            let start = index
            while let byte = next, "+-.0123456789eE".utf8.contains(byte) { index += 1 }
            let text = String(decoding: bytes[start..<index], as: UTF8.self)
            let digits = text.drop { $0 == "-" }
            // `1e400` follows the grammar, but does not fit into a `Double`.
            let isWellFormed =
                Double(text)?.isFinite == true && digits.first?.isNumber == true && text.last?.isNumber == true
                && !(digits.first == "0" && digits.dropFirst().first?.isNumber == true)
            guard isWellFormed else {
                index = start
                throw Complaint("this is not a number")
            }
        }

        private mutating func word() throws(Complaint) {
            for word in ["true", "false", "null"] where bytes[index...].starts(with: word.utf8) {
                index += word.utf8.count
                return
            }
            throw Complaint("no value starts like this; strings need double quotes")
        }

        private mutating func skipSpace() {
            while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
        }
    }
}
