package import ShareModel
package import SystemPackage

extension FileSystem {
    package func exists(_ path: FilePath) throws(FileError) -> Bool { try status(of: path) != nil }

    /// Opens what is there already.
    package func open(
        _ path: FilePath, _ access: FileDescriptor.AccessMode, _ options: FileDescriptor.OpenOptions = []
    ) throws(FileError) -> FileDescriptor {
        try open(path, access, options, mode: [])
    }

    /// Writes all of `bytes`, however many writes that takes.
    package func writeAll(_ bytes: UnsafeRawBufferPointer, to file: FileDescriptor, _ path: FilePath) throws(FileError)
    {
        var rest = bytes
        while !rest.isEmpty {
            let count = try write(rest, to: file, path)
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    /// Makes a folder, or finds one; what else has its name is an error.
    package func ensureFolder(_ path: FilePath) throws(FileError) {
        guard try !makeFolder(path), try status(of: path)?.kind != .folder else { return }
        throw FileError(.notAFolder, "\(path) is a link or a file where a folder must be")
    }

    /// Makes a folder and those above it; the folder itself may be a link to one.
    package func ensureFolders(_ path: FilePath) throws(FileError) {
        let parent = path.removingLastComponent()
        if !parent.isEmpty, parent != path, try !exists(parent) { try ensureFolders(parent) }
        if try !exists(path) { try ensureFolder(path) }
    }

    /// The digest of a file, read whole in pieces, and how many bytes that were; a link is not followed.
    package func digest(of path: FilePath) throws -> (digest: Digest, size: Int64) {
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
    package func syncAll(at folder: FilePath) throws(FileError) {
        let descriptor = try open(folder, .readOnly, .directory)
        defer { try? descriptor.close() }
        try syncAll(descriptor, folder)
    }

    /// Removes a folder with all in it; links are removed, never followed. What cannot be removed stays.
    package func removeTree(_ path: FilePath) {
        guard let kind = try? status(of: path)?.kind else { return }
        if kind == .folder {
            for name in (try? names(in: path)) ?? [] { removeTree(path.appending(name)) }
        }
        try? remove(path, isFolder: kind == .folder)
    }
}
