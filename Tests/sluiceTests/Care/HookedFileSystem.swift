import Synchronization
import SystemPackage

@testable import GroupContainer

/// The system's calls, with something else happening right before some of them.
struct HookedFileSystem: FileSystem {
    /// Called before the status of a path is asked for.
    var beforeStatus: @Sendable (FilePath) -> Void = { _ in }
    /// Whether it can rename where nothing has the name, and only there.
    var canMoveIfFree = true
    /// What is left; `nil` for what the disk says.
    var freeSpace: @Sendable () -> FreeSpace? = { nil }
    /// Called before something is removed; what it throws is the removal's failure.
    var beforeRemove: @Sendable (FilePath) throws(ContainerError) -> Void = { _ throws(ContainerError) in }
    /// Called before a file is opened for writing, or a folder made; what it throws is the failure of that.
    var beforeWriting: @Sendable (FilePath) throws(ContainerError) -> Void = { _ throws(ContainerError) in }
    private let system = SystemFileSystem()

    func open(
        _ path: FilePath, _ access: FileDescriptor.AccessMode, _ options: FileDescriptor.OpenOptions,
        mode: FilePermissions
    ) throws(ContainerError) -> FileDescriptor {
        if access != .readOnly { try beforeWriting(path) }
        return try system.open(path, access, options, mode: mode)
    }

    func read(_ file: FileDescriptor, _ path: FilePath, into buffer: UnsafeMutableRawBufferPointer)
        throws(ContainerError) -> Int
    { try system.read(file, path, into: buffer) }

    func read(_ file: FileDescriptor, _ path: FilePath, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer)
        throws(ContainerError) -> Int
    { try system.read(file, path, at: offset, into: buffer) }

    func write(_ bytes: UnsafeRawBufferPointer, to file: FileDescriptor, _ path: FilePath) throws(ContainerError)
        -> Int
    { try system.write(bytes, to: file, path) }

    func copy(_ count: Int, from source: FileDescriptor, to target: FileDescriptor, _ path: FilePath)
        throws(ContainerError) -> Int?
    { try system.copy(count, from: source, to: target, path) }

    func move(_ source: FilePath, to target: FilePath) throws(ContainerError) { try system.move(source, to: target) }

    func moveIfFree(_ source: FilePath, to target: FilePath) throws(ContainerError) -> Bool {
        guard canMoveIfFree else { return false }
        return try system.moveIfFree(source, to: target)
    }

    func makeFolder(_ path: FilePath) throws(ContainerError) -> Bool {
        if try system.status(of: path) == nil { try beforeWriting(path) }
        return try system.makeFolder(path)
    }

    func remove(_ path: FilePath, isFolder: Bool) throws(ContainerError) {
        try beforeRemove(path)
        try system.remove(path, isFolder: isFolder)
    }

    func setMode(_ mode: FilePermissions, of path: FilePath) throws(ContainerError) {
        try system.setMode(mode, of: path)
    }

    func sync(_ file: FileDescriptor, _ path: FilePath) throws(ContainerError) { try system.sync(file, path) }

    func syncAll(_ file: FileDescriptor, _ path: FilePath) throws(ContainerError) { try system.syncAll(file, path) }

    func names(in path: FilePath) throws(ContainerError) -> [FilePath.Component] { try system.names(in: path) }

    func status(of path: FilePath) throws(ContainerError) -> FileStatus? {
        beforeStatus(path)
        return try system.status(of: path)
    }

    func beginWriting(_ file: FileDescriptor, offset: Int64, count: Int64) {}

    func freeSpace(at path: FilePath) throws(ContainerError) -> FreeSpace? {
        if let free = freeSpace() { return free }
        return try system.freeSpace(at: path)
    }
}
