/// The outline of a JSON text (RFC 8259): its top object or array, and the first keys.
///
/// The text must be well-formed as far as it goes. JSON lines have several ``documents``. Bare numbers, words and
/// strings do not count as JSON here, but as plain text. The outline keeps only the places of keys, so its size does
/// not depend on the text.
package struct JSONOutline: Sendable {
    /// A member of the top object.
    package struct Member: Sendable, Hashable {
        /// The range of the key, as written, without its quotes.
        package var key: Range<Int>
        /// The offset of the value.
        package var value: Int
    }

    /// The members of the first object; at most ``memberLimit``.
    package private(set) var members: [Member] = []
    /// Whether the first value is an object.
    package private(set) var isObject = false
    /// The number of top values. Each starts on its own line.
    package private(set) var documents = 0
    /// Whether each value is an object on one line.
    package private(set) var areLines = true

    /// The largest number of members.
    package static let memberLimit = 64
    /// The largest depth of nested arrays and objects.
    package static let depthLimit = 512

    /// Reads at most `window` bytes. If `isWhole` is false, the text may end anywhere. `nil` if the text is not JSON.
    package init?(_ text: [UInt8], upTo window: Int = .max, isWhole: Bool) {
        let isWhole = isWhole && text.count <= window
        let end = text.withUnsafeBufferPointer { buffer -> Scanner.End in
            var scanner = Scanner(bytes: UnsafeBufferPointer(rebasing: buffer.prefix(window)))
            return scanner.scan(&self)
        }
        switch end {
        case .fault: return nil
        case .cut: if isWhole { return nil }
        case .complete: break
        }
        guard documents == 1 || (documents > 1 && areLines) else { return nil }
    }

    private struct Scanner {
        enum End { case complete, cut, fault }

        /// The parts of the grammar that may come next.
        private enum Place { case value, firstValue, key, firstKey, colon, next }

        let bytes: UnsafeBufferPointer<UInt8>
        private var index = 0
        /// For each open bracket: whether it belongs to an object.
        private var open: [Bool] = []
        private var isInObject = false
        private var place = Place.value
        private var sawLineEnd = true

        init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

        mutating func scan(_ outline: inout JSONOutline) -> End {
            while true {
                skipSpace()
                guard index < bytes.count else { return open.isEmpty && outline.documents > 0 ? .complete : .cut }
                let end = open.isEmpty ? begin(&outline) : step(&outline)
                if let end { return end }
            }
        }

        private mutating func begin(_ outline: inout JSONOutline) -> End? {
            let isObject = bytes[index] == UInt8(ascii: "{")
            guard isObject || (bytes[index] == UInt8(ascii: "[") && outline.documents == 0), sawLineEnd else {
                return .fault
            }
            if outline.documents == 0 { outline.isObject = isObject }
            if !isObject { outline.areLines = false }
            outline.documents += 1
            enter(isObject)
            sawLineEnd = false
            return nil
        }

        private mutating func enter(_ isObject: Bool) {
            open.append(isObject)
            isInObject = isObject
            place = isObject ? .firstKey : .firstValue
            index += 1
        }

        private mutating func leave() {
            open.removeLast()
            isInObject = open.last ?? false
            place = .next
            index += 1
        }

        private mutating func step(_ outline: inout JSONOutline) -> End? {
            // A value that continues on another line rules out JSON lines.
            if sawLineEnd {
                outline.areLines = false
                sawLineEnd = false
            }
            let byte = bytes[index]
            switch (place, byte) {
            case (.firstKey, UInt8(ascii: "}")), (.firstValue, UInt8(ascii: "]")): leave()
            case (.firstKey, UInt8(ascii: "\"")), (.key, UInt8(ascii: "\"")):
                let start = index + 1
                if let end = string() { return end }
                let isKept = open.count == 1 && outline.documents == 1 && outline.members.count < memberLimit
                if isKept { outline.members.append(Member(key: start..<index - 1, value: index)) }
                place = .colon
            case (.colon, UInt8(ascii: ":")):
                index += 1
                place = .value
                if open.count == 1, outline.documents == 1 { keepValue(&outline) }
            case (.value, _), (.firstValue, _): return value(byte)
            case (.next, UInt8(ascii: ",")):
                index += 1
                place = isInObject ? .key : .value
            case (.next, UInt8(ascii: "}")) where isInObject: leave()
            case (.next, UInt8(ascii: "]")) where !isInObject: leave()
            default: return .fault
            }
            return nil
        }

        private mutating func keepValue(_ outline: inout JSONOutline) {
            guard let last = outline.members.indices.last, outline.members[last].value <= index,
                outline.members[last].key.upperBound + 1 == outline.members[last].value
            else { return }
            var start = index
            while start < bytes.count, Self.isSpace(bytes[start]) { start += 1 }
            outline.members[last].value = start
        }

        private mutating func value(_ byte: UInt8) -> End? {
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                guard open.count < depthLimit else { return .fault }
                enter(byte == UInt8(ascii: "{"))
                return nil
            case UInt8(ascii: "\""):
                if let end = string() { return end }
            case UInt8(ascii: "t"): if let end = word("true") { return end }
            case UInt8(ascii: "f"): if let end = word("false") { return end }
            case UInt8(ascii: "n"): if let end = word("null") { return end }
            default: if let end = number() { return end }
            }
            place = .next
            return nil
        }

        private mutating func string() -> End? {
            index &+= 1
            while index < bytes.count {
                var at = index
                while at < bytes.count, Self.isPlain(bytes[at]) { at &+= 1 }
                index = at
                guard at < bytes.count else { return .cut }
                let byte = bytes[at]
                index &+= 1
                if byte == UInt8(ascii: "\"") { return nil }
                if byte < 0x20 { return .fault }
                guard byte == UInt8(ascii: "\\") else { continue }
                guard index < bytes.count else { return .cut }
                let escape = bytes[index]
                index += 1
                guard "\"\\/bfnrtu".utf8.contains(escape) else { return .fault }
                guard escape == UInt8(ascii: "u") else { continue }
                for _ in 0..<4 {
                    guard index < bytes.count else { return .cut }
                    guard Self.isHex(bytes[index]) else { return .fault }
                    index += 1
                }
            }
            return .cut
        }

        private mutating func word(_ text: StaticString) -> End? {
            for place in 0..<text.utf8CodeUnitCount {
                guard index < bytes.count else { return .cut }
                guard bytes[index] == text.utf8Start[place] else { return .fault }
                index += 1
            }
            return nil
        }

        /// The grammar: `-? (0 | [1-9] digits) (. digits)? ([eE] [+-]? digits)?`
        private mutating func number() -> End? {
            _ = skip(UInt8(ascii: "-"))
            if !skip(UInt8(ascii: "0")), let end = digits() { return end }
            if skip(UInt8(ascii: ".")), let end = digits() { return end }
            if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
                if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
                return digits()
            }
            return nil
        }

        private mutating func digits() -> End? {
            guard index < bytes.count else { return .cut }
            guard Self.isDigit(bytes[index]) else { return .fault }
            while index < bytes.count, Self.isDigit(bytes[index]) { index += 1 }
            return nil
        }

        private mutating func skip(_ byte: UInt8) -> Bool {
            guard index < bytes.count, bytes[index] == byte else { return false }
            index += 1
            return true
        }

        private mutating func skipSpace() {
            while index < bytes.count, Self.isSpace(bytes[index]) {
                if bytes[index] == 0x0A || bytes[index] == 0x0D { sawLineEnd = true }
                index += 1
            }
        }

        /// Whether a byte is an ordinary character of a string: neither its end, nor an escape, nor a control
        /// character.
        @inline(__always)
        private static func isPlain(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x22 && byte != 0x5C }

        private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 9 }
        private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
        private static func isHex(_ byte: UInt8) -> Bool {
            isDigit(byte) || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x66)
        }
    }
}
