internal import SystemPackage

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// The system calls of the container that SystemPackage does not have, with errors that name the path.
enum Posix {
    static func makeFolder(_ path: FilePath) throws(ContainerError) {
        guard path.withPlatformString({ mkdir($0, 0o700) }) != 0 else { return }
        guard errno == EEXIST else { throw ContainerError(Errno(rawValue: errno), "making", path) }
        var status = stat()
        guard path.withPlatformString({ lstat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw ContainerError(.notAContainer, "\(path) is a link or a file where a folder must be; move it away")
        }
    }

    /// Makes a folder and those above it; the folder itself may be a link to one.
    static func makeFolders(_ path: FilePath) throws(ContainerError) {
        let parent = path.removingLastComponent()
        if !parent.isEmpty, parent != path, !exists(parent) { try makeFolders(parent) }
        if !exists(path) { try makeFolder(path) }
    }

    static func exists(_ path: FilePath) -> Bool { path.withPlatformString { access($0, F_OK) } == 0 }

    static func size(_ path: FilePath) -> Int64? {
        var status = stat()
        guard path.withPlatformString({ lstat($0, &status) }) == 0 else { return nil }
        return Int64(status.st_size)
    }

    static func move(_ source: FilePath, to target: FilePath) throws(ContainerError) {
        let status = source.withPlatformString { from in target.withPlatformString { rename(from, $0) } }
        guard status == 0 else { throw ContainerError(Errno(rawValue: errno), "moving into place", target) }
    }

    /// Makes a file read-only.
    static func makeReadOnly(_ path: FilePath) throws(ContainerError) {
        guard path.withPlatformString({ chmod($0, 0o400) }) != 0 else { return }
        throw ContainerError(Errno(rawValue: errno), "making read-only", path)
    }

    /// Makes a file's bytes, or a folder's names, durable.
    static func sync(_ descriptor: FileDescriptor, _ path: FilePath) throws(ContainerError) {
        guard fsync(descriptor.rawValue) != 0 else { return }
        throw ContainerError(Errno(rawValue: errno), "syncing", path)
    }

    /// Removes a file that may be gone already.
    static func remove(_ path: FilePath) { _ = path.withPlatformString { unlink($0) } }

    static func open(_ path: FilePath, _ flags: Int32, mode: mode_t = 0) throws(ContainerError) -> FileDescriptor {
        while true {
            let descriptor = path.withPlatformString { openat(AT_FDCWD, $0, flags | O_CLOEXEC, mode) }
            if descriptor >= 0 { return FileDescriptor(rawValue: descriptor) }
            if errno != EINTR { throw ContainerError(Errno(rawValue: errno), "opening", path) }
        }
    }

    /// The names in a folder, without `.` and `..`, in no order.
    static func names(in path: FilePath) throws(ContainerError) -> [FilePath.Component] {
        guard let stream = path.withPlatformString({ opendir($0) }) else {
            throw ContainerError(Errno(rawValue: errno), "listing", path)
        }
        defer { closedir(stream) }
        var names: [FilePath.Component] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw ContainerError(Errno(rawValue: errno), "listing", path) }
                return names
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CInterop.PlatformChar.self, capacity: 256) {
                    FilePath.Component(platformString: $0)
                }
            }
            if let name, name.kind == .regular { names.append(name) }
        }
    }

    /// Removes a folder with all in it; links are removed, never followed.
    static func removeTree(_ path: FilePath) {
        var status = stat()
        guard path.withPlatformString({ lstat($0, &status) }) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFDIR else { return remove(path) }
        for name in (try? names(in: path)) ?? [] { removeTree(path.appending(name)) }
        _ = path.withPlatformString { rmdir($0) }
    }
}
