package import SystemPackage

/// Files that are read and written whole, named by bytes.
package enum SmallFile {
    /// The bytes of a file that the user named; `nil` if nothing has that name, or if a folder of its path is a file.
    /// Symbolic links are followed.
    ///
    /// - Throws: ``FileError`` if it cannot be read, is not a regular file, or is longer than `limit` bytes.
    package static func read(_ path: FilePath, limit: Int) throws(FileError) -> [UInt8]? {
        let file: FileDescriptor
        do throws(Errno) {
            file = try Directory.open(named: path)
        } catch .noSuchFileOrDirectory, .notDirectory {
            return nil
        } catch {
            throw FileError(error, "opening", path)
        }
        defer { try? file.close() }
        // A device can yield bytes for ever, so the kind is checked before the first read.
        guard case .file? = try? Directory.EntryKind(of: file) else {
            throw FileError(.system, "\(path) is not a regular file")
        }
        let fileSystem = SystemFileSystem()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { buffer.deallocate() }
        var bytes: [UInt8] = []
        // The size is not trusted: a file can grow while it is read, and files in `/proc` claim to be empty.
        while bytes.count <= limit {
            let count = try fileSystem.read(file, path, into: buffer)
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
        throw FileError(.tooLong, "\(path) is longer than \(limit) bytes")
    }

    /// Writes a file, replacing the bytes of one that is there. A symbolic link is not followed.
    ///
    /// - Parameter mode: the permissions of a new file, less those that the user's mask takes away.
    package static func write(
        _ bytes: [UInt8], to path: FilePath, mode: FilePermissions = [.ownerReadWrite, .groupRead, .otherRead],
        on fileSystem: any FileSystem = SystemFileSystem()
    ) throws {
        let file = try fileSystem.open(path, .writeOnly, [.create, .truncate, .noFollow], mode: mode)
        defer { try? file.close() }
        try bytes.withUnsafeBytes { try fileSystem.writeAll($0, to: file, path) }
    }
}
