internal import FoundationEssentials

/// JSON in lines: one value on each line, in UTF-8, ended by a line feed. ``LineBuffer`` splits a stream into such lines.
///
/// Keys are sorted, slashes are not escaped, and no line feed is inside. Equal values give equal bytes, in receipts, rows,
/// manifests and messages.
public enum JSONLines {
    /// Encodes a value without a line feed at its end.
    ///
    /// - Throws: an `EncodingError` for a number that JSON cannot express.
    public static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(value))
    }

    /// Encodes a value without a line feed at its end, several times as fast as a coder.
    ///
    /// - Throws: an `EncodingError` for a number that JSON cannot express.
    public static func encode(_ value: JSONValue) throws -> [UInt8] {
        var writer = JSONWriter()
        try writer.value(value)
        return writer.bytes
    }

    /// Encodes a value as a line, with its line feed.
    ///
    /// - Parameter limit: the largest length of the line, in bytes, with its line feed.
    /// - Throws: ``LineTooLong`` above the limit; an `EncodingError` for a number that JSON cannot express.
    public static func line(_ value: some Encodable, limit: Int) throws -> [UInt8] {
        let line = try encode(value) + [UInt8(ascii: "\n")]
        guard line.count <= limit else { throw LineTooLong(bytes: line.count, limit: limit) }
        return line
    }

    /// Decodes a value, with or without a line feed at its end, and ignores keys that its type does not have.
    ///
    /// - Parameter userInfo: what the decoding of the type needs to know.
    /// - Throws: a `DecodingError` if the bytes are not JSON of this type.
    public static func decode<Value: Decodable>(
        _ type: Value.Type, from bytes: some Sequence<UInt8>, userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) throws -> Value {
        let decoder = JSONDecoder()
        decoder.userInfo = userInfo
        return try decoder.decode(type, from: Data(bytes))
    }
}
