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

    /// A file, folder or other thing of so many bytes.
    public init(kind: Kind, size: Int64) {
        self.kind = kind
        self.size = size
    }
}
