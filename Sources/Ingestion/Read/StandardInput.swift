internal import SystemPackage

/// A description from a pipe. It is read to its end before any of it is used.
enum StandardInput {
    /// All bytes of standard input, but at most `limit` and one more. The reader then refuses the description as too
    /// long.
    static func read(limit: Int) throws -> [UInt8] {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { buffer.deallocate() }
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            let count = try FileDescriptor.standardInput.read(into: buffer)
            guard count > 0 else { break }
            bytes.append(contentsOf: buffer[..<count])
        }
        return Array(bytes.prefix(limit + 1))
    }
}
