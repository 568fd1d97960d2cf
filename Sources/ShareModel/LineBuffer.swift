/// Splits a stream of bytes into lines. One read may bring several lines, or a part of one.
///
/// It holds at most `limit` bytes and the bytes of one read, so that a peer that never ends its line cannot fill the
/// memory.
public struct LineBuffer: Sendable {
    /// The largest length of a line, in bytes, with its line feed.
    public let limit: Int

    private var bytes: [UInt8] = []
    /// The next line starts here; the bytes before it were returned already.
    private var start = 0
    /// The next search for a line feed starts here.
    private var searched = 0

    /// An empty buffer.
    ///
    /// - Parameter limit: the largest length of a line, in bytes, with its line feed.
    public init(limit: Int) { self.limit = limit }

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
    /// - Throws: ``LineTooLong`` if a line, complete or not, exceeds the limit. The buffer is of no use afterwards,
    ///   because it cannot tell where the next line starts.
    public mutating func next() throws(LineTooLong) -> ArraySlice<UInt8>? {
        guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
            searched = bytes.count
            // The line's own line feed is still missing, so a line of exactly the limit is too long already.
            if bytes.count - start >= limit { throw LineTooLong(bytes: bytes.count - start, limit: limit) }
            return nil
        }
        guard end - start < limit else { throw LineTooLong(bytes: end - start, limit: limit) }
        defer {
            start = end + 1
            searched = start
        }
        return bytes[start..<end]
    }
}

/// The error for a line above its limit.
public struct LineTooLong: Error, Hashable, CustomStringConvertible {
    /// The length of the line, or of the part that was read.
    public let bytes: Int
    /// The largest length of a line, in bytes, with its line feed.
    public let limit: Int

    /// The length of the line, and the limit.
    public var description: String { "a line of \(bytes) bytes is longer than the limit of \(limit)" }
}
