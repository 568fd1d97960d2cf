internal import CFileSystem
internal import Glibc
package import ShareModel
package import SystemPackage

/// The system's own calls.
package struct SystemFileSystem: FileSystem {
    package init() {}

    /// `openat`, repeated if a signal interrupts it.
    package func open(
        _ path: FilePath, _ access: FileDescriptor.AccessMode, _ options: FileDescriptor.OpenOptions,
        mode: FilePermissions
    ) throws(FileError) -> FileDescriptor {
        let flags = access.rawValue | options.union(.closeOnExec).rawValue
        while true {
            let descriptor = path.withPlatformString { openat(AT_FDCWD, $0, flags, mode.rawValue) }
            if descriptor >= 0 { return FileDescriptor(rawValue: descriptor) }
            if errno != EINTR { throw failure("opening", path) }
        }
    }

    /// `read`, repeated if a signal interrupts it.
    package func read(_ file: FileDescriptor, _ path: FilePath, into buffer: UnsafeMutableRawBufferPointer)
        throws(FileError) -> Int
    {
        while true {
            let count = systemRead(file.rawValue, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            if errno != EINTR { throw failure("reading", path) }
        }
    }

    /// `write`, repeated if a signal interrupts it.
    package func write(_ bytes: UnsafeRawBufferPointer, to file: FileDescriptor, _ path: FilePath)
        throws(FileError) -> Int
    {
        while true {
            let count = systemWrite(file.rawValue, bytes.baseAddress, bytes.count)
            if count >= 0 { return count }
            if errno != EINTR { throw failure("writing", path) }
        }
    }

    /// `rename`.
    package func move(_ source: FilePath, to target: FilePath) throws(FileError) {
        let status = source.withPlatformString { from in target.withPlatformString { rename(from, $0) } }
        guard status == 0 else { throw failure("moving into place", target) }
    }

    /// `renameat2` with `RENAME_NOREPLACE`, or the system's substitute.
    package func moveIfFree(_ source: FilePath, to target: FilePath) throws(FileError) -> Bool {
        let status = source.withPlatformString { from in
            target.withPlatformString { cfilesystem_move_if_free(from, $0) }
        }
        if status == 0 { return true }
        switch errno {
        case EEXIST, EINVAL, ENOSYS, ENOTSUP, EPERM, EXDEV: return false
        default: throw failure("moving into place", target)
        }
    }

    /// `mkdir`.
    package func makeFolder(_ path: FilePath) throws(FileError) -> Bool {
        if path.withPlatformString({ mkdir($0, 0o700) }) == 0 { return true }
        guard errno == EEXIST else { throw failure("making", path) }
        return false
    }

    /// `unlink` or `rmdir`.
    package func remove(_ path: FilePath, isFolder: Bool) throws(FileError) {
        let status = path.withPlatformString { isFolder ? rmdir($0) : unlink($0) }
        guard status == 0 || errno == ENOENT else { throw failure("removing", path) }
    }

    /// `chmod`.
    package func setMode(_ mode: FilePermissions, of path: FilePath) throws(FileError) {
        guard path.withPlatformString({ chmod($0, mode.rawValue) }) == 0 else {
            throw failure("changing the permissions of", path)
        }
    }

    /// `fsync`.
    package func sync(_ file: FileDescriptor, _ path: FilePath) throws(FileError) {
        guard fsync(file.rawValue) == 0 else { throw failure("syncing", path) }
    }

    /// `syncfs`; `sync` on systems without it.
    package func syncAll(_ file: FileDescriptor, _ path: FilePath) throws(FileError) {
        guard cfilesystem_sync(file.rawValue) == 0 else { throw failure("syncing", path) }
    }

    /// `readdir`, to its end.
    package func names(in path: FilePath) throws(FileError) -> [FilePath.Component] {
        guard let stream = path.withPlatformString({ opendir($0) }) else { throw failure("listing", path) }
        defer { closedir(stream) }
        var names: [FilePath.Component] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw failure("listing", path) }
                return names
            }
            if let name = FilePath.Component(entry: entry.name) { names.append(name) }
        }
    }

    /// `lstat`.
    package func status(of path: FilePath) throws(FileError) -> FileStatus? {
        var status = stat()
        guard path.withPlatformString({ lstat($0, &status) }) == 0 else {
            guard errno == ENOENT || errno == ENOTDIR else { throw failure("looking at", path) }
            return nil
        }
        let kind: FileStatus.Kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            default: .other
            }
        let (changed, modified) = (status.st_ctim.tv_sec, status.st_mtim)
        return FileStatus(
            kind: kind, size: Int64(status.st_size),
            permissions: FilePermissions(rawValue: CInterop.Mode(status.st_mode & 0o7777)), changed: Int64(changed),
            modified: Timestamp(seconds: Int64(modified.tv_sec), nanoseconds: Int64(modified.tv_nsec)).nanoseconds,
            device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino))
    }

    /// `statfs`.
    package func networkName(of path: FilePath) -> String? {
        path.withPlatformString { cfilesystem_network_of($0).map { String(cString: $0) } }
    }

    /// `statfs`, `stat` and `statx`. A new file may get the inode of one that was removed, but not its time of birth.
    package func identity(of path: FilePath) throws(FileError) -> String? {
        var (disk, inode, birth): (UInt64, UInt64, Int64) = (0, 0, 0)
        guard path.withPlatformString({ cfilesystem_identity($0, &disk, &inode, &birth) }) == 0 else {
            guard errno == ENOENT || errno == ENOTDIR else { throw failure("looking at", path) }
            return nil
        }
        return "\(disk) \(inode) \(birth)"
    }

    /// `pread`, repeated if a signal interrupts it.
    package func read(
        _ file: FileDescriptor, _ path: FilePath, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(FileError) -> Int {
        while true {
            let count = pread(file.rawValue, buffer.baseAddress, buffer.count, off_t(offset))
            if count >= 0 { return count }
            if errno != EINTR { throw failure("reading", path) }
        }
    }

    /// `copy_file_range`, which shares blocks where the file system can.
    package func copy(_ count: Int, from source: FileDescriptor, to target: FileDescriptor, _ path: FilePath)
        throws(FileError) -> Int?
    {
        while true {
            let copied = cfilesystem_copy(target.rawValue, source.rawValue, count)
            if copied >= 0 { return copied }
            switch errno {
            case EINTR: continue
            case ENOSPC, EDQUOT, EFBIG: throw failure("writing", path)
            // For every other reason the caller reads and writes instead. If that fails too, it reports the reason.
            default: return nil
            }
        }
    }

    /// `symlink`, which replaces nothing.
    package func link(_ path: FilePath, to destination: FilePath) throws(FileError) -> Bool {
        let status = destination.withPlatformString { destination in
            path.withPlatformString { symlink(destination, $0) }
        }
        if status == 0 { return true }
        guard errno == EEXIST else { throw failure("linking", path) }
        return false
    }

    /// `readlink`.
    package func destination(of path: FilePath) throws(FileError) -> FilePath? {
        // One byte more for the null at the end; links are shorter than `PATH_MAX` bytes.
        var buffer = [CInterop.PlatformChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = path.withPlatformString { readlink($0, &buffer, buffer.count - 1) }
        guard count < 0 else { return FilePath(platformString: buffer) }
        guard errno == EINVAL || errno == ENOENT || errno == ENOTDIR else { throw failure("looking at", path) }
        return nil
    }

    /// `FICLONE`.
    package func clone(_ source: FileDescriptor, to target: FileDescriptor, _ path: FilePath) throws(FileError)
        -> Bool
    {
        while true {
            if cfilesystem_clone(target.rawValue, source.rawValue) == 0 { return true }
            switch errno {
            case EINTR: continue
            case ENOSPC, EDQUOT: throw failure("writing", path)
            default: return false
            }
        }
    }

    /// `sync_file_range`.
    package func beginWriting(_ file: FileDescriptor, offset: Int64, count: Int64) {
        cfilesystem_begin_writing(file.rawValue, offset, count)
    }

    /// `FS_IOC_SETFLAGS`, on Btrfs.
    package func makeOverwritable(_ path: FilePath) {
        let folder = path.removingLastComponent()
        folder.withPlatformString { folder in path.withPlatformString { cfilesystem_make_overwritable(folder, $0) } }
    }

    /// Makes the file on any file system; `false` if something has its name, or it cannot be made.
    func makeWithoutCopies(_ path: FilePath) -> Bool {
        let folder = path.removingLastComponent()
        return folder.withPlatformString { folder in
            path.withPlatformString { cfilesystem_make_without_copies(folder, $0) }
        } == 0
    }

    /// `utimensat`, which follows no link.
    package func setModified(_ time: Timestamp, of path: FilePath) {
        path.withPlatformString { cfilesystem_set_modified($0, time.nanoseconds) }
    }

    /// `link`.
    package func hardLink(_ path: FilePath, as name: FilePath) throws(FileError) -> Bool {
        // For every reason the caller copies the file instead. If that fails too, the copy reports the reason.
        path.withPlatformString { path in name.withPlatformString { systemLink(path, $0) } } == 0
    }

    /// Opens each folder below the one before, and never through a link. A sink that still runs and swaps a folder for a
    /// link cannot lead the removal elsewhere. The folders above `path` are trusted.
    package func removeTree(_ path: FilePath) {
        guard path != "/" else { return }
        _ = path.withPlatformString { cfilesystem_remove_tree($0) }
    }

    /// Counts blocks, and at least 4096 bytes for each entry. A folder that cannot be read counts as above the limit.
    package func size(ofFolder path: FilePath, limit: Int64) throws(FileError) -> Int64 {
        path.withPlatformString { cfilesystem_folder_size($0, limit) }
    }

    /// `statvfs`.
    package func freeSpace(at path: FilePath) throws(FileError) -> FreeSpace? {
        var status = statvfs()
        guard path.withPlatformString({ statvfs($0, &status) }) == 0 else { throw failure("looking at", path) }
        let unit = Int64(status.f_frsize)
        let bytes = { (blocks: UInt64) in
            let (bytes, isHuge) = Int64(clamping: blocks).multipliedReportingOverflow(by: unit)
            return isHuge ? Int64.max : bytes
        }
        return FreeSpace(
            bytes: bytes(UInt64(status.f_bavail)), total: bytes(UInt64(status.f_blocks)),
            files: status.f_files == 0 ? nil : UInt64(status.f_favail))
    }

    /// The error of the last call.
    private func failure(_ doing: String, _ path: FilePath) -> FileError {
        FileError(Errno(rawValue: errno), doing, path)
    }
}

// Inside the type its own methods hide the system's functions of the same names.
private func systemRead(_ file: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(file, buffer, count)
}

private func systemWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(file, bytes, count)
}

private func systemLink(_ path: UnsafePointer<CChar>, _ name: UnsafePointer<CChar>) -> Int32 { link(path, name) }

extension UInt32 {
    /// The number of the user that this process acts for.
    static var currentUser: UInt32 { geteuid() }
}

extension FileSystem where Self == SystemFileSystem {
    /// The system's own calls, for an entrance that takes only a path.
    package static var system: SystemFileSystem { SystemFileSystem() }
}
