internal import SystemPackage

/// A description that comes through a pipe: read to its end before anything is believed.
enum StandardInput {
    /// All bytes, or one more than `limit` where there are more, so that the reader refuses them by name.
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
