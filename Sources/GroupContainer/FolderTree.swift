internal import CFileSystem
public import SystemPackage

/// The folders that sinks work in: made, filled and removed by the container's owner alone.
public enum FolderTree {
    /// Makes a folder and those above it, for this user alone.
    public static func make(_ path: FilePath) throws { try SystemFileSystem().ensureFolders(path) }

    /// Removes a folder with all in it; links are removed, never followed. Nothing there is no error.
    public static func remove(_ path: FilePath) throws { SystemFileSystem().removeTree(path) }

    /// Copies an open file to a new read-only one.
    public static func copy(_ source: FileDescriptor, to path: FilePath) throws {
        let fileSystem = SystemFileSystem()
        let target = try fileSystem.open(
            path, .writeOnly, [.create, .exclusiveCreate, .noFollow], mode: .ownerRead)
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
