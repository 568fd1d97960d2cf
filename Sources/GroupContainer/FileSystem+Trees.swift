internal import ShareModel
internal import SystemPackage

extension FileSystem {
    func exists(_ path: FilePath) throws(ContainerError) -> Bool { try status(of: path) != nil }

    /// Opens what is there already.
    func open(
        _ path: FilePath, _ access: FileDescriptor.AccessMode, _ options: FileDescriptor.OpenOptions = []
    ) throws(ContainerError) -> FileDescriptor {
        try open(path, access, options, mode: [])
    }

    /// Writes all of `bytes`, however many writes that takes.
    func writeAll(_ bytes: UnsafeRawBufferPointer, to file: FileDescriptor, _ path: FilePath) throws(ContainerError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = try write(rest, to: file, path)
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    /// Makes a folder, or finds one; what else has its name is an error.
    func ensureFolder(_ path: FilePath) throws(ContainerError) {
        guard try !makeFolder(path), try status(of: path)?.kind != .folder else { return }
        throw ContainerError(.notAContainer, "\(path) is a link or a file where a folder must be; move it away")
    }

    /// Makes a folder and those above it; the folder itself may be a link to one.
    func ensureFolders(_ path: FilePath) throws(ContainerError) {
        let parent = path.removingLastComponent()
        if !parent.isEmpty, parent != path, try !exists(parent) { try ensureFolders(parent) }
        if try !exists(path) { try ensureFolder(path) }
    }

    /// The digest of a file, read whole in pieces, and how many bytes that were; a link is not followed.
    func digest(of path: FilePath) throws -> (digest: Digest, size: Int64) {
        let file = try open(path, .readOnly, [.noFollow, .nonBlocking])
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 4096)
        defer { buffer.deallocate() }
        return try file.closeAfter {
            let hasher = SHA256Hasher()
            var size: Int64 = 0
            while case let count = try read(file, path, into: buffer), count > 0 {
                hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                size += Int64(count)
            }
            return (hasher.finish(), size)
        }
    }

    /// Makes durable all that was done before on the file system that a folder is on.
    func syncAll(at folder: FilePath) throws(ContainerError) {
        let descriptor = try open(folder, .readOnly, .directory)
        defer { try? descriptor.close() }
        try syncAll(descriptor, folder)
    }

    /// Removes a folder with all in it; links are removed, never followed. What cannot be removed stays.
    func removeTree(_ path: FilePath) {
        guard let kind = try? status(of: path)?.kind else { return }
        if kind == .folder {
            for name in (try? names(in: path)) ?? [] { removeTree(path.appending(name)) }
        }
        try? remove(path, isFolder: kind == .folder)
    }
}
