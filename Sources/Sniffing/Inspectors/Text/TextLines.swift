/// The lines of a text without their line ends, which are LF, CR or CR LF.
struct TextLines: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private let limit: Int
    /// The offset of the next line.
    private(set) var offset: Int

    /// The lines that start at `start` or later, and before `limit`.
    init(_ bytes: [UInt8], from start: Int = 0, upTo limit: Int = .max) {
        self.bytes = bytes
        self.limit = Swift.min(limit, bytes.count)
        offset = Swift.max(0, start)
    }

    mutating func next() -> ArraySlice<UInt8>? {
        guard offset < limit else { return nil }
        let start = offset
        var end = start
        while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D { end &+= 1 }
        offset = end &+ 1
        if end &+ 1 < bytes.count, bytes[end] == 0x0D, bytes[end &+ 1] == 0x0A { offset &+= 1 }
        return bytes[start..<end]
    }

    /// The next line that is not blank.
    mutating func nextFilled() -> ArraySlice<UInt8>? {
        while let line = next() {
            if line.contains(where: { $0 > 0x20 }) { return line }
        }
        return nil
    }
}
