internal import ShareModel

extension JSONValue {
    /// The value with whole numbers as integers wherever they fit: in JSON 1.0 is 1.
    var normal: JSONValue {
        switch self {
        case .number(let number): Int64(exactly: number).map(JSONValue.integer) ?? self
        case .array(let values): .array(values.map(\.normal))
        case .object(let members): .object(members.mapValues(\.normal))
        default: self
        }
    }

    /// The same bytes for the same value, letter by letter; `String`'s own equality takes accents as one.
    var canonicalBytes: [UInt8] { (try? JSONLines.encode(normal)) ?? [] }

    /// Whether two values are the same as JSON Schema compares them.
    func isSame(as other: JSONValue) -> Bool { canonicalBytes == other.canonicalBytes }

    /// Below 0 where this number is less, above where it is more. Whole numbers are compared without loss.
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
