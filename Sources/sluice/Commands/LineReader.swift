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
    private let descriptor: FileDescriptor
    private var buffer: [UInt8] = []
    private var position = 0

    init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }

    /// The next line without its line feed; the last one needs none. `nil` at the end.
    mutating func next() throws -> Line? {
        var line = Line(bytes: [])
        var isBegun = false
        while try fill() {
            isBegun = true
            let rest = buffer[position...]
            let end = rest.firstIndex(of: UInt8(ascii: "\n"))
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
