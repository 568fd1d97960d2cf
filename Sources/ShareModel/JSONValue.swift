/// Any JSON value, for data without a fixed shape: a sender's description, a sink's configuration, a sink's metadata.
///
/// Integers have a case of their own, because a `Double` cannot hold every size above 2^53.
public enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])
}

extension JSONValue: Codable {
    /// Decodes any JSON value; a whole number that fits into 64 bits becomes an integer.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // The frequent kinds come first, because a wrong guess makes an error with its texts. `Int64` comes before `Double`,
        // which would round large whole numbers.
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode([String: JSONValue].self) {
            self = .object(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else {
            self = .number(try container.decode(Double.self))
        }
    }

    /// Encodes the value as JSON.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

extension JSONValue {
    /// The value of a key; `nil` if there is none, or if this is not an object.
    public subscript(_ key: String) -> JSONValue? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    /// A string; `nil` for any other value.
    public var text: String? { if case .string(let text) = self { text } else { nil } }

    /// A Boolean; `nil` for any other value.
    public var flag: Bool? { if case .bool(let flag) = self { flag } else { nil } }

    /// The elements of an array; `nil` for any other value.
    public var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

    /// The number of nested arrays and objects; 0 for a value that is neither.
    public var depth: Int {
        switch self {
        case .array(let values): 1 + (values.lazy.map(\.depth).max() ?? 0)
        case .object(let values): 1 + (values.values.lazy.map(\.depth).max() ?? 0)
        default: 0
        }
    }

    /// The number of values in it: itself, and all elements and members at any depth.
    public var valueCount: Int {
        switch self {
        case .array(let values): values.reduce(1) { $0 + $1.valueCount }
        case .object(let values): values.values.reduce(1) { $0 + $1.valueCount }
        default: 1
        }
    }

    /// About the memory that the value takes, in bytes; rather too much than too little.
    public var memory: Int {
        // Each value, each key and the storage of each collection has parts besides its text.
        let part = 64
        switch self {
        case .string(let text): return part + text.utf8.count
        case .array(let values): return values.reduce(2 * part) { $0 + $1.memory }
        case .object(let values): return values.reduce(2 * part) { $0 + part + $1.key.utf8.count + $1.value.memory }
        default: return part
        }
    }

    /// The kind of the value, as an error message names it.
    public var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .integer, .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A string literal.
    public init(stringLiteral value: String) { self = .string(value) }
    /// An integer literal.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// A boolean literal.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// An array literal.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// An object literal. If a key occurs several times, its last value counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { $1 })
    }
}
