internal import FoundationEssentials

/// Encodes values as one line of JSON: sorted keys, unescaped slashes, no line feed inside. Equal values give equal
/// bytes, in receipts, rows, manifests and messages.
public enum JSONLines {
    /// Encodes the value as one line, without a line feed at its end.
    ///
    /// - Throws: an `EncodingError` for a number that JSON cannot express.
    public static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(value))
    }

    /// Decodes a value, and ignores keys that its type does not have.
    ///
    /// - Throws: a `DecodingError` if the bytes are not JSON of this type.
    public static func decode<Value: Decodable>(_ type: Value.Type, from bytes: some Sequence<UInt8>) throws -> Value {
        try JSONDecoder().decode(type, from: Data(bytes))
    }
}
