package import SystemPackage

/// The lines of a stream. A line has a limit, and the reader skips the rest of a longer one.
package struct LineReader {
    package typealias Line = LineSplitter.Line

    /// The most bytes of a line.
    package static let limit = 1 << 20

    /// The number of the line read last, counted from 1.
    package var number: Int { lines.number }
    /// Whether the whole next line was read, so that taking it does not block.
    package var hasNext: Bool { lines.hasNext }

    private let descriptor: FileDescriptor
    private var lines: LineSplitter

    /// - Parameter separator: the byte that ends a line.
    package init(_ descriptor: FileDescriptor, separator: UInt8 = UInt8(ascii: "\n")) {
        self.descriptor = descriptor
        lines = LineSplitter(limit: Self.limit, separator: separator)
    }

    /// The next line; `nil` at the end of the stream. The last line needs no separator.
    package mutating func next() throws -> Line? {
        while true {
            if let line = lines.next() { return line }
            let bytes = try [UInt8](unsafeUninitializedCapacity: 64 << 10) { space, count in
                count = try descriptor.readUntilCancelled(into: UnsafeMutableRawBufferPointer(space))
            }
            guard !bytes.isEmpty else { return lines.finish() }
            lines.append(bytes)
        }
    }
}
