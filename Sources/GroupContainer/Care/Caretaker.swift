internal import ShareModel
public import SystemPackage

/// Looks after a container that is there already: verifies, mends, collects, forgets. Calls block their thread.
public struct Caretaker: Sendable {
    /// Where things lie in the container.
    public let layout: ContainerLayout
    let objects: LocalObjectStore
    let database: CatalogDatabase
    let fileSystem: any FileSystem
    /// Says that the container is in use, for as long as any copy of this value lives.
    private let presence: KernelLock?
    private let isReading: Bool

    /// For looking alone; no row and no object is touched.
    ///
    /// - Throws: ``ContainerError`` where there is no container, or one that this program cannot use.
    public init(reading root: FilePath, fileSystem: any FileSystem = SystemFileSystem()) throws {
        try self.init(root, fileSystem, isReading: true) { try CatalogDatabase(reading: $0) }
    }

    /// For changing what is there; sweeps what dead writers left.
    ///
    /// - Throws: ``ContainerError`` where there is no container, or one that this program cannot use.
    public init(opening root: FilePath, fileSystem: any FileSystem = SystemFileSystem()) throws {
        try self.init(root, fileSystem, isReading: false) { path in
            _ = try Container(opening: root, fileSystem: fileSystem)
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
        guard try fileSystem.exists(layout.format) else {
            throw ContainerError(
                .notAContainer, "there is no container at \(root); `sluice ingest` makes one, --container names another"
            )
        }
        if case .older = try ContainerFormat.check(layout, fileSystem) {
            throw ContainerError(
                .olderFormat, "\(root) has an older format; `sluice migrate` brings it up to date, and loses nothing")
        }
        if isReading {
            presence = try KernelLock.forReading(layout.lock(.container), fileSystem)
        } else {
            try fileSystem.ensureFolder(layout.run)
            presence = try KernelLock(layout.lock(.container), .shared, fileSystem)
        }
        database = try open(layout.catalog)
        objects = LocalObjectStore(layout: layout, fileSystem: fileSystem, reserve: .standard)
    }

    /// Takes the lock of an area, waiting for those who hold it.
    func lock(_ area: LockArea, _ mode: KernelLock.Mode) throws -> KernelLock {
        try layout.take(area, mode, fileSystem)
    }

    /// Keeps others from removing objects, waiting for those who do; `nil` where nobody can.
    func lockForReading() throws -> KernelLock? {
        guard isReading else { return try lock(.objects, .shared) }
        return try KernelLock.forReading(layout.lock(.objects), fileSystem)
    }

    /// Makes the names in a folder durable.
    func syncFolder(_ path: FilePath) throws {
        let folder = try fileSystem.open(path, .readOnly, .directory)
        try folder.closeAfter { try fileSystem.sync(folder, path) }
    }
}
