internal import GroupContainer
internal import ShareModel
internal import SystemPackage

/// What the suite knows a file by.
enum FileDigest {
    /// The digest of a regular file; `nil` where it cannot be read.
    static func of(_ path: FilePath) -> Digest? {
        guard let file = try? FileDescriptor.open(path, .readOnly, options: [.noFollow, .nonBlocking, .closeOnExec])
        else { return nil }
        defer { try? file.close() }
        let hasher = SHA256Hasher()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { buffer.deallocate() }
        while let count = try? file.read(into: buffer) {
            guard count > 0 else { return hasher.finish() }
            hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
        return nil
    }
}
