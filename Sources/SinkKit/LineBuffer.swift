/// Splits a stream of bytes into lines. One read may bring several lines, or a part of one.
///
/// It holds at most ``SinkProtocol/maximumLineBytes`` and the bytes of one read.
public struct LineBuffer: Sendable {
    private var bytes: [UInt8] = []
    /// The next line starts here; the bytes before it were returned already.
    private var start = 0
    /// The next search for a line feed starts here.
    private var searched = 0

    /// An empty buffer.
    public init() {}

    /// Adds the bytes of one read.
    public mutating func append(_ chunk: some Sequence<UInt8>) {
        // Removing the returned lines once for each read avoids moving the rest of the bytes for each line.
        if start > 0 {
            bytes.removeFirst(start)
            searched -= start
            start = 0
        }
        bytes.append(contentsOf: chunk)
    }

    /// The next complete line without its line feed; `nil` until more bytes come.
    ///
    /// - Throws: ``SinkProtocol/LineTooLong`` if a line, complete or not, is longer than the protocol allows.
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
