internal import CFileSystem
internal import Glibc
package import ShareModel
package import SystemPackage

/// The folders that sinks work in: made, filled and removed by the container's owner alone.
package enum FolderTree {
    /// Makes a folder and those above it, for this user alone.
    package static func make(_ path: FilePath) throws { try SystemFileSystem().ensureFolders(path) }

    /// Removes a folder with all in it; links are removed, never followed, also where a sink that is at work swaps them
    /// for folders meanwhile. The folders above it are the container's own. Nothing there is no error; what cannot be
    /// removed stays for the next time.
    package static func remove(_ path: FilePath) throws {
        guard let name = path.lastComponent else { return }
        let above = path.removingLastComponent()
        guard let folder = try? FileDescriptor.open(above, .readOnly, options: [.directory, .closeOnExec]) else {
            return
        }
        defer { try? folder.close() }
        _ = name.withPlatformString { cfilesystem_remove_tree(folder.rawValue, $0) }
    }

    /// How many bytes of the disk the files below a folder take, counted up to a little above `limit`.
    package static func size(of path: FilePath, limit: Int64) -> Int64 {
        path.withPlatformString { cfilesystem_folder_size($0, limit) }
    }

    /// Gives a file another name, read-only as it is, where that is possible: on the same disk, and readable by `user`.
    ///
    /// - Returns: `false` where it has to be copied.
    package static func link(_ path: FilePath, to name: FilePath, readableBy user: UInt32?) -> Bool {
        var status = stat()
        guard path.withPlatformString({ lstat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return false
        }
        if let user, user != geteuid(), status.st_mode & S_IROTH == 0 { return false }
        return path.withPlatformString { path in name.withPlatformString { systemLink(path, $0) } } == 0
    }

    /// Makes an empty file share the blocks of another; whether the file system could.
    package static func clone(_ source: FileDescriptor, to target: FileDescriptor) -> Bool {
        cfilesystem_clone(target.rawValue, source.rawValue) == 0
    }

    /// Copies an open file to a new read-only one.
    package static func copy(_ source: FileDescriptor, to path: FilePath) throws {
        let fileSystem = SystemFileSystem()
        let target = try fileSystem.open(
            path, .writeOnly, [.create, .exclusiveCreate, .noFollow], mode: .ownerRead)
        defer { try? target.close() }
        if clone(source, to: target) { return }
        do {
            // The system's own copy takes neither a buffer nor a way through this process, where there is one.
            while case let count = cfilesystem_copy(target.rawValue, source.rawValue, 1 << 30), count != 0 {
                if count < 0 { return try copyInPieces(source, to: target) }
            }
        } catch let failure as Errno {
            throw FileError(failure, "copying to", path)
        }
    }

    private static func copyInPieces(_ source: FileDescriptor, to target: FileDescriptor) throws {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 4096)
        defer { buffer.deallocate() }
        while case let count = try source.read(into: buffer), count > 0 { try target.writeAll(buffer[..<count]) }
    }

    /// Makes a new folder in one that is there, for this user alone. What bears its name is removed first.
    package static func makeNew(_ path: FilePath) throws {
        guard !makeFolder(path) else { return }
        if errno == EEXIST {
            try remove(path)
            if makeFolder(path) { return }
        }
        throw FileError(Errno(rawValue: errno), "making the folder", path)
    }

    /// Makes a folder in one that is there, for this user alone.
    ///
    /// - Returns: `false` where it is there already.
    package static func makeUnlessThere(_ path: FilePath) throws -> Bool {
        if makeFolder(path) { return true }
        guard errno == EEXIST else { throw FileError(Errno(rawValue: errno), "making the folder", path) }
        return false
    }

    /// Whether there is something of that name; a link is something.
    package static func exists(_ path: FilePath) -> Bool {
        var status = stat()
        return path.withPlatformString { lstat($0, &status) } == 0
    }

    /// The digest of a file; a link is not followed.
    package static func digest(of path: FilePath) throws -> Digest { try SystemFileSystem().digest(of: path).digest }

    /// How long a file says that it is, in bytes; 0 for what is none. A link is not followed.
    package static func length(of path: FilePath) -> Int64 {
        var status = stat()
        guard path.withPlatformString({ lstat($0, &status) }) == 0 else { return 0 }
        return Int64(status.st_size)
    }

    /// Lets this user into a folder again that somebody has closed.
    package static func open(_ path: FilePath) throws {
        guard path.withPlatformString({ access($0, W_OK | X_OK) }) != 0 else { return }
        guard path.withPlatformString({ chmod($0, 0o700) }) == 0 else {
            throw FileError(Errno(rawValue: errno), "opening the folder", path)
        }
    }

    private static func makeFolder(_ path: FilePath) -> Bool { path.withPlatformString { mkdir($0, 0o700) } == 0 }
}

/// The system call, of which a method here has the name.
private func systemLink(_ path: UnsafePointer<CChar>, _ name: UnsafePointer<CChar>) -> Int32 { link(path, name) }
