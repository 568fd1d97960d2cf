package import Files
internal import ShareModel
package import SystemPackage

/// Verifies, repairs, collects, forgets and exports in a container that is there. The calls of a value block their thread;
/// the static calls do not.
public struct ContainerMaintenance: Sendable {
    /// Where things lie in the container.
    package let layout: ContainerLayout
    let objects: LocalObjectStore
    let database: CatalogDatabase
    let fileSystem: any FileSystem
    /// Says that the container is in use, for as long as any copy of this value lives.
    private let presence: KernelLock?
    private let isReading: Bool

    /// For looking alone; no row and no object is touched.
    ///
    /// - Throws: ``ContainerError`` where there is no container, or one that this program cannot use.
    package init(reading root: FilePath) throws { try self.init(reading: root, fileSystem: SystemFileSystem.system) }

    /// For looking alone; no row and no object is touched.
    package init(reading root: FilePath, fileSystem: any FileSystem) throws {
        try self.init(root, fileSystem, isReading: true) { try CatalogDatabase(reading: $0, fileSystem) }
    }

    /// For changing what is there; sweeps what dead writers left.
    ///
    /// - Throws: ``ContainerError`` where there is no container, or one that this program cannot use.
    package init(opening root: FilePath) throws { try self.init(opening: root, fileSystem: SystemFileSystem.system) }

    /// For changing what is there; sweeps what dead writers left.
    package init(opening root: FilePath, fileSystem: any FileSystem) throws {
        try self.init(root, fileSystem, isReading: false) { path in
            _ = try Container.open(at: root, fileSystem: fileSystem)
            return try CatalogDatabase(writing: path, isNew: false)
        }
    }

    private init(
        _ root: FilePath, _ fileSystem: any FileSystem, isReading: Bool,
        _ open: (FilePath) throws -> CatalogDatabase
    ) throws {
        layout = ContainerLayout(root: root)
        self.fileSystem = fileSystem
        self.isReading = isReading
        if case .older = try ContainerFormat.require(layout, fileSystem) {
            throw ContainerError(.olderFormat, "\(layout.root) has an older format", remedy: .migrateContainer)
        }
        if isReading {
            presence = try Self.lockForReading(layout.lock(.container), fileSystem)
        } else {
            try fileSystem.ensureFolder(layout.run)
            presence = try KernelLock(layout.lock(.container), .shared, fileSystem)
        }
        database = try open(layout.catalog)
        objects = LocalObjectStore(layout: layout, fileSystem: fileSystem, reserve: .standard)
    }

    /// Runs `body` under the lock of an area, waiting for those who hold it.
    func withLock<Value>(_ area: LockArea, _ mode: KernelLock.Mode, _ body: () throws -> Value) throws -> Value {
        try layout.withLock(area, mode, fileSystem, body)
    }

    /// Runs `body` while no process removes objects, waiting for one that does. On a read-only file system no process
    /// can, and there is no lock.
    func withObjectsKept<Value>(_ body: () throws -> Value) throws -> Value {
        guard isReading else { return try withLock(.objects, .shared, body) }
        let lock = try Self.lockForReading(layout.lock(.objects), fileSystem)
        return try withExtendedLifetime(lock, body)
    }

    private static func lockForReading(_ path: FilePath, _ fileSystem: any FileSystem) throws(ContainerError)
        -> KernelLock?
    {
        do throws(FileError) {
            return try KernelLock.forReading(path, fileSystem)
        } catch {
            throw ContainerError(.system, "\(error.message); run as the container's owner")
        }
    }

    /// Makes the names in a folder durable.
    func syncFolder(_ path: FilePath) throws {
        let folder = try fileSystem.open(path, .readOnly, .directory)
        try folder.closeAfter { try fileSystem.sync(folder, path) }
    }
}
