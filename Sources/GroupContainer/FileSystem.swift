public import SystemPackage

/// The calls by which the container touches its disk; the catalog's own go by SQLite. Calls block their thread.
///
/// A seam: what must survive a power cut can be tested only where each call can fail, or be forgotten. Each error says
/// what failed and on what; a `path` beside a descriptor is for those words.
public protocol FileSystem: Sendable {
    /// Opens a file or folder, closed in programs that this one starts; the caller closes it.
    ///
    /// - Parameter mode: the permissions of a file that is made by this.
    func open(
        _ path: FilePath, _ access: FileDescriptor.AccessMode, _ options: FileDescriptor.OpenOptions,
        mode: FilePermissions
    ) throws(ContainerError) -> FileDescriptor

    /// Reads at the file's position; returns how many bytes there were, 0 at the end.
    func read(_ file: FileDescriptor, _ path: FilePath, into buffer: UnsafeMutableRawBufferPointer)
        throws(ContainerError) -> Int

    /// Writes at the file's position; returns how many of the bytes were taken, which may be fewer than all.
    func write(_ bytes: UnsafeRawBufferPointer, to file: FileDescriptor, _ path: FilePath) throws(ContainerError) -> Int

    /// Gives a file another name, replacing what bears it, at one moment.
    func move(_ source: FilePath, to target: FilePath) throws(ContainerError)

    /// As ``move(_:to:)``, but replaces nothing; whether it moved.
    ///
    /// - Returns: `false` where something has the new name, or where the file system cannot ask and move at one moment.
    func moveIfFree(_ source: FilePath, to target: FilePath) throws(ContainerError) -> Bool

    /// Makes a folder for this user alone; whether it was made: `false` where anything has that name.
    func makeFolder(_ path: FilePath) throws(ContainerError) -> Bool

    /// Removes a file, a link or an empty folder; nothing there is no error.
    func remove(_ path: FilePath, isFolder: Bool) throws(ContainerError)

    /// Sets the permissions.
    func setMode(_ mode: FilePermissions, of path: FilePath) throws(ContainerError)

    /// Makes a file's bytes, or a folder's names, durable.
    func sync(_ file: FileDescriptor, _ path: FilePath) throws(ContainerError)

    /// Makes durable all that was done before on the file system of an open file: bytes, names, folders.
    func syncAll(_ file: FileDescriptor, _ path: FilePath) throws(ContainerError)

    /// The names in a folder, without `.` and `..`, in no order.
    func names(in path: FilePath) throws(ContainerError) -> [FilePath.Component]

    /// What has this name, links not followed; `nil` where nothing has.
    func status(of path: FilePath) throws(ContainerError) -> FileStatus?

    /// Reads at an offset, and leaves the file's position alone; how many bytes there were, 0 at the end.
    func read(_ file: FileDescriptor, _ path: FilePath, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer)
        throws(ContainerError) -> Int

    /// Lets the system copy up to `count` bytes from the position of one file to that of another, which both move.
    ///
    /// - Returns: how many bytes were copied, 0 at the end; `nil` where the system cannot copy between the two.
    func copy(_ count: Int, from source: FileDescriptor, to target: FileDescriptor, _ path: FilePath)
        throws(ContainerError) -> Int?

    /// Begins to write a range to the disk, so that a sync has less to wait for. Promises nothing.
    func beginWriting(_ file: FileDescriptor, offset: Int64, count: Int64)

    /// What is left on the file system of a path; `nil` where that cannot be told.
    func freeSpace(at path: FilePath) throws(ContainerError) -> FreeSpace?
}

// What a file system can do without.
extension FileSystem {
    /// Cannot.
    public func copy(_ count: Int, from source: FileDescriptor, to target: FileDescriptor, _ path: FilePath)
        throws(ContainerError) -> Int?
    { nil }

    /// Leaves it to the sync.
    public func beginWriting(_ file: FileDescriptor, offset: Int64, count: Int64) {}

    /// Does not tell.
    public func freeSpace(at path: FilePath) throws(ContainerError) -> FreeSpace? { nil }

    /// By the system.
    public func read(
        _ file: FileDescriptor, _ path: FilePath, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(ContainerError) -> Int { try SystemFileSystem().read(file, path, at: offset, into: buffer) }
}

/// What a name stands for.
public struct FileStatus: Sendable, Hashable {
    /// Of what kind it is.
    public enum Kind: Sendable {
        /// A regular file.
        case file
        /// A folder itself, not a link to one.
        case folder
        /// A link, a pipe, a device.
        case other
    }

    /// Of what kind it is.
    public var kind: Kind
    /// In bytes.
    public var size: Int64
    /// Who may read and write it.
    public var permissions: FilePermissions
    /// When its bytes, name or permissions changed last, in seconds since 1970.
    public var changed: Int64
    /// The device that it lies on.
    public var device: UInt64
    /// Its number there: two names of one file have the same.
    public var inode: UInt64

    /// A file, folder or other thing of so many bytes; by default with an object's permissions, and old.
    public init(
        kind: Kind, size: Int64, permissions: FilePermissions = .ownerRead, changed: Int64 = 0, device: UInt64 = 0,
        inode: UInt64 = 0
    ) {
        self.kind = kind
        self.size = size
        self.permissions = permissions
        self.changed = changed
        self.device = device
        self.inode = inode
    }
}
