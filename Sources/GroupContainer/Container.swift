public import ShareModel
public import SystemPackage

/// An open group container: the shared folder that owns all content. Any number of processes may open it at once.
public struct Container: Sendable {
    /// Where things lie in it.
    public let layout: ContainerLayout
    /// The bytes: immutable objects.
    public let objects: any ObjectStore
    /// The rows: packages and what they hold.
    public let catalog: any Catalog
    /// The deliveries that are still open.
    public let deliveries: any DeliveryQueue
    /// Those who follow the changes under a name.
    public let observers: Observers
    private let database: CatalogDatabase
    /// Says that the container is in use, for as long as any copy of this value lives.
    private let presence: KernelLock
    private let fileSystem: any FileSystem

    /// Opens the container at `root`, making one where there is nothing yet, and sweeps what dead writers left.
    ///
    /// - Parameter reserve: what staging leaves free on the disk.
    /// - Throws: ``ContainerError`` where the folder is something else, of a newer format, or may not be used.
    public init(opening root: FilePath, fileSystem: any FileSystem = SystemFileSystem(), reserve: SpaceReserve = .none)
        throws
    {
        layout = ContainerLayout(root: root)
        self.fileSystem = fileSystem
        try Self.isNew(layout, fileSystem)
        try fileSystem.ensureFolders(root)
        try fileSystem.ensureFolder(layout.run)
        presence = try KernelLock(layout.lock(.container), .shared, fileSystem)
        let setup = try KernelLock(layout.lock(.setup), .exclusive, fileSystem)
        // Again, since another process may have made, or begun to make, the container meanwhile.
        let isNew = try Self.isNew(layout, fileSystem)
        // The lock is what says that a folder without a format is one of ours: its name, and those above, come first.
        if isNew { try fileSystem.syncAll(at: root) }
        try Self.makeFolders(layout, fileSystem)
        var database = try CatalogDatabase(writing: layout.catalog, isNew: isNew)
        // SQLite makes it by the user's mask; its log and index get the mode that it has.
        if isNew { try fileSystem.setMode(.ownerReadWrite, of: layout.catalog) }
        database.bell = try ChangeBell(layout, database, fileSystem)
        // Last, so that a folder with a format is a whole container.
        if isNew { try ContainerFormat.write(layout, fileSystem) }
        try StagingArea.sweep(layout.staging, fileSystem)
        _ = consume setup
        self.database = database
        objects = LocalObjectStore(layout: layout, fileSystem: fileSystem, reserve: reserve)
        catalog = SQLiteCatalog(database: database)
        deliveries = SQLiteDeliveryQueue(database: database)
        observers = Observers(database: database)
    }

    /// Where the current content lies under readable names.
    public var library: FilePath { layout.library }

    /// Who keeps the folder `library`, under the names that are given.
    public func librarian(name: @escaping (LibraryPiece) -> LibraryName) -> Librarian {
        Librarian(self, database, name: name)
    }

    /// Takes the lock of an area, waiting for those who hold it; blocks its thread.
    public func lock(_ area: LockArea, _ mode: KernelLock.Mode) throws -> KernelLock {
        try layout.take(area, mode, fileSystem)
    }

    /// Takes the lock of an area where nobody's stands against it; `nil` where one does.
    public func tryLock(_ area: LockArea, _ mode: KernelLock.Mode) throws -> KernelLock? {
        try KernelLock(trying: layout.lock(area), mode, fileSystem)
    }

    /// Whether the container has to be made.
    @discardableResult
    private static func isNew(_ layout: ContainerLayout, _ fileSystem: any FileSystem) throws -> Bool {
        switch try ContainerFormat.check(layout, fileSystem) {
        case .absent: return true
        case .present: return false
        case .older(let version):
            throw ContainerError(
                .olderFormat,
                "\(layout.root) has format \(version), and this program writes \(ContainerLayout.version); "
                    + "`sluice migrate` brings it up to date, reading it needs no migration")
        }
    }

    private static func makeFolders(_ layout: ContainerLayout, _ fileSystem: any FileSystem) throws {
        try fileSystem.setMode(.ownerReadWriteExecute, of: layout.root)
        for folder in [layout.objects, layout.staging, layout.work] { try fileSystem.ensureFolder(folder) }
    }
}

extension Container {
    /// Makes staged objects durable under their final names; those that a row vouches for are there, and are given up.
    ///
    /// *Must:* the objects lock is held, until the rows that rest on it are in.
    ///
    /// - Parameter durable: what was stored before, under a lock that is held still, and has no rows yet.
    public func store(_ staged: [StagedObject], durable: Set<Digest> = []) throws {
        try objects.commit(staged) { digests in
            try catalog.knownObjects(among: digests.subtracting(durable)).union(durable)
        }
    }

    /// A store of objects without a catalog, for work that keeps nothing.
    public static func scratch(_ root: FilePath) throws -> any ObjectStore {
        let layout = ContainerLayout(root: root)
        let fileSystem = SystemFileSystem()
        try fileSystem.ensureFolders(layout.staging)
        try fileSystem.ensureFolder(layout.objects)
        return LocalObjectStore(layout: layout, fileSystem: fileSystem, reserve: .standard)
    }
}
