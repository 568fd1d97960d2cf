package import Files
package import ShareModel
public import SystemPackage

/// An open group container: the shared folder that owns all content. Any number of processes may open it at once.
///
/// The engines keep the content and the rows. The folder also has the kernel locks and the folders of the sinks. So
/// every container needs a folder on a local file system, whatever its engines are.
public struct Container: Sendable {
    /// The objects, which hold all content.
    public let objects: any ObjectStore
    /// The rows: the packages, and the content that each has.
    public let catalog: any Catalog
    /// The deliveries that are still open.
    public let deliveries: any DeliveryQueue
    /// The sinks that pause after failures.
    public let breakers: any CircuitBreakerStore
    /// The name under which this process claims deliveries.
    public let owner: ClaimOwner
    /// The paths in the container's folder.
    package let layout: ContainerLayout
    package let fileSystem: any FileSystem
    /// The local parts, with the shared lock that keeps a migration out, for as long as any copy of this value lives. `nil` in a
    /// container whose engines are all the caller's own.
    private let local: LocalContainer?
    /// Whether no other engine knows names of objects.
    private let isLocal: Bool
    /// `nil` for a container whose engines are all the caller's own.
    private let identity: ContainerIdentity?

    /// A container whose engines are all the caller's own. Makes the folder `root` if it does not exist.
    ///
    /// - Parameters:
    ///   - root: the folder of the locks and of the sinks; a relative path starts at the working folder.
    ///   - owner: the name under which this process claims deliveries; no other process may have it.
    /// - Throws: ``ContainerError`` if the folder cannot be made.
    public init(root: FilePath, engines: ContainerEngines, owner: ClaimOwner = ClaimOwner()) throws {
        let (layout, fileSystem) = (ContainerLayout(root: root), SystemFileSystem.system)
        try ContainerError.converting {
            try fileSystem.ensureFolders(layout.root)
            // Every container has these folders. The others belong to the local engines.
            for folder in [layout.run, layout.work] { try fileSystem.ensureFolder(folder) }
        }
        self.init(layout, engines, owner, fileSystem, local: nil, isLocal: false)
    }

    private init(
        _ layout: ContainerLayout, _ engines: ContainerEngines, _ owner: ClaimOwner, _ fileSystem: any FileSystem,
        local: LocalContainer?, isLocal: Bool
    ) {
        objects = engines.objects
        catalog = engines.catalog
        deliveries = engines.deliveries
        breakers = engines.breakers
        self.owner = owner
        self.layout = layout
        self.fileSystem = fileSystem
        self.local = local
        self.isLocal = isLocal
        identity = local.map { ContainerIdentity(of: $0.layout, fileSystem) }
    }

    /// Throws unless the folder still has this container. If it or its folder `run` was removed, moved or replaced while it was
    /// open, no other process sees what this one writes, or the locks that it holds.
    ///
    /// - Throws: ``ContainerError``.
    package func requireInPlace() throws {
        guard let identity else { return }
        guard ContainerIdentity(of: layout, fileSystem) == identity else { throw layout.isGone }
    }

    /// Makes the file that ``watchChanges()`` needs, which a container has from its first commit on.
    package func makeWatchable() {
        let file = try? fileSystem.open(layout.changes, .writeOnly, [.create, .noFollow], mode: .ownerReadWrite)
        try? file?.close()
    }

    /// Watches for commits of any process that add to the feed, and for the removal of the container; `nil` if nothing would wake
    /// the watch. The kernel keeps a removed folder for as long as a file in it is open, so it reports the removal of a file
    /// alone.
    package func watchChanges(orClosed name: String? = nil) -> FileWatch? {
        // The watch first, so that it sees a later removal.
        let watch = try? layout.watchChanges(orClosed: name)
        return (try? fileSystem.exists(layout.changes)) == true ? watch : nil
    }

    /// Opens the container at `root`, makes one if there is none, and removes the leftovers of dead writers. Blocks its
    /// thread.
    ///
    /// - Parameters:
    ///   - root: a folder; a relative path starts at the working folder.
    ///   - reserve: the space that staging leaves free on the disk.
    ///   - machine: the random identifier of the machine that packages come from. The same path on two machines is two
    ///     sources. Without an identifier, packages come from the container's first machine.
    ///   - engines: receives the local engines, and returns those that the container uses. The container records whether
    ///     its objects, catalog or deliveries have another engine. From then on it opens only with other engines for them.
    /// - Throws: ``ContainerError`` if the folder is not a container, has another format, or this user may not use it,
    ///   with the code `otherEngines` if one of the engines is local and the container has another; an error of
    ///   `engines`; `CancellationError` if the task was cancelled while another process held the setup lock.
    public static func open(
        at root: FilePath, reserve: SpaceReserve = .none, machine: String? = nil,
        engines: (ContainerEngines) throws -> ContainerEngines = { $0 }
    ) throws -> Container {
        let (local, number) = try ContainerError.converting {
            try openLocal(root, SystemFileSystem.system, machine)
        }
        return try Container(local, reserve, .run, number, engines)
    }

    /// Opens the container through the caller's file system; see ``open(at:reserve:machine:engines:)``.
    ///
    /// - Parameter makes: whether to make a container if there is none.
    package static func open(
        at root: FilePath, makes: Bool = true, fileSystem: any FileSystem, reserve: SpaceReserve = .none,
        writer: WriterKind = .run, machine: String? = nil,
        engines: (ContainerEngines) throws -> ContainerEngines = { $0 }
    ) throws -> Container {
        let (local, number) = try openLocal(root, makes: makes, writer: writer, fileSystem, machine)
        return try Container(local, reserve, writer, number, engines)
    }

    /// Opens the local container, and finds or adds the machine's row; returns both, the row as its number.
    private static func openLocal(
        _ root: FilePath, makes: Bool = true, writer: WriterKind = .run, _ fileSystem: any FileSystem,
        _ machine: String?
    ) throws -> (LocalContainer, Int64) {
        let local = try LocalContainer(root, makes: makes, writer: writer, fileSystem)
        return (local, try machine.map { try MachineRow.number(local.database, $0) } ?? MachineRow.first)
    }

    private init(
        _ local: LocalContainer, _ reserve: SpaceReserve, _ writer: WriterKind, _ machine: Int64,
        _ engines: (ContainerEngines) throws -> ContainerEngines
    ) throws {
        let standard = ContainerEngines(
            objects: LocalObjectStore(
                layout: local.layout, fileSystem: local.fileSystem, reserve: reserve, writer: writer),
            catalog: SQLiteCatalog(database: local.database, machine: machine),
            deliveries: SQLiteDeliveryQueue(database: local.database),
            breakers: SQLiteCircuitBreakers(database: local.database))
        let engines = try engines(standard)
        // Before the engines keep anything, so that the local engines never see a container with half of its state.
        let others = OtherEngines(among: engines, local)
        try others.record(in: local)
        self.init(
            local.layout, engines, ClaimOwner(), local.fileSystem, local: local, isLocal: others.isEmpty)
        // The names that another engine knows are left to a collection.
        try WriterFolder.sweep(layout.staging, fileSystem) { try others.isEmpty ? local.removeUnused($0) : true }
    }

    /// Removes what a failed writer of this process stored and has no row: now, or when the container is opened the next time.
    ///
    /// *Must:* the caller does not hold the objects lock.
    package func removeUnused(_ names: [Digest]) {
        guard isLocal, let local else { return }
        let isDone = (try? local.removeUnused(names)) ?? false
        if !isDone { (objects as? LocalObjectStore)?.keepNames() }
    }

    /// Runs `body` under the lock of an area, and waits for the processes that hold it; blocks its thread.
    package func withLock<Value>(_ area: LockArea, _ mode: KernelLock.Mode, _ body: () throws -> Value) throws -> Value
    {
        try layout.withLock(area, mode, fileSystem, body)
    }

    /// Takes the lock of an area, and waits for the processes that hold it; blocks its thread. The lock is held as long
    /// as the value lives.
    package func lock(_ area: LockArea, _ mode: KernelLock.Mode) throws -> KernelLock {
        try layout.take(area, mode, fileSystem)
    }

    /// Takes the lock of an area without waiting; `nil` if another process holds it.
    package func tryLock(_ area: LockArea, _ mode: KernelLock.Mode) throws -> KernelLock? {
        try KernelLock(trying: layout.lock(area), mode, fileSystem)
    }

    /// Makes a repeatable attempt at the lock of an area, for a caller that waits by a watch of `run`.
    package func lockAttempt(_ area: LockArea) throws -> LockAttempt { try LockAttempt(layout.lock(area), fileSystem) }
}

/// The engines of a container.
///
/// *Must:* they agree with one another. Each object that a row of the catalog names is in the store, and the queue has
/// the deliveries that the catalog opens.
public struct ContainerEngines: Sendable {
    /// The engine of the content.
    public var objects: any ObjectStore
    /// The engine of the rows.
    public var catalog: any Catalog
    /// The engine of the open deliveries.
    public var deliveries: any DeliveryQueue
    /// The engine of the circuit breakers.
    public var breakers: any CircuitBreakerStore

    /// A set of engines.
    public init(
        objects: any ObjectStore, catalog: any Catalog, deliveries: any DeliveryQueue, breakers: any CircuitBreakerStore
    ) {
        self.objects = objects
        self.catalog = catalog
        self.deliveries = deliveries
        self.breakers = breakers
    }
}

extension Container {
    /// Makes staged objects durable under their final names. If a row vouches for an object, the object is durable
    /// already, and the staged copy is discarded.
    ///
    /// *Must:* the caller holds the objects lock until the rows that name these objects are committed.
    ///
    /// - Parameter durable: objects that the caller stored before, under a lock that it still holds, and that have no
    ///   rows yet.
    package func store(_ staged: [StagedObject], durable: Set<Digest> = []) throws {
        // Most content is new. So the store tries the names first; only those that are taken cost a query.
        try objects.commit(staged) { digests in
            try catalog.knownObjects(among: digests.subtracting(durable)).union(durable)
        }
    }
}
