public import ShareModel

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
        /// The host makes requests for the sink, which needs no network and no credential.
        public static let transfer = Feature(rawValue: "transfer")
    }

    /// Encodes a message as one line, with its line feed.
    ///
    /// - Throws: ``LineTooLong`` above ``maximumLineBytes``; an `EncodingError` for a number that JSON cannot express.
    public static func line(_ message: some Encodable) throws -> [UInt8] {
        try JSONLines.line(message, limit: maximumLineBytes)
    }

    /// Decodes one line and ignores unknown keys.
    ///
    /// - Throws: a `DecodingError` if the line is not a message of this type.
    public static func message<Message: Decodable>(_ type: Message.Type, from line: some Sequence<UInt8>) throws
        -> Message
    {
        try JSONLines.decode(type, from: line)
    }
}

/// Splits the host's bytes into lines; its limit in a session is ``SinkProtocol/maximumLineBytes``.
public typealias LineBuffer = ShareModel.LineBuffer

/// The error for a line above ``SinkProtocol/maximumLineBytes``.
public typealias LineTooLong = ShareModel.LineTooLong
