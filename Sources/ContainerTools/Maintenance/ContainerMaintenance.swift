package import Files
package import GroupContainer
internal import ShareModel
package import SystemPackage

/// Verifies, repairs, collects, forgets and exports in an existing container. The calls of a value block their thread;
/// the static calls do not.
public struct ContainerMaintenance: Sendable {
    /// The paths in the container's folder.
    package let layout: ContainerLayout
    let objects: LocalObjectStore
    let database: CatalogDatabase
    let fileSystem: any FileSystem
    /// The shared lock that keeps a migration out, for as long as any copy of this value lives; `nil` on a read-only
    /// file system.
    private let presence: KernelLock?
    private let isReading: Bool

    /// Opens the container for reading only. No call of this value changes a row or an object.
    ///
    /// - Throws: `ContainerError` if there is no container, or one that this program cannot use.
    package init(reading root: FilePath) throws { try self.init(reading: root, fileSystem: SystemFileSystem.system) }

    /// Opens the container for reading only, through the caller's file system; see ``init(reading:)``.
    package init(reading root: FilePath, fileSystem: any FileSystem) throws {
        let layout = ContainerLayout(root: root)
        if case .older = try ContainerFormat.require(layout, fileSystem) {
            throw ContainerError(.olderFormat, "\(layout.root) has an older format", remedy: .migrateContainer)
        }
        // Before the catalog is opened, so that no migration begins in between.
        let presence = try Self.lockForReading(layout.lock(.container), fileSystem)
        try self.init(
            layout, CatalogDatabase(reading: layout.catalog, fileSystem), presence, fileSystem, isReading: true)
    }

    /// Opens the container for changes, and removes the leftovers of dead writers.
    ///
    /// - Throws: `ContainerError` if there is no container, or one that this program cannot use.
    package init(opening root: FilePath) throws { try self.init(opening: root, fileSystem: SystemFileSystem.system) }

    /// Opens the container for changes, through the caller's file system; see ``init(opening:)``.
    package init(opening root: FilePath, fileSystem: any FileSystem) throws {
        // Opening it sweeps the staging area, and begins a new epoch if the catalog was restored. Its catalog wakes the
        // followers of the feed.
        let local = try LocalContainer(root, makes: false, fileSystem)
        try self.init(local.layout, local.database, local.presence, fileSystem, isReading: false)
    }

    private init(
        _ layout: ContainerLayout, _ database: CatalogDatabase, _ presence: KernelLock?, _ fileSystem: any FileSystem,
        isReading: Bool
    ) throws {
        try OtherEngines.refuse(database, layout)
        self.layout = layout
        self.database = database
        self.presence = presence
        self.fileSystem = fileSystem
        self.isReading = isReading
        objects = LocalObjectStore(layout: layout, fileSystem: fileSystem, reserve: .standard)
    }

    /// Runs `body` under the lock of an area, and waits for the processes that hold it.
    func withLock<Value>(_ area: LockArea, _ mode: KernelLock.Mode, _ body: () throws -> Value) throws -> Value {
        try layout.withLock(area, mode, fileSystem, body)
    }

    /// Runs `body` while no process removes objects, and waits for a process that does. A read-only file system needs
    /// no lock, because no process can remove an object there.
    func withObjectsKept<Value>(_ body: () throws -> Value) throws -> Value {
        guard isReading else { return try withLock(.objects, .shared, body) }
        let lock = try Self.lockForReading(layout.lock(.objects), fileSystem)
        return try withExtendedLifetime(lock, body)
    }

    /// Takes a lock shared without writing its file; `nil` on a read-only file system without the file.
    private static func lockForReading(_ path: FilePath, _ fileSystem: any FileSystem) throws -> KernelLock? {
        do {
            return try KernelLock.forReading(path, fileSystem)
        } catch let error as FileError {
            throw ContainerError(.system, "\(error.message); run as the container's owner")
        }
    }
}
