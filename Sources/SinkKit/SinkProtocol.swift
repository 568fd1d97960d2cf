internal import ShareModel

/// The version, limits and encoding of the sink protocol: one JSON object on each line, in UTF-8, ended by a line feed.
public enum SinkProtocol {
    /// The version of the protocol that this module implements.
    public static let version = 1
    /// The largest length of a line of either side, in bytes, with its line feed.
    public static let maximumLineBytes = 1 << 20

    /// An optional feature of a host or a sink, announced in `hello`.
    ///
    /// Decoding keeps unknown names, because they matter only if the other side requires them.
    public struct Feature: RawRepresentable, Hashable, Sendable, Codable {
        /// The name of the feature in messages.
        public var rawValue: String

        /// The feature with this name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The sink answers `check` from its own record.
        public static let check = Feature(rawValue: "check")
        /// The sink handles `cancel` while it is working.
        public static let cancel = Feature(rawValue: "cancel")
    }

    /// Encodes a message as one line, with its line feed.
    ///
    /// - Throws: ``LineTooLong`` above ``maximumLineBytes``; an `EncodingError` for a number that JSON cannot express.
    public static func line(_ message: some Encodable) throws -> [UInt8] {
        var line = try JSONLines.encode(message)
        line.append(UInt8(ascii: "\n"))
        guard line.count <= maximumLineBytes else { throw LineTooLong(bytes: line.count) }
        return line
    }

    /// Decodes one line and ignores unknown keys.
    ///
    /// - Throws: a `DecodingError` if the line is not a message of this type.
    public static func message<Message: Decodable>(_ type: Message.Type, from line: some Sequence<UInt8>) throws
        -> Message
    {
        try JSONLines.decode(type, from: line)
    }

    /// The error for a line above ``maximumLineBytes``.
    public struct LineTooLong: Error, CustomStringConvertible {
        /// The length of the line, or of the part that was read.
        public var bytes: Int

        /// The limit that the line exceeds, and the remedy.
        public var description: String {
            "a line of \(bytes) bytes is longer than the sink protocol's \(maximumLineBytes); put large content into "
                + "a product file instead"
        }
    }
}
