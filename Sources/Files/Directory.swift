internal import CFileSystem
package import Glibc
package import ShareModel
package import SystemPackage

/// An open folder. Its entries are named by bytes and opened below it, never through a symbolic link.
///
/// Only ``names(suffix:)`` needs the right to list the folder. For everything else the right to pass through is enough.
package final class Directory: Sendable {
    /// The kind of an entry, found without opening it.
    package enum EntryKind {
        case file, folder, link
        case special(Special)
    }

    /// An entry that is none of the usual ones. The raw value names it for a message.
    package enum Special: String, CustomStringConvertible, Sendable {
        case fifo = "a FIFO"
        case socket = "a socket"
        case device = "a device"
        case other = "no regular file"

        package var description: String { rawValue }
    }

    package let descriptor: FileDescriptor

    /// Opens a folder that the user named. Symbolic links in its path are followed.
    package init(_ path: FilePath) throws(Errno) {
        descriptor = try Self.attempt {
            path.withPlatformString { cfilesystem_enter(AT_FDCWD, $0, 1) }
        }
    }

    /// Opens the folder `name` below `parent`.
    ///
    /// - Throws: `tooManySymbolicLinkLevels` if the name is a symbolic link.
    package init(_ name: FilePath.Component, below parent: Directory) throws(Errno) {
        let folder = parent.descriptor.rawValue
        do {
            descriptor = try Self.attempt {
                name.withPlatformString { cfilesystem_enter(folder, $0, 0) }
            }
        } catch {
            // Linux reports "not a directory" here, which hides the reason from the user.
            if error == .notDirectory, case .link = try parent.kind(of: name) { throw .tooManySymbolicLinkLevels }
            throw error
        }
    }

    deinit { try? descriptor.close() }

    /// The names in the folder that end with `suffix`, without `.` and `..`, sorted by their bytes.
    ///
    /// - Parameter limit: the most names. Of more, it returns those that the system lists first.
    package func names(suffix: String = "", atMost limit: Int = .max) throws(Errno) -> [FilePath.Component] {
        // The stream gets a descriptor of its own, because it closes it and moves its position.
        let copy = try Self.attempt { openat(descriptor.rawValue, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard let stream = fdopendir(copy.rawValue) else {
            let failure = Errno(rawValue: errno)
            try? copy.close()
            throw failure
        }
        defer { closedir(stream) }
        var names: [[UInt8]] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw Errno(rawValue: errno) }
                break
            }
            let name = entry.name
            guard !name.isDotName, name.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) else { continue }
            guard names.count < limit else { break }
            names.append(name)
        }
        return names.sorted { $0.lexicographicallyPrecedes($1) }.compactMap(FilePath.Component.init(entry:))
    }

    /// Equal for two names of the same folder; `nil` if the system does not report it.
    package var identity: FolderIdentity? {
        var status = stat()
        return fstat(descriptor.rawValue, &status) == 0 ? FolderIdentity(status) : nil
    }

    package func kind(of name: FilePath.Component) throws(Errno) -> EntryKind { try entry(name).kind }

    /// The kind of an entry, and its stamp.
    package func entry(_ name: FilePath.Component) throws(Errno) -> (kind: EntryKind, stamp: SourceStamp) {
        var status = stat()
        guard name.withPlatformString({ fstatat(descriptor.rawValue, $0, &status, AT_SYMLINK_NOFOLLOW) }) == 0 else {
            throw Errno(rawValue: errno)
        }
        return (EntryKind(mode: status.st_mode), SourceStamp(status))
    }

    /// Opens a file below the folder for reading. It follows no symbolic link, and never waits for a FIFO's writer.
    package func open(_ name: FilePath.Component) throws(Errno) -> FileDescriptor {
        try Self.attempt {
            name.withPlatformString {
                openat(descriptor.rawValue, $0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
            }
        }
    }

    /// The kind of the file at a path that the user named.
    ///
    /// - Parameter follows: whether a symbolic link at the end of the path is followed.
    package static func kind(named path: FilePath, follows: Bool = true) throws(Errno) -> EntryKind {
        var status = stat()
        let flags = follows ? 0 : AT_SYMLINK_NOFOLLOW
        guard path.withPlatformString({ fstatat(AT_FDCWD, $0, &status, flags) }) == 0 else {
            throw Errno(rawValue: errno)
        }
        return EntryKind(mode: status.st_mode)
    }

    /// Opens a path that the user named for reading. It follows symbolic links, and never waits for a FIFO's writer.
    package static func open(named path: FilePath) throws(Errno) -> FileDescriptor {
        try attempt {
            path.withPlatformString { openat(AT_FDCWD, $0, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) }
        }
    }

    private static func attempt(_ call: () -> Int32) throws(Errno) -> FileDescriptor {
        while true {
            let result = call()
            if result >= 0 { return FileDescriptor(rawValue: result) }
            if errno != EINTR { throw Errno(rawValue: errno) }
        }
    }
}

extension Directory.EntryKind {
    /// The kind of an open file.
    package init(of descriptor: FileDescriptor) throws(Errno) {
        var status = stat()
        guard fstat(descriptor.rawValue, &status) == 0 else { throw Errno(rawValue: errno) }
        self.init(mode: status.st_mode)
    }

    init(mode: mode_t) {
        switch mode & S_IFMT {
        case S_IFREG: self = .file
        case S_IFDIR: self = .folder
        case S_IFLNK: self = .link
        case S_IFIFO: self = .special(.fifo)
        case S_IFSOCK: self = .special(.socket)
        case S_IFCHR, S_IFBLK: self = .special(.device)
        default: self = .special(.other)
        }
    }
}

extension SourceStamp {
    package init(_ status: stat) {
        let (modified, changed) = (status.st_mtim, status.st_ctim)
        self.init(
            device: Int64(truncatingIfNeeded: status.st_dev), inode: Int64(truncatingIfNeeded: status.st_ino),
            size: Int64(status.st_size), modified: Self.nanoseconds(modified), changed: Self.nanoseconds(changed))
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        // A damaged file system can report any time.
        Timestamp(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec)).nanoseconds
    }
}

extension UnsafeMutablePointer<dirent> {
    /// The bytes of the entry's name. It may be longer than its field: `vfat` and `cifs` have names of over 255 bytes.
    var name: [UInt8] {
        withUnsafePointer(to: &pointee.d_name) { field in
            let start = UnsafeRawPointer(field)
            return Array(UnsafeRawBufferPointer(start: start, count: strlen(start.assumingMemoryBound(to: CChar.self))))
        }
    }
}

extension FilePath.Component {
    /// The name of an entry of a folder; `nil` for `.` and `..`.
    init?(entry name: [UInt8]) {
        // The bytes are cheaper to look at than the kind of a component.
        if name.isDotName { return nil }
        self.init(bytes: name)
    }

    /// The name's bytes, which need not be UTF-8.
    package var bytes: [UInt8] { withPlatformString { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) } }
}

/// Identifies a folder under any of its names.
package struct FolderIdentity: Equatable {
    private let device: dev_t
    private let inode: ino_t

    init(_ status: stat) {
        device = status.st_dev
        inode = status.st_ino
    }
}
