package import ShareModel
package import SystemPackage

extension FileSystem {
    package func exists(_ path: FilePath) throws(FileError) -> Bool { try status(of: path) != nil }

    /// Opens a file or folder that exists.
    package func open(
        _ path: FilePath, _ access: FileDescriptor.AccessMode, _ options: FileDescriptor.OpenOptions = []
    ) throws(FileError) -> FileDescriptor {
        try open(path, access, options, mode: [])
    }

    /// Writes all of `bytes`, in as many calls as the system needs.
    package func writeAll(_ bytes: UnsafeRawBufferPointer, to file: FileDescriptor, _ path: FilePath) throws(FileError)
    {
        var rest = bytes
        while !rest.isEmpty {
            let count = try write(rest, to: file, path)
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    /// The digest of a file, read in pieces, and its size in bytes. A symbolic link is not followed.
    package func digest(of path: FilePath) throws -> (digest: Digest, size: Int64) {
        let file = try open(path, .readOnly, [.noFollow, .nonBlocking])
        return try file.closeAfter {
            let hasher = SHA256Hasher()
            var size: Int64 = 0
            try forEachPiece(of: file, path) {
                hasher.update($0)
                size += Int64($0.count)
            }
            return (hasher.finish(), size)
        }
    }

    /// The bytes of a file; `nil` if there are more than `limit`. A symbolic link is not followed.
    package func bytes(of path: FilePath, limit: Int) throws -> [UInt8]? {
        let file = try open(path, .readOnly, [.noFollow, .nonBlocking])
        return try file.closeAfter {
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: limit + 1, alignment: 16)
            defer { buffer.deallocate() }
            var count = 0
            while count <= limit {
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
                let more = try read(file, path, into: rest)
                if more == 0 { return Array(buffer[..<count]) }
                count += more
            }
            return nil
        }
    }

    /// Makes the names in a folder durable. The sync of a file covers its bytes only. The folder may be a symbolic link to one, as
    /// that of a container may be.
    package func syncFolder(_ path: FilePath) throws {
        let folder = try open(path, .readOnly, .directory)
        try folder.closeAfter { try sync(folder, path) }
    }

    /// Makes durable everything that was done before on the file system that a folder is on.
    package func syncAll(at folder: FilePath) throws(FileError) {
        let descriptor = try open(folder, .readOnly, .directory)
        defer { try? descriptor.close() }
        try syncAll(descriptor, folder)
    }

    // MARK: - Folders

    /// Makes a folder for this user alone, or finds one.
    ///
    /// - Throws: ``FileError`` with code `notAFolder` if something else has the name.
    package func ensureFolder(_ path: FilePath) throws(FileError) {
        guard try !makeFolder(path), try status(of: path)?.kind != .folder else { return }
        throw FileError(.notAFolder, "\(path) is a link or a file where a folder must be")
    }

    /// Makes a folder and those above it, for this user alone. The folder itself may be a symbolic link to one.
    package func ensureFolders(_ path: FilePath) throws(FileError) {
        guard try !exists(path) else { return }
        let parent = path.removingLastComponent()
        if !parent.isEmpty, parent != path { try ensureFolders(parent) }
        try ensureFolder(path)
    }

    /// Makes a new folder for this user alone in a folder that exists. Anything that has its name is removed first.
    package func makeNewFolder(_ path: FilePath) throws(FileError) {
        if try makeFolder(path) { return }
        removeTree(path)
        guard try makeFolder(path) else { throw FileError(.system, "\(path) cannot be removed to make a new folder") }
    }

    /// Gives this user access to a folder again if its permissions were taken away.
    package func reopenFolder(_ path: FilePath) throws(FileError) {
        guard let status = try status(of: path), status.kind == .folder else { return }
        if !status.permissions.isSuperset(of: .ownerReadWriteExecute) { try setMode(.ownerReadWriteExecute, of: path) }
    }

    /// Removes a folder if it is empty, then the one above it, and so on up to `root`, which stays.
    package func removeEmptyFolders(from folder: FilePath, below root: FilePath) {
        var folder = folder
        // Removing a folder fails if it is not empty, which ends the loop.
        while folder.way(from: root)?.isEmpty == false, (try? remove(folder, isFolder: true)) != nil {
            folder.removeLastComponent()
        }
    }

    // MARK: - Copies

    /// Gives a file another name if `user` can read it under that name.
    ///
    /// - Parameter user: `nil` for this user.
    /// - Returns: `false` if the file must be copied: it is not on the same disk, is not a regular file, or is closed to
    ///   `user`.
    package func share(_ path: FilePath, as name: FilePath, readableBy user: UInt32?) throws(FileError) -> Bool {
        guard let status = try status(of: path), status.kind == .file else { return false }
        // The new name has the old permissions, and to change them would change the object.
        if let user, user != .currentUser, !status.permissions.contains(.otherRead) { return false }
        return try hardLink(path, as: name)
    }

    /// Copies an open file from its position to a new read-only file.
    ///
    /// The two files share their blocks if the file system can do that. Otherwise the kernel copies the bytes, and if it
    /// cannot, this process does.
    package func copy(_ source: FileDescriptor, to path: FilePath) throws {
        let target = try open(path, .writeOnly, [.create, .exclusiveCreate, .noFollow], mode: .ownerRead)
        try target.closeAfter {
            if try clone(source, to: target, path) { return }
            while let count = try copy(1 << 30, from: source, to: target, path) { if count == 0 { return } }
            // The kernel may fail between two pieces. Both positions are then at the end of the last one.
            try forEachPiece(of: source, path) { try writeAll($0, to: target, path) }
        }
    }

    private func forEachPiece(
        of file: FileDescriptor, _ path: FilePath, _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 4096)
        defer { buffer.deallocate() }
        while case let count = try read(file, path, into: buffer), count > 0 {
            try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }
}
