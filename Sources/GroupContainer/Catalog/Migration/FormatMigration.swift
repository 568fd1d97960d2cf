package import Files
internal import SQLite
internal import ShareModel
public import SystemPackage

/// Migrates a container of an older format to this program's.
///
/// The catalog changes first, in one transaction, and the file `format` after it. A crash between the two leaves a new
/// catalog in a container whose `format` says that it is old. Older programs refuse that catalog; the next migration of
/// this program finishes.
public enum FormatMigration {
    /// The version of the format that this program writes.
    public static let version = ContainerLayout.version

    /// The result of a migration.
    public struct Report: Sendable, Equatable {
        /// The version that the container had.
        public var version: Int
    }

    /// Whether a container has an older format, or its migration was not finished.
    ///
    /// - Throws: ``ContainerError`` if there is no container, or one of a newer format.
    public static func isNeeded(_ root: FilePath) throws -> Bool {
        try ContainerError.converting {
            try ContainerFormat.require(ContainerLayout(root: root), SystemFileSystem.system) != .present
        }
    }

    /// What a migration does.
    public enum Progress: Sendable, Equatable {
        /// It copies the catalog, which it needs after a crash; `part` goes from 0 to 1.
        case copying(part: Double)
        /// It converts the catalog by this step, from 1.
        case converting(step: Int, of: Int)
    }

    /// Migrates the container.
    ///
    /// - Parameters:
    ///   - machine: the identifier of the machine that packages from before format 5 belong to. Without one, they
    ///     belong to the first machine that names itself later.
    ///   - report: gets the progress.
    /// - Returns: `nil` if the container was up to date.
    /// - Throws: ``ContainerError`` with code `busy` if another process has the container open; nothing is changed
    ///   then.
    public static func run(
        _ root: FilePath, machine: String? = nil, report: @escaping @Sendable (Progress) -> Void = { _ in }
    ) throws -> Report? {
        try ContainerError.converting {
            try run(root, machine: machine, fileSystem: SystemFileSystem.system, report: report)
        }
    }

    /// Migrates the container; see ``run(_:machine:)``.
    package static func run(
        _ root: FilePath, machine: String?, fileSystem: any FileSystem,
        report: @escaping @Sendable (Progress) -> Void = { _ in }
    ) throws -> Report? {
        let layout = ContainerLayout(root: root)
        guard try ContainerFormat.check(layout, fileSystem) != .absent else {
            throw ContainerError(.notAContainer, "there is no container at \(layout.root)", remedy: .nameOtherContainer)
        }
        try ContainerFormat.refuseNetwork(layout, fileSystem)
        try fileSystem.ensureFolder(layout.run)
        let locks = try locks(layout, fileSystem)
        defer { withExtendedLifetime(locks) {} }
        // Again, now under the locks: another process may have migrated the container meanwhile.
        guard case .older(let version) = try ContainerFormat.check(layout, fileSystem) else {
            try removeOldCatalogs(layout, fileSystem)
            return nil
        }
        let context = MigrationContext(machine: machine, report: report)
        // As for every writer; see `LocalContainer`. SQLite removes the file when the migration closes the catalog.
        fileSystem.makeOverwritable(layout.catalogIndex)
        try CatalogDatabase.migrate(layout.catalog, keeping: layout.oldCatalog(version), fileSystem, context)
        fileSystem.makeOverwritable(layout.catalogIndex)
        // Opening the feed for writing gives the catalog its epoch.
        _ = try ChangeNotifier(layout, CatalogDatabase(writing: layout.catalog, isNew: false), fileSystem)
        try ContainerFormat.write(layout, fileSystem)
        try removeOldCatalogs(layout, fileSystem)
        return Report(version: version)
    }

    private static func removeOldCatalogs(_ layout: ContainerLayout, _ fileSystem: any FileSystem) throws {
        for version in 1..<ContainerLayout.version {
            try fileSystem.remove(layout.oldCatalog(version), isFolder: false)
        }
    }

    /// Takes every lock by which a process may show that it uses the container.
    ///
    /// Programs of format 1 hold no lock on the whole container, but each writer holds one on its folder in `tmp`.
    /// Processes that open the container now wait for the lock `setup`.
    private static func locks(_ layout: ContainerLayout, _ fileSystem: any FileSystem) throws -> [KernelLock] {
        var locks: [KernelLock?] = []
        // In the order that all processes keep, and without waiting: a migration ends if any lock is held.
        for area in [LockArea.container, .setup, .deliver, .library, .objects] {
            locks.append(try KernelLock(trying: layout.lock(area), .exclusive, fileSystem))
        }
        let writers = try fileSystem.exists(layout.staging) ? fileSystem.names(in: layout.staging) : []
        for writer in writers { locks.append(try KernelLock(folder: layout.staging.appending(writer), fileSystem)) }
        return try locks.map { lock in
            guard let lock else {
                throw ContainerError(
                    .busy, "another process uses \(layout.root); wait for its end, or end it, and migrate again")
            }
            return lock
        }
    }
}

extension ContainerLayout {
    /// The path of the copy of an older catalog that exists during a migration.
    func oldCatalog(_ version: Int) -> FilePath { root.appending("catalog.sqlite.version-\(version)") }
}
