#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Values as JSON, one object a line: sorted keys, no escaped slashes, no line feed inside. The same value gives the same
/// bytes, in receipts, rows, manifests and messages alike.
public enum JSONLines {
    /// The value as one line, without a line feed at its end.
    public static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(value))
    }

    /// A value of JSON; keys that its type does not know are ignored.
    public static func decode<Value: Decodable>(_ type: Value.Type, from bytes: some Sequence<UInt8>) throws -> Value {
        try JSONDecoder().decode(type, from: Data(bytes))
    }
}
