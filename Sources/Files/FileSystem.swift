package import SystemPackage

/// The calls by which the container touches its disk; the catalog's own go by SQLite. Calls block their thread.
///
/// A seam: what must survive a power cut can be tested only where each call can fail, or be forgotten. Each error says
/// what failed and on what; a `path` beside a descriptor is for those words.
package protocol FileSystem: Sendable {
    /// Opens a file or folder, closed in programs that this one starts; the caller closes it.
    ///
    /// - Parameter mode: the permissions of a file that is made by this.
    func open(
        _ path: FilePath, _ access: FileDescriptor.AccessMode, _ options: FileDescriptor.OpenOptions,
        mode: FilePermissions
    ) throws(FileError) -> FileDescriptor

    /// Reads at the file's position; returns how many bytes there were, 0 at the end.
    func read(_ file: FileDescriptor, _ path: FilePath, into buffer: UnsafeMutableRawBufferPointer)
        throws(FileError) -> Int

    /// Writes at the file's position; returns how many of the bytes were taken, which may be fewer than all.
    func write(_ bytes: UnsafeRawBufferPointer, to file: FileDescriptor, _ path: FilePath) throws(FileError) -> Int

    /// Gives a file another name, replacing what bears it, at one moment.
    func move(_ source: FilePath, to target: FilePath) throws(FileError)

    /// As ``move(_:to:)``, but replaces nothing; whether it moved.
    ///
    /// - Returns: `false` where something has the new name, or where the file system cannot ask and move at one moment, as
    ///   between two mounts.
    func moveIfFree(_ source: FilePath, to target: FilePath) throws(FileError) -> Bool

    /// Makes a folder for this user alone; whether it was made: `false` where anything has that name.
    func makeFolder(_ path: FilePath) throws(FileError) -> Bool

    /// Removes a file, a link or an empty folder; nothing there is no error.
    func remove(_ path: FilePath, isFolder: Bool) throws(FileError)

    /// Sets the permissions.
    func setMode(_ mode: FilePermissions, of path: FilePath) throws(FileError)

    /// Makes a file's bytes, or a folder's names, durable.
    func sync(_ file: FileDescriptor, _ path: FilePath) throws(FileError)

    /// Makes durable all that was done before on the file system of an open file: bytes, names, folders.
    func syncAll(_ file: FileDescriptor, _ path: FilePath) throws(FileError)

    /// The names in a folder, without `.` and `..`, in no order.
    func names(in path: FilePath) throws(FileError) -> [FilePath.Component]

    /// What has this name, links not followed; `nil` where nothing has.
    func status(of path: FilePath) throws(FileError) -> FileStatus?

    /// Reads at an offset, and leaves the file's position alone; how many bytes there were, 0 at the end.
    func read(_ file: FileDescriptor, _ path: FilePath, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer)
        throws(FileError) -> Int

    /// Lets the system copy up to `count` bytes from the position of one file to that of another, which both move.
    ///
    /// - Returns: how many bytes were copied, 0 at the end; `nil` where the system cannot copy between the two.
    func copy(_ count: Int, from source: FileDescriptor, to target: FileDescriptor, _ path: FilePath)
        throws(FileError) -> Int?

    /// Begins to write a range to the disk, so that a sync has less to wait for. Promises nothing.
    func beginWriting(_ file: FileDescriptor, offset: Int64, count: Int64)

    /// Makes a symbolic link; whether it was made: `false` where anything has that name.
    func link(_ path: FilePath, to destination: FilePath) throws(FileError) -> Bool

    /// Where a symbolic link leads, as the link says it; `nil` where no link has that name.
    func destination(of path: FilePath) throws(FileError) -> FilePath?

    /// Lets a new, empty file share the blocks of another; whether the file system could.
    func clone(_ source: FileDescriptor, to target: FileDescriptor, _ path: FilePath) throws(FileError) -> Bool

    /// What is left on the file system of a path; `nil` where that cannot be told.
    func freeSpace(at path: FilePath) throws(FileError) -> FreeSpace?
}

// What a file system can do without.
extension FileSystem {
    /// Cannot.
    package func copy(_ count: Int, from source: FileDescriptor, to target: FileDescriptor, _ path: FilePath)
        throws(FileError) -> Int?
    { nil }

    /// Cannot.
    package func clone(_ source: FileDescriptor, to target: FileDescriptor, _ path: FilePath) throws(FileError)
        -> Bool
    { false }

    /// Leaves it to the sync.
    package func beginWriting(_ file: FileDescriptor, offset: Int64, count: Int64) {}

    /// Does not tell.
    package func freeSpace(at path: FilePath) throws(FileError) -> FreeSpace? { nil }
}
