internal import Formats

/// The descriptions on a pipe: one JSON text over any number of lines, or a JSON text on each line.
///
/// The first line decides: if it is a whole JSON text, each line is a description, and a broken one fails alone. At most
/// one description is in memory.
package struct DescriptionLines {
    package struct Description: Equatable {
        package var bytes: [UInt8]
        /// The line, counted from 1; `nil` if the pipe has one description over several lines.
        package var line: Int?
    }

    private let stream: any ByteStream
    private let limit: Int
    /// The bytes of the latest reading, from `place` on.
    private var buffer: [UInt8] = []
    private var place = 0
    private var line = 0
    private var isList = false
    private var isAtEnd = false

    /// - Parameter limit: the most bytes of a description.
    package init(_ stream: any ByteStream, limit: Int) {
        self.stream = stream
        self.limit = limit
    }

    /// The next description; `nil` at the end. Of one that is longer than the limit, it has the first bytes and one
    /// more than the limit, so that the parser refuses it.
    package mutating func next() throws(ReadingError) -> Description? {
        while !isAtEnd, var bytes = try nextLine() {
            if line == 1 { bytes.removeFirst(PipeBeginning.markCount(bytes)) }
            guard bytes.contains(where: { !$0.isJSONSpace }) else { continue }
            isList = isList || bytes.count <= limit && JSONFault.find(in: bytes) == nil
            guard isList else { return try whole(beginning: bytes) }
            return Description(bytes: Array(bytes.prefix(limit + 1)), line: line)
        }
        return nil
    }

    /// The only description, which has all lines.
    private mutating func whole(beginning first: [UInt8]) throws(ReadingError) -> Description {
        // Empty lines before it count, because errors name lines.
        var bytes = Array(repeating: UInt8(ascii: "\n"), count: min(line - 1, limit)) + first
        while bytes.count <= limit, let line = try nextLine() { bytes += [UInt8(ascii: "\n")] + line }
        // What follows a description that is too long is not read.
        isAtEnd = true
        return Description(bytes: Array(bytes.prefix(limit + 1)))
    }

    /// The next line without its line feed; `nil` at the end. Of one that is longer than the limit, only the first bytes.
    private mutating func nextLine() throws(ReadingError) -> [UInt8]? {
        var bytes: [UInt8] = []
        var isBegun = false
        while try fill() {
            isBegun = true
            let rest = buffer[place...]
            let end = rest.firstIndex(of: UInt8(ascii: "\n"))
            bytes += rest[..<(end ?? rest.endIndex)].prefix(limit + 1 - bytes.count)
            place = end.map { $0 + 1 } ?? buffer.count
            // The rest of a line that is too long is read only if another description follows it.
            if end != nil || !isList && bytes.count > limit { break }
        }
        line += 1
        return isBegun ? bytes : nil
    }

    /// Reads more bytes if all buffered ones are used.
    ///
    /// - Returns: whether the buffer has bytes; `false` at the end of the stream.
    private mutating func fill() throws(ReadingError) -> Bool {
        if place < buffer.count { return true }
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { chunk.deallocate() }
        buffer = Array(chunk[..<(try stream.read(into: chunk))])
        place = 0
        return !buffer.isEmpty
    }
}
