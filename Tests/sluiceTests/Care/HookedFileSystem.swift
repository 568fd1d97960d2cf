import Synchronization
import SystemPackage

@testable import Files
@testable import GroupContainer

/// The system's file system, with hooks that run before some calls.
struct HookedFileSystem: FileSystem {
    /// Called before the status of a path is read.
    var beforeStatus: @Sendable (FilePath) -> Void = { _ in }
    /// Whether the file system supports a rename that fails if the name is taken.
    var canMoveIfFree = true
    /// The free space to report; `nil` reports that of the disk.
    var freeSpace: @Sendable () -> FreeSpace? = { nil }
    /// What the user's mask takes away from the modes of new files.
    var mask: FilePermissions = []
    /// Called before something is removed. If it throws, the removal fails with that error.
    var beforeRemove: @Sendable (FilePath) throws(FileError) -> Void = { _ throws(FileError) in }
    /// Called before a file is opened for writing, and before a folder is made. If it throws, that call fails with the
    /// error.
    var beforeWriting: @Sendable (FilePath) throws(FileError) -> Void = { _ throws(FileError) in }
    /// Called before a file gets another name, with the old and the new one.
    var beforeMove: @Sendable (FilePath, FilePath) -> Void = { _, _ in }
    /// Called before a symbolic link is made.
    var beforeLink: @Sendable (FilePath) -> Void = { _ in }
    /// Called before a file is made that can be overwritten in its place.
    var beforeOverwritable: @Sendable (FilePath) -> Void = { _ in }
    /// Whether files can share blocks. Most disks of test machines cannot, so the bytes are copied.
    var canClone = false
    /// The network that all files are on.
    var network: String?
    private let system = SystemFileSystem()

    func open(
        _ path: FilePath, _ access: FileDescriptor.AccessMode, _ options: FileDescriptor.OpenOptions,
        mode: FilePermissions
    ) throws(FileError) -> FileDescriptor {
        if access != .readOnly { try beforeWriting(path) }
        return try system.open(path, access, options, mode: mode.subtracting(mask))
    }

    func read(_ file: FileDescriptor, _ path: FilePath, into buffer: UnsafeMutableRawBufferPointer)
        throws(FileError) -> Int
    { try system.read(file, path, into: buffer) }

    func read(_ file: FileDescriptor, _ path: FilePath, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer)
        throws(FileError) -> Int
    { try system.read(file, path, at: offset, into: buffer) }

    func write(_ bytes: UnsafeRawBufferPointer, to file: FileDescriptor, _ path: FilePath) throws(FileError)
        -> Int
    { try system.write(bytes, to: file, path) }

    func copy(_ count: Int, from source: FileDescriptor, to target: FileDescriptor, _ path: FilePath)
        throws(FileError) -> Int?
    { try system.copy(count, from: source, to: target, path) }

    func link(_ path: FilePath, to destination: FilePath) throws(FileError) -> Bool {
        beforeLink(path)
        return try system.link(path, to: destination)
    }

    func destination(of path: FilePath) throws(FileError) -> FilePath? { try system.destination(of: path) }

    func clone(_ source: FileDescriptor, to target: FileDescriptor, _ path: FilePath) throws(FileError) -> Bool {
        guard canClone else { return false }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4 << 10, alignment: 1)
        defer { buffer.deallocate() }
        while case let count = try system.read(source, path, into: buffer), count > 0 {
            try system.writeAll(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: target, path)
        }
        return true
    }

    func move(_ source: FilePath, to target: FilePath) throws(FileError) {
        beforeMove(source, target)
        try system.move(source, to: target)
    }

    func moveIfFree(_ source: FilePath, to target: FilePath) throws(FileError) -> Bool {
        beforeMove(source, target)
        guard canMoveIfFree else { return false }
        return try system.moveIfFree(source, to: target)
    }

    func makeFolder(_ path: FilePath) throws(FileError) -> Bool {
        if try system.status(of: path) == nil { try beforeWriting(path) }
        return try system.makeFolder(path)
    }

    func remove(_ path: FilePath, isFolder: Bool) throws(FileError) {
        try beforeRemove(path)
        try system.remove(path, isFolder: isFolder)
    }

    func setMode(_ mode: FilePermissions, of path: FilePath) throws(FileError) {
        try system.setMode(mode, of: path)
    }

    func sync(_ file: FileDescriptor, _ path: FilePath) throws(FileError) { try system.sync(file, path) }

    func syncAll(_ file: FileDescriptor, _ path: FilePath) throws(FileError) { try system.syncAll(file, path) }

    func names(in path: FilePath) throws(FileError) -> [FilePath.Component] { try system.names(in: path) }

    func status(of path: FilePath) throws(FileError) -> FileStatus? {
        beforeStatus(path)
        return try system.status(of: path)
    }

    func identity(of path: FilePath) throws(FileError) -> String? { try system.identity(of: path) }

    func networkName(of path: FilePath) -> String? { network }

    func makeOverwritable(_ path: FilePath) {
        beforeOverwritable(path)
        system.makeOverwritable(path)
    }

    func beginWriting(_ file: FileDescriptor, offset: Int64, count: Int64) {}

    func freeSpace(at path: FilePath) throws(FileError) -> FreeSpace? {
        if let free = freeSpace() { return free }
        return try system.freeSpace(at: path)
    }
}
