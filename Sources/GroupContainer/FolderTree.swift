internal import CFileSystem
public import SystemPackage

/// The folders that sinks work in: made, filled and removed by the container's owner alone.
public enum FolderTree {
    /// Makes a folder and those above it, for this user alone.
    public static func make(_ path: FilePath) throws { try SystemFileSystem().ensureFolders(path) }

    /// Removes a folder with all in it; links are removed, never followed, also where a sink that is at work swaps them
    /// for folders meanwhile. The folders above it are the container's own. Nothing there is no error; what cannot be
    /// removed stays for the next time.
    public static func remove(_ path: FilePath) throws {
        guard let name = path.lastComponent else { return }
        let above = path.removingLastComponent()
        guard let folder = try? FileDescriptor.open(above, .readOnly, options: [.directory, .closeOnExec]) else {
            return
        }
        defer { try? folder.close() }
        _ = name.withPlatformString { cfilesystem_remove_tree(folder.rawValue, $0) }
    }

    /// How many bytes of the disk the files below a folder take, counted up to a little above `limit`.
    public static func size(of path: FilePath, limit: Int64) -> Int64 {
        path.withPlatformString { cfilesystem_folder_size($0, limit) }
    }

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
