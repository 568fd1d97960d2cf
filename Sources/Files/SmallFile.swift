internal import Glibc
package import SystemPackage

/// Files that are read and written whole, named by bytes.
package enum SmallFile {
    /// The bytes of a file; `nil` if nothing has that name.
    ///
    /// - Throws: ``FileError`` if it cannot be read, is no regular file, or is longer than `limit` bytes.
    package static func read(_ path: FilePath, limit: Int) throws -> [UInt8]? {
        let file: FileDescriptor
        do throws(Errno) {
            file = try Directory.open(named: path)
        } catch .noSuchFileOrDirectory {
            return nil
        } catch {
            throw FileError(error, "opening", path)
        }
        defer { try? file.close() }
        let fileSystem = SystemFileSystem()
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        guard case .file? = try? Directory.EntryKind(of: file) else {
            throw FileError(.system, "\(path) is no regular file")
        }
        while bytes.count <= limit {
            let count = try buffer.withUnsafeMutableBytes { try fileSystem.read(file, path, into: $0) }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
        throw FileError(.system, "\(path) is longer than \(limit) bytes")
    }

    /// Writes a file, replacing the bytes of one that is there. A link is not followed.
    ///
    /// - Parameter mode: the permissions of a new file.
    package static func write(
        _ bytes: [UInt8], to path: FilePath, mode: FilePermissions = [.ownerReadWrite, .groupRead, .otherRead]
    ) throws {
        let fileSystem = SystemFileSystem()
        let file = try fileSystem.open(path, .writeOnly, [.create, .truncate, .noFollow], mode: mode)
        defer { try? file.close() }
        try bytes.withUnsafeBytes { try fileSystem.writeAll($0, to: file, path) }
    }
}

extension FilePath {
    /// The user's folder for temporary files, without symbolic links.
    package static var temporaryFolder: FilePath {
        let named = getenv("TMPDIR").map { FilePath(platformString: $0) }.flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        return named.real ?? named
    }
}
