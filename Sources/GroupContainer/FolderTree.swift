internal import CFileSystem
public import SystemPackage

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// The folders that sinks work in: made, filled and removed by the container's owner alone.
public enum FolderTree {
    /// Makes a folder and those above it, for this user alone.
    public static func make(_ path: FilePath) throws { try Posix.makeFolders(path) }

    /// Removes a folder with all in it; links are removed, never followed. Nothing there is no error.
    public static func remove(_ path: FilePath) throws { Posix.removeTree(path) }

    /// Copies an open file to a new read-only one.
    public static func copy(_ source: FileDescriptor, to path: FilePath) throws {
        let target = try Posix.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o400)
        defer { try? target.close() }
        if cfilesystem_clone(target.rawValue, source.rawValue) == 0 { return }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 4096)
        defer { buffer.deallocate() }
        do {
            while true {
                let count = try source.read(into: buffer)
                guard count > 0 else { return }
                try target.writeAll(buffer[..<count])
            }
        } catch let failure as Errno {
            throw ContainerError(failure, "copying to", path)
        }
    }
}
