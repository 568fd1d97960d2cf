package import SystemPackage

/// The lines of a stream. A line has a limit, and the reader skips the rest of a longer one, so a stream without line
/// feeds cannot fill the memory.
package struct LineReader {
    /// The most bytes of a line.
    package static let limit = 1 << 20

    package struct Line: Equatable {
        /// Without the separator; if the line is too long, only its beginning.
        package var bytes: [UInt8]
        package var isTooLong = false

        package init(bytes: [UInt8]) { self.bytes = bytes }
    }

    /// The number of the line read last, counted from 1.
    package private(set) var number = 0
    /// Whether the buffer holds the whole next line, so that reading it does not block.
    package var hasNext: Bool { buffer[position...].contains(separator) }

    private let descriptor: FileDescriptor
    private let separator: UInt8
    private var buffer: [UInt8] = []
    private var position = 0

    /// - Parameter separator: the byte that ends a line.
    package init(_ descriptor: FileDescriptor, separator: UInt8 = UInt8(ascii: "\n")) {
        self.descriptor = descriptor
        self.separator = separator
    }

    /// The next line; `nil` at the end of the stream. The last line needs no separator.
    package mutating func next() throws -> Line? {
        var line = Line(bytes: [])
        var isBegun = false
        while try fill() {
            isBegun = true
            let rest = buffer[position...]
            let end = rest.firstIndex(of: separator)
            let piece = rest[..<(end ?? rest.endIndex)]
            if line.bytes.count + piece.count > Self.limit { line.isTooLong = true }
            if !line.isTooLong { line.bytes += piece }
            position = end.map { $0 + 1 } ?? buffer.count
            if end != nil { break }
        }
        guard isBegun else { return nil }
        number += 1
        return line
    }

    /// Reads more bytes if all buffered ones are used.
    ///
    /// - Returns: whether the buffer has bytes; `false` at the end of the stream.
    private mutating func fill() throws -> Bool {
        if position < buffer.count { return true }
        position = 0
        buffer = try [UInt8](unsafeUninitializedCapacity: 64 << 10) { space, count in
            count = try descriptor.readUntilCancelled(into: UnsafeMutableRawBufferPointer(space))
        }
        return !buffer.isEmpty
    }
}
