package import ShareModel
package import SystemPackage

/// The calls to the disk of the container and of the sinks' work folders. SQLite makes the catalog's own calls. Each call
/// blocks its thread.
///
/// It is a seam: tests make each call fail, or undo it in a simulated power cut. Each error says what failed and on what; a
/// `path` beside a descriptor is for that message only.
package protocol FileSystem: Sendable {
    /// Opens a file or folder. The caller closes it. Programs that this one starts do not inherit it.
    ///
    /// - Parameter mode: the permissions of a new file.
    func open(
        _ path: FilePath, _ access: FileDescriptor.AccessMode, _ options: FileDescriptor.OpenOptions,
        mode: FilePermissions
    ) throws(FileError) -> FileDescriptor

    /// Reads at the file's position.
    ///
    /// - Returns: how many bytes it read; 0 at the end.
    func read(_ file: FileDescriptor, _ path: FilePath, into buffer: UnsafeMutableRawBufferPointer)
        throws(FileError) -> Int

    /// Writes at the file's position.
    ///
    /// - Returns: how many bytes it wrote, which may be fewer than all.
    func write(_ bytes: UnsafeRawBufferPointer, to file: FileDescriptor, _ path: FilePath) throws(FileError) -> Int

    /// Gives a file another name and replaces the file of that name, as one atomic step.
    func move(_ source: FilePath, to target: FilePath) throws(FileError)

    /// As ``move(_:to:)``, but replaces nothing.
    ///
    /// - Returns: `false` if something has the new name, or if the file system cannot check and move in one atomic step, as
    ///   between two mounts.
    func moveIfFree(_ source: FilePath, to target: FilePath) throws(FileError) -> Bool

    /// Makes a folder for this user alone.
    ///
    /// - Returns: `false` if anything has that name.
    func makeFolder(_ path: FilePath) throws(FileError) -> Bool

    /// Removes a file, a link or an empty folder. Succeeds if nothing has the name.
    func remove(_ path: FilePath, isFolder: Bool) throws(FileError)

    /// Sets the permissions.
    func setMode(_ mode: FilePermissions, of path: FilePath) throws(FileError)

    /// Makes a file's bytes, or a folder's names, durable.
    func sync(_ file: FileDescriptor, _ path: FilePath) throws(FileError)

    /// Makes durable everything that was done before on the file system of an open file: bytes, names, folders.
    func syncAll(_ file: FileDescriptor, _ path: FilePath) throws(FileError)

    /// The names in a folder, without `.` and `..`, in no order.
    func names(in path: FilePath) throws(FileError) -> [FilePath.Component]

    /// The status of the file or folder with this name; `nil` if nothing has the name. A symbolic link is not followed.
    func status(of path: FilePath) throws(FileError) -> FileStatus?

    /// A text that no other file has, nor a copy of this one; `nil` if nothing has the name. It stays the same if the file is
    /// renamed or written. A symbolic link is followed.
    func identity(of path: FilePath) throws(FileError) -> String?

    /// Reads at an offset and leaves the file's position alone.
    ///
    /// - Returns: how many bytes it read; 0 at the end.
    func read(_ file: FileDescriptor, _ path: FilePath, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer)
        throws(FileError) -> Int

    /// Lets the system copy at most `count` bytes from the position of one file to that of another. Both positions move.
    ///
    /// - Returns: how many bytes it copied, 0 at the end; `nil` if the system cannot copy between the two.
    func copy(_ count: Int, from source: FileDescriptor, to target: FileDescriptor, _ path: FilePath)
        throws(FileError) -> Int?

    /// Begins to write a range to the disk, which makes a later sync shorter. It promises nothing.
    func beginWriting(_ file: FileDescriptor, offset: Int64, count: Int64)

    /// Makes a symbolic link.
    ///
    /// - Returns: `false` if anything has that name.
    func link(_ path: FilePath, to destination: FilePath) throws(FileError) -> Bool

    /// The text of a symbolic link; `nil` if no link has that name.
    func destination(of path: FilePath) throws(FileError) -> FilePath?

    /// Lets a new, empty file share the blocks of another.
    ///
    /// - Returns: `false` if the file system cannot do that.
    func clone(_ source: FileDescriptor, to target: FileDescriptor, _ path: FilePath) throws(FileError) -> Bool

    /// Makes an empty file whose bytes can be written again later without new space. It promises nothing, and does
    /// nothing if the file exists, or if all files of the file system are so.
    func makeOverwritable(_ path: FilePath)

    /// Sets the time of the last change of a file's content, or that of a symbolic link itself. It promises nothing.
    func setModified(_ time: Timestamp, of path: FilePath)

    /// Gives a file one more name.
    ///
    /// - Returns: `false` if the system cannot do that, for example between two disks, or if something has the name.
    func hardLink(_ path: FilePath, as name: FilePath) throws(FileError) -> Bool

    /// Removes a folder and everything in it. Symbolic links are removed, never followed. Files that cannot be removed
    /// stay; the next removal tries again.
    func removeTree(_ path: FilePath)

    /// How many bytes of the disk the files below a folder take. Counting ends a little above `limit`.
    func size(ofFolder path: FilePath, limit: Int64) throws(FileError) -> Int64

    /// The name of the network file system that a path is on, such as `NFS`; `nil` for every other file system.
    func networkName(of path: FilePath) -> String?

    /// The free space on the file system of a path; `nil` if it cannot be found out.
    func freeSpace(at path: FilePath) throws(FileError) -> FreeSpace?
}

// Optional calls: a file system for tests may lack them.
extension FileSystem {
    /// Returns `nil`: this file system cannot copy.
    package func copy(_ count: Int, from source: FileDescriptor, to target: FileDescriptor, _ path: FilePath)
        throws(FileError) -> Int?
    { nil }

    /// Returns `false`: this file system cannot share blocks.
    package func clone(_ source: FileDescriptor, to target: FileDescriptor, _ path: FilePath) throws(FileError)
        -> Bool
    { false }

    /// Does nothing: the sync writes everything.
    package func beginWriting(_ file: FileDescriptor, offset: Int64, count: Int64) {}

    /// Does nothing: no file is copied on a write here.
    package func makeOverwritable(_ path: FilePath) {}

    /// Does nothing: files have no times here.
    package func setModified(_ time: Timestamp, of path: FilePath) {}

    /// Returns `nil`: this file system is no network's.
    package func networkName(of path: FilePath) -> String? { nil }

    /// Returns `nil`: the free space is unknown.
    package func freeSpace(at path: FilePath) throws(FileError) -> FreeSpace? { nil }

    /// Returns `false`: a file has one name here.
    package func hardLink(_ path: FilePath, as name: FilePath) throws(FileError) -> Bool { false }

    /// Removes entry by entry, so that a test can make each removal fail.
    package func removeTree(_ path: FilePath) {
        guard let kind = try? status(of: path)?.kind else { return }
        if kind == .folder {
            for name in (try? names(in: path)) ?? [] { removeTree(path.appending(name)) }
        }
        try? remove(path, isFolder: kind == .folder)
    }

    /// Adds up the sizes of the files, entry by entry.
    package func size(ofFolder path: FilePath, limit: Int64) throws(FileError) -> Int64 {
        var total: Int64 = 0
        guard try exists(path) else { return 0 }
        for name in try names(in: path) where total <= limit {
            let entry = path.appending(name)
            guard let status = try status(of: entry) else { continue }
            total += status.size
            if status.kind == .folder { total += try size(ofFolder: entry, limit: limit - total) }
        }
        return total
    }
}
