/// Cuts a stream of bytes into lines, however the reads fall: two lines in one read are two lines.
///
/// Holds at most ``SinkProtocol/maximumLineBytes`` and what one read brought.
public struct LineBuffer: Sendable {
    private var bytes: [UInt8] = []
    private var start = 0
    private var searched = 0

    /// An empty buffer.
    public init() {}

    /// Takes what one read brought.
    public mutating func append(_ chunk: some Sequence<UInt8>) {
        if start > 0 {
            bytes.removeFirst(start)
            searched -= start
            start = 0
        }
        bytes.append(contentsOf: chunk)
    }

    /// The next whole line without its line feed; `nil` until more bytes come.
    ///
    /// - Throws: ``SinkProtocol/LineTooLong`` once an unfinished line is longer than the protocol allows.
    public mutating func next() throws -> ArraySlice<UInt8>? {
        guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
            searched = bytes.count
            if bytes.count - start >= SinkProtocol.maximumLineBytes {
                throw SinkProtocol.LineTooLong(bytes: bytes.count - start)
            }
            return nil
        }
        guard end - start < SinkProtocol.maximumLineBytes else {
            throw SinkProtocol.LineTooLong(bytes: end - start)
        }
        defer {
            start = end + 1
            searched = start
        }
        return bytes[start..<end]
    }
}
