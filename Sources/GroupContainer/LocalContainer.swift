internal import Files
internal import ShareModel
internal import SystemPackage

/// A container that this process has open on the local engines: its folder, its catalog, and the lock that says so.
struct LocalContainer: Sendable {
    let layout: ContainerLayout
    let database: CatalogDatabase
    let fileSystem: any FileSystem
    /// Says that the container is in use, for as long as any copy of this value lives.
    let presence: KernelLock

    /// Opens the container, and removes the leftovers of dead writers.
    ///
    /// - Parameter makes: whether a container is made if there is none.
    /// - Throws: ``ContainerError`` if the folder is something else, has another format, or may not be used.
    init(_ root: FilePath, makes: Bool, _ fileSystem: any FileSystem) throws {
        layout = ContainerLayout(root: root)
        self.fileSystem = fileSystem
        if !makes { try ContainerFormat.require(layout, fileSystem) }
        try Self.isNew(layout, fileSystem)
        try fileSystem.ensureFolders(layout.root)
        try fileSystem.ensureFolder(layout.run)
        presence = try KernelLock(layout.lock(.container), .shared, fileSystem)
        database = try layout.withLock(.setup, .exclusive, fileSystem) { [layout] in
            try Self.prepare(layout, fileSystem)
        }
    }

    /// Makes what is missing, under the lock `setup`, and opens the catalog.
    private static func prepare(_ layout: ContainerLayout, _ fileSystem: any FileSystem) throws -> CatalogDatabase {
        // Again, since another process may have made, or begun to make, the container meanwhile.
        let isNew = try Self.isNew(layout, fileSystem)
        // The lock is what says that a folder without a format is one of ours: its name, and those above, come first.
        if isNew { try fileSystem.syncAll(at: layout.root) }
        try makeFolders(layout, fileSystem)
        var database = try CatalogDatabase(writing: layout.catalog, isNew: isNew)
        // SQLite creates the file with the user's mask. Its log and index get the mode of the file.
        if isNew { try fileSystem.setMode(.ownerReadWrite, of: layout.catalog) }
        database.notifier = try ChangeNotifier(layout, database, fileSystem)
        // Last, so that a folder with a format is a whole container.
        if isNew { try ContainerFormat.write(layout, fileSystem) }
        try LocalStagingArea.sweep(layout.staging, fileSystem)
        return database
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
                "\(layout.root) has format \(version), and this program writes \(ContainerLayout.version)",
                remedy: .migrateContainer)
        }
    }

    private static func makeFolders(_ layout: ContainerLayout, _ fileSystem: any FileSystem) throws {
        try fileSystem.setMode(.ownerReadWriteExecute, of: layout.root)
        for folder in [layout.objects, layout.staging, layout.work] { try fileSystem.ensureFolder(folder) }
    }
}
