package import Files
internal import ShareModel
package import SystemPackage

/// The parts of a container that the local engines share: its folder, its catalog, and the lock of its users.
package struct LocalContainer: Sendable {
    package let layout: ContainerLayout
    package let database: CatalogDatabase
    package let fileSystem: any FileSystem
    /// The shared lock that keeps a migration out, for as long as any copy of this value lives.
    package let presence: KernelLock

    /// Opens the container, and removes the leftovers of dead writers.
    ///
    /// - Parameter makes: whether to make a container if there is none.
    /// - Throws: ``ContainerError`` if the folder is not a container, or has another format; `FileError` if this user
    ///   may not use it; `CancellationError` if the task was cancelled while another process held the setup lock.
    package init(_ root: FilePath, makes: Bool, writer: WriterKind = .run, _ fileSystem: any FileSystem) throws {
        layout = ContainerLayout(root: root)
        self.fileSystem = fileSystem
        try ContainerFormat.refuseNetwork(layout, fileSystem)
        if !makes { try ContainerFormat.require(layout, fileSystem) }
        // Before anything is made, so that a refused folder stays as it is.
        try Self.isNew(layout, fileSystem)
        // Without permission to make it, a container that is removed in this moment is not begun again.
        if makes { try Self.makeRoot(layout, fileSystem) }
        try fileSystem.ensureFolder(layout.run)
        presence = try KernelLock(layout.lock(.container), .shared, fileSystem)
        database = try layout.withLock(.setup, .exclusive, fileSystem) { [layout] in
            if !makes { try ContainerFormat.require(layout, fileSystem) }
            return try Self.prepare(layout, writer: writer, fileSystem)
        }
    }

    private static func makeRoot(_ layout: ContainerLayout, _ fileSystem: any FileSystem) throws {
        do throws(FileError) {
            try fileSystem.ensureFolders(layout.root)
        } catch {
            // No container can be at this place, whatever the permissions are.
            guard error.code == .system else { throw error }
            throw ContainerError(.system, error.message, remedy: .nameContainer)
        }
    }

    /// Makes the missing parts, opens the catalog, and sweeps the staging area.
    ///
    /// *Must:* the caller holds the lock `setup`.
    private static func prepare(_ layout: ContainerLayout, writer: WriterKind, _ fileSystem: any FileSystem) throws
        -> CatalogDatabase
    {
        // Again, because another process may have made the container, or begun to make it, before this one got the
        // lock.
        let isNew = try Self.isNew(layout, fileSystem)
        // The lock's name marks a folder without a format as one of ours. So it becomes durable first, with the folders
        // above it.
        if isNew { try fileSystem.syncAll(at: layout.root) }
        try makeFolders(layout, fileSystem)
        // Otherwise a process on a full Btrfs would be killed by SIGBUS when it writes into its mapping: each page that
        // the disk has already needs a new place there.
        fileSystem.makeOverwritable(layout.catalogIndex)
        var database = try CatalogDatabase(writing: layout.catalog, isNew: isNew, writer: writer)
        // SQLite creates the file with the user's mask. Its log and index get the mode of the file.
        if isNew { try fileSystem.setMode(.ownerReadWrite, of: layout.catalog) }
        database.notifier = try ChangeNotifier(layout, database, fileSystem)
        // Last, so every folder with a format is a whole container.
        if isNew { try ContainerFormat.write(layout, fileSystem) }
        try WriterFolder.sweep(layout.staging, fileSystem)
        return database
    }

    /// Whether the container has to be made.
    ///
    /// - Throws: ``ContainerError`` if the folder is not a container, or has another format.
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
        // Objects are readable for every user, so the folder itself must keep other users out.
        try fileSystem.setMode(.ownerReadWriteExecute, of: layout.root)
        for folder in [layout.objects, layout.staging, layout.work] { try fileSystem.ensureFolder(folder) }
    }
}

extension LocalContainer {
    /// The number of objects that are removed under one hold of the objects lock. Other writers wait for it.
    private static let removalLimit = 256

    /// Removes the objects among `names` that have no row.
    ///
    /// *Must:* no other engine has rows of them.
    ///
    /// - Returns: `false` if a writer is at work, which may be about to commit a row for one of them.
    func removeUnused(_ names: [Digest]) throws -> Bool {
        var rest = names[...]
        while !rest.isEmpty {
            guard let lock = try KernelLock(trying: layout.lock(.objects), .exclusive, fileSystem) else { return false }
            let page = rest.prefix(Self.removalLimit)
            rest = rest.dropFirst(page.count)
            try withExtendedLifetime(lock) {
                guard try !unused(page).isEmpty else { return }
                // A writer may have died after it wrote its rows and before they counted. If the catalog is open elsewhere,
                // these rows are in the log, and count after the next crash. Another transaction takes their place there.
                try database.write(MetaRow.touch)
                for path in try unused(page).map(layout.object)
                where try fileSystem.status(of: path.removingLastComponent())?.kind == .folder
                    && fileSystem.status(of: path)?.kind == .file
                {
                    try fileSystem.remove(path, isFolder: false)
                }
            }
        }
        return true
    }

    /// The names that have no row. A row keeps its object, also if it records a loss: a person may have brought it back.
    private func unused(_ names: ArraySlice<Digest>) throws -> [Digest] {
        try database.read { database in try names.filter { try ObjectRow.seq(database, $0) == nil } }
    }
}
