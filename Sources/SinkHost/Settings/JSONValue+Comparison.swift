internal import ShareModel

extension JSONValue {
    /// The value with each whole number as an integer, because 1.0 and 1 are equal in JSON.
    var normal: JSONValue {
        switch self {
        case .number(let number): Int64(exactly: number).map(JSONValue.integer) ?? self
        case .array(let values): .array(values.map(\.normal))
        case .object(let members): .object(members.mapValues(\.normal))
        default: self
        }
    }

    /// Equal values have equal bytes. `String` itself compares more loosely: composed and decomposed accents are equal
    /// there.
    var canonicalBytes: [UInt8] {
        // Most values of an `enum`. The first use of an encoder takes longer than all other checks of a manifest.
        if case .string(let text) = self, text.utf8.allSatisfy(Self.isPlain) {
            let quote = UInt8(ascii: "\"")
            return [quote] + text.utf8 + [quote]
        }
        return (try? JSONLines.encode(normal)) ?? []
    }

    /// Whether a byte of a text needs no escape.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    /// Whether two values are equal by the rules of JSON Schema.
    func isSame(as other: JSONValue) -> Bool { canonicalBytes == other.canonicalBytes }

    /// Negative if this number is smaller, positive if it is larger. Integers are compared exactly.
    func compare(_ other: JSONValue) -> Int {
        if case (.integer(let left), .integer(let right)) = (normal, other.normal) {
            return left < right ? -1 : left > right ? 1 : 0
        }
        return double < other.double ? -1 : double > other.double ? 1 : 0
    }

    private var double: Double {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: .nan
        }
    }
}
