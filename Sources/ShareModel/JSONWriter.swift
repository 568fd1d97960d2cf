/// Writes JSON in the form of ``JSONLines``, with the same bytes. The caller must write the keys of an object in sorted order.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []
    private var isFirst = true

    // A typical receipt fits, so that the array does not grow while it is filled.
    init() { bytes.reserveCapacity(1_536) }

    mutating func object(_ body: (inout JSONWriter) throws -> Void) rethrows {
        bytes.append(UInt8(ascii: "{"))
        isFirst = true
        try body(&self)
        bytes.append(UInt8(ascii: "}"))
        // The object is a value itself, and the next key of the object around it needs a comma.
        isFirst = false
    }

    mutating func field(_ key: StaticString, _ value: String) {
        begin(key)
        text(value)
    }

    mutating func field(_ key: StaticString, _ value: String?) {
        if let value { field(key, value) }
    }

    mutating func field(_ key: StaticString, _ value: some BinaryInteger) {
        begin(key)
        // `String(value)` is slower for a type that is only known by its protocol.
        let text = Int64(exactly: value)?.description ?? String(value)
        bytes.append(contentsOf: text.utf8)
    }

    mutating func field(_ key: StaticString, _ value: Int64?) {
        if let value { field(key, value) }
    }

    mutating func field(_ key: StaticString, _ values: [String]) {
        list(key, values) { $0.text($1) }
    }

    mutating func field(_ key: StaticString, _ value: Bool) {
        begin(key)
        bytes.append(contentsOf: value.description.utf8)
    }

    /// - Throws: as ``value(_:)`` does.
    mutating func field(_ key: StaticString, _ value: JSONValue) throws {
        begin(key)
        try self.value(value)
    }

    mutating func field(_ key: StaticString, _ body: (inout JSONWriter) throws -> Void) rethrows {
        begin(key)
        try object(body)
    }

    mutating func list<Element>(
        _ key: StaticString, _ elements: [Element], _ body: (inout JSONWriter, Element) throws -> Void
    ) rethrows {
        begin(key)
        try array(elements, body)
    }

    private mutating func array<Element>(
        _ elements: [Element], _ body: (inout JSONWriter, Element) throws -> Void
    ) rethrows {
        bytes.append(UInt8(ascii: "["))
        try separated(elements, body)
        bytes.append(UInt8(ascii: "]"))
    }

    private mutating func separated<Element>(
        _ elements: [Element], _ body: (inout JSONWriter, Element) throws -> Void
    ) rethrows {
        for (place, element) in elements.enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            try body(&self, element)
        }
    }

    mutating func number(_ value: Int) { bytes.append(contentsOf: String(value).utf8) }

    /// It calls itself for each level. A document has at most ``JSONFault/depthLimit`` of them, and what a sink found fewer.
    ///
    /// - Throws: an `EncodingError` for a number that JSON cannot express.
    mutating func value(_ value: JSONValue) throws {
        switch value {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let flag): bytes.append(contentsOf: flag.description.utf8)
        case .integer(let number): bytes.append(contentsOf: number.description.utf8)
        case .number(let number): try double(number)
        case .string(let text): self.text(text)
        case .array(let values): try array(values) { try $0.value($1) }
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            try separated(members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) { writer, member in
                writer.text(member.key)
                writer.bytes.append(UInt8(ascii: ":"))
                try writer.value(member.value)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private mutating func double(_ value: Double) throws {
        guard value.isFinite else {
            throw EncodingError.invalidValue(
                value, .init(codingPath: [], debugDescription: "JSON has no number \(value)"))
        }
        let text = value.description
        bytes.append(contentsOf: text.hasSuffix(".0") ? text.dropLast(2).utf8 : text[...].utf8)
    }

    private mutating func begin(_ key: StaticString) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount))
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    /// Appends a string; escapes quotation marks, backslashes and control characters (RFC 8259, section 7).
    private mutating func text(_ value: String) {
        bytes.append(UInt8(ascii: "\""))
        var value = value
        value.withUTF8 { text in
            if text.contains(where: Self.isEscaped) {
                for byte in text { append(byte) }
            } else {
                bytes.append(contentsOf: text)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func append(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
        // `JSONEncoder` writes the same short forms and lower-case digits, and the bytes must be equal.
        case 0x08: bytes += Array("\\b".utf8)
        case 0x09: bytes += Array("\\t".utf8)
        case 0x0A: bytes += Array("\\n".utf8)
        case 0x0C: bytes += Array("\\f".utf8)
        case 0x0D: bytes += Array("\\r".utf8)
        case 0..<0x20:
            let digits = Array("0123456789abcdef".utf8)
            bytes += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        default: bytes.append(byte)
        }
    }
}
