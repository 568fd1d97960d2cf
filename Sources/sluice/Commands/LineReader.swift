import SystemPackage

/// The lines of a stream, each bounded: of a longer one the rest is read past.
struct LineReader {
    /// Bytes of a line.
    static let limit = 1 << 20

    struct Line: Equatable {
        var bytes: [UInt8]
        var isTooLong = false
    }

    /// The number of the line that came last, from 1.
    private(set) var number = 0
    /// Whether the next line is at hand whole, so that reading it does not wait.
    var hasNext: Bool { buffer[position...].contains(separator) }

    private let descriptor: FileDescriptor
    private let separator: UInt8
    private var buffer: [UInt8] = []
    private var position = 0

    /// Lines that end in a line feed, or in another byte.
    init(_ descriptor: FileDescriptor, separator: UInt8 = UInt8(ascii: "\n")) {
        self.descriptor = descriptor
        self.separator = separator
    }

    /// The next line without its end; the last one needs none. `nil` at the end.
    mutating func next() throws -> Line? {
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

    /// - Returns: whether there are bytes to take.
    private mutating func fill() throws -> Bool {
        if position < buffer.count { return true }
        position = 0
        buffer = try [UInt8](unsafeUninitializedCapacity: 64 << 10) { space, count in
            count = try descriptor.read(into: UnsafeMutableRawBufferPointer(space))
        }
        return !buffer.isEmpty
    }
}
