package import Files
package import ShareModel
package import SystemPackage

/// An open group container: the shared folder that owns all content. Any number of processes may open it at once.
package struct Container: Sendable {
    /// Where things lie in it.
    package let layout: ContainerLayout
    /// The bytes: immutable objects.
    package let objects: any ObjectStore
    /// The rows: packages and what they hold.
    package let catalog: any Catalog
    /// The deliveries that are still open.
    package let deliveries: any DeliveryQueue
    /// The sinks that rest.
    package let breakers: any CircuitBreakerStore
    /// The programs that follow the changes under a name; always of the local catalog.
    package let observers: Observers
    /// By which this process claims deliveries.
    package let owner: ClaimOwner
    package let fileSystem: any FileSystem
    /// Says that the container is in use, for as long as any copy of this value lives.
    private let presence: KernelLock?

    /// A container of these engines, which agree with one another: an object that a row of `catalog` names is in
    /// `objects`, and `deliveries` has what `catalog` opens.
    package init(
        layout: ContainerLayout, objects: any ObjectStore, catalog: any Catalog, deliveries: any DeliveryQueue,
        breakers: any CircuitBreakerStore, observers: Observers, owner: ClaimOwner = ClaimOwner(),
        fileSystem: any FileSystem
    ) {
        self.init(
            layout: layout, objects: objects, catalog: catalog, deliveries: deliveries, breakers: breakers,
            observers: observers, owner: owner, fileSystem: fileSystem, presence: nil)
    }

    private init(
        layout: ContainerLayout, objects: any ObjectStore, catalog: any Catalog, deliveries: any DeliveryQueue,
        breakers: any CircuitBreakerStore, observers: Observers, owner: ClaimOwner, fileSystem: any FileSystem,
        presence: KernelLock?
    ) {
        self.layout = layout
        self.objects = objects
        self.catalog = catalog
        self.deliveries = deliveries
        self.breakers = breakers
        self.observers = observers
        self.owner = owner
        self.fileSystem = fileSystem
        self.presence = presence
    }

    /// Opens the container at `root` on the system's own disk; see ``open(at:fileSystem:reserve:machine:)``.
    package static func open(at root: FilePath, reserve: SpaceReserve = .none, machine: String? = nil) throws
        -> Container
    {
        try open(at: root, fileSystem: SystemFileSystem.system, reserve: reserve, machine: machine)
    }

    /// Opens the container at `root` with the local engines, making one where there is nothing yet, and sweeps what dead
    /// writers left.
    ///
    /// - Parameters:
    ///   - reserve: what staging leaves free on the disk.
    ///   - machine: the random identifier of the machine that packages come from: a path is another source on another
    ///     machine. Without one they come from the container's first machine.
    /// - Throws: ``ContainerError`` where the folder is something else, of a newer format, or may not be used.
    package static func open(
        at root: FilePath, fileSystem: any FileSystem, reserve: SpaceReserve = .none, machine: String? = nil
    ) throws -> Container {
        let layout = ContainerLayout(root: root)
        try isNew(layout, fileSystem)
        try fileSystem.ensureFolders(root)
        try fileSystem.ensureFolder(layout.run)
        let presence = try KernelLock(layout.lock(.container), .shared, fileSystem)
        let database = try layout.withLock(.setup, .exclusive, fileSystem) { try prepare(layout, fileSystem) }
        let number = try machine.map { try MachineRow.number(database, $0) } ?? MachineRow.first
        return Container(
            layout: layout, objects: LocalObjectStore(layout: layout, fileSystem: fileSystem, reserve: reserve),
            catalog: SQLiteCatalog(database: database, machine: number),
            deliveries: SQLiteDeliveryQueue(database: database), breakers: SQLiteCircuitBreakers(database: database),
            observers: Observers(database: database), owner: ClaimOwner(), fileSystem: fileSystem, presence: presence)
    }

    /// Makes what is missing, under the lock `setup`, and opens the catalog.
    private static func prepare(_ layout: ContainerLayout, _ fileSystem: any FileSystem) throws -> CatalogDatabase {
        // Again, since another process may have made, or begun to make, the container meanwhile.
        let isNew = try Self.isNew(layout, fileSystem)
        // The lock is what says that a folder without a format is one of ours: its name, and those above, come first.
        if isNew { try fileSystem.syncAll(at: layout.root) }
        try makeFolders(layout, fileSystem)
        var database = try CatalogDatabase(writing: layout.catalog, isNew: isNew)
        // SQLite makes it by the user's mask; its log and index get the mode that it has.
        if isNew { try fileSystem.setMode(.ownerReadWrite, of: layout.catalog) }
        database.notifier = try ChangeNotifier(layout, database, fileSystem)
        // Last, so that a folder with a format is a whole container.
        if isNew { try ContainerFormat.write(layout, fileSystem) }
        try LocalStagingArea.sweep(layout.staging, fileSystem)
        return database
    }

    /// Where the current content lies under readable names.
    package var library: FilePath { layout.library }

    /// Who keeps the folder `library`, under the names that are given.
    package func librarian(name: @escaping (LibraryPiece) -> LibraryName) -> Librarian {
        Librarian(self, observers.database, fileSystem, name: name)
    }

    /// Runs `body` under the lock of an area, waiting for those who hold it; blocks its thread.
    package func withLock<Value>(_ area: LockArea, _ mode: KernelLock.Mode, _ body: () throws -> Value) throws -> Value
    {
        try layout.withLock(area, mode, fileSystem, body)
    }

    /// Takes the lock of an area, waiting for those who hold it, for a value that outlives the call; blocks its thread.
    package func lock(_ area: LockArea, _ mode: KernelLock.Mode) throws -> KernelLock {
        try layout.take(area, mode, fileSystem)
    }

    /// Takes the lock of an area where no other process's stands against it; `nil` where one does.
    package func tryLock(_ area: LockArea, _ mode: KernelLock.Mode) throws -> KernelLock? {
        try KernelLock(trying: layout.lock(area), mode, fileSystem)
    }

    /// An attempt at the lock of an area, which can be repeated.
    package func lockAttempt(_ area: LockArea) throws -> LockAttempt { try LockAttempt(layout.lock(area), fileSystem) }

    /// Whether the container has to be made.
    @discardableResult
    private static func isNew(_ layout: ContainerLayout, _ fileSystem: any FileSystem) throws -> Bool {
        switch try ContainerFormat.check(layout, fileSystem) {
        case .absent: return true
        case .present: return false
        case .older(let version):
            throw ContainerError(
                .olderFormat,
                "\(layout.root) has format \(version), and this program writes \(ContainerLayout.version)",
                remedy: .migrateContainer)
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
    package func store(_ staged: [StagedObject], durable: Set<Digest> = []) throws {
        try objects.commit(staged) { digests in
            try catalog.knownObjects(among: digests.subtracting(durable)).union(durable)
        }
    }

    /// A store of objects without a catalog, for work that keeps nothing.
    package static func scratch(_ root: FilePath, fileSystem: any FileSystem) throws -> any ObjectStore {
        let layout = ContainerLayout(root: root)
        try fileSystem.ensureFolders(layout.staging)
        try fileSystem.ensureFolder(layout.objects)
        return LocalObjectStore(layout: layout, fileSystem: fileSystem, reserve: .standard)
    }
}
