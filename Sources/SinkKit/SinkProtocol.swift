internal import ShareModel

/// The numbers of the sink protocol, and its one encoding: a JSON object a line, UTF-8, ended by a line feed.
public enum SinkProtocol {
    /// The version that this module speaks.
    public static let version = 1
    /// The longest line either side may write, in bytes, with its line feed.
    public static let maximumLineBytes = 1 << 20

    /// Something that a side of the protocol may be able to do or not, told in its hello.
    ///
    /// A name that is not known here is kept: it matters only where the other side requires it.
    public struct Feature: RawRepresentable, Hashable, Sendable, Codable {
        /// The feature's name on the line.
        public var rawValue: String

        /// A feature by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The sink answers `check` from a record of its own.
        public static let check = Feature(rawValue: "check")
        /// The sink heeds `cancel` while it is at work.
        public static let cancel = Feature(rawValue: "cancel")
    }

    /// Encodes a message as one line, with its line feed.
    public static func line(_ message: some Encodable) throws -> [UInt8] {
        var line = try JSONLines.encode(message)
        line.append(UInt8(ascii: "\n"))
        guard line.count <= maximumLineBytes else { throw LineTooLong(bytes: line.count) }
        return line
    }

    /// Decodes one line; unknown keys are ignored.
    public static func message<Message: Decodable>(_ type: Message.Type, from line: some Sequence<UInt8>) throws
        -> Message
    {
        try JSONLines.decode(type, from: line)
    }

    /// A line above ``maximumLineBytes``.
    public struct LineTooLong: Error, CustomStringConvertible {
        /// The line's length, as far as it was read.
        public var bytes: Int

        /// What is too long, and what to do instead.
        public var description: String {
            "a line of \(bytes) bytes is longer than the sink protocol's \(maximumLineBytes); put large content into "
                + "a product file instead"
        }
    }
}
