package import ShareModel
package import SystemPackage

/// A folder of files that are on their way, for this user alone. It is made with its first file.
package struct SpoolFolder: Sendable {
    package let path: FilePath
    private let fileSystem: any FileSystem

    /// - Parameter path: its parent exists.
    package init(_ path: FilePath, on fileSystem: any FileSystem = SystemFileSystem.system) {
        (self.path, self.fileSystem) = (path, fileSystem)
    }

    /// Opens a file for reading and writing, and makes it if it does not exist. The caller closes it.
    package func open(_ name: String) throws(FileError) -> FileDescriptor {
        try fileSystem.ensureFolder(path)
        return try fileSystem.open(
            path.appending(name), .readWrite, [.create, .noFollow, .nonBlocking], mode: .ownerReadWrite)
    }

    /// The bytes of a small file; `nil` if there is none.
    package func read(_ name: String, limit: Int) throws(FileError) -> [UInt8]? {
        try SmallFile.read(path.appending(name), limit: limit)
    }

    /// The digest of a file, and its size.
    package func digest(of name: String) throws -> (digest: Digest, size: Int64) {
        try fileSystem.digest(of: path.appending(name))
    }

    /// When a file was changed last, in seconds since 1970; `nil` if there is none.
    package func changed(_ name: String) throws(FileError) -> Int64? {
        try fileSystem.status(of: path.appending(name))?.changed
    }

    /// Opens a file for reading. The caller closes it.
    package func openForReading(_ name: String) throws(FileError) -> FileDescriptor {
        try fileSystem.open(path.appending(name), .readOnly, [.noFollow, .nonBlocking])
    }

    /// Copies an open file under a new name. The copy is durable when this returns.
    package func store(_ source: FileDescriptor, as name: String) throws {
        try fileSystem.ensureFolder(path)
        let target = path.appending(name)
        try fileSystem.copy(source, to: target)
        let file = try fileSystem.open(target, .readOnly, .noFollow)
        try file.closeAfter { try fileSystem.sync(file, target) }
        try fileSystem.syncFolder(path)
        try fileSystem.syncFolder(path.removingLastComponent())
    }

    /// Removes a file. Does nothing if there is none.
    package func remove(_ name: String) throws(FileError) {
        guard try fileSystem.exists(path.appending(name)) else { return }
        try fileSystem.remove(path.appending(name), isFolder: false)
    }

    /// The free space of the file system, in bytes; `nil` if it does not say.
    package func freeBytes() -> Int64? {
        (try? fileSystem.freeSpace(at: path.removingLastComponent()))?.map(\.bytes) ?? nil
    }

    /// The names of the files, in order; none if there is no folder.
    package func names() throws(FileError) -> [String] {
        guard try fileSystem.exists(path) else { return [] }
        return try fileSystem.names(in: path).map(\.string).sorted()
    }
}
