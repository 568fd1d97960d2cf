internal import ShareModel

/// The numbers of the sink protocol, and its one encoding: a JSON object a line, UTF-8, ended by a line feed.
public enum SinkProtocol {
    /// The version that this module speaks.
    public static let version = 1
    /// The longest line either side may write, in bytes, with its line feed.
    public static let maximumLineBytes = 1 << 20

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
