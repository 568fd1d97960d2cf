internal import Files
internal import GRDB
internal import ShareModel
internal import SystemPackage

extension CatalogDatabase {
    /// Brings a catalog up to this program's version, in one transaction. The caller alone uses it.
    ///
    /// - Parameter old: where a copy of the catalog is put first, durably.
    static func migrate(
        _ path: FilePath, keeping old: FilePath, _ fileSystem: any FileSystem,
        _ context: MigrationContext
    ) throws(ContainerError) {
        do {
            let migrator = CatalogSchema.migrator(context)
            let pool = try DatabasePool(path: path.string)
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            guard try !pool.read(migrator.hasBeenSuperseded) else { throw newer(path) }
            guard try !pool.read(migrator.hasCompletedMigrations) else { return }
            try fileSystem.remove(old, isFolder: false)
            let copy = try DatabaseQueue(path: old.string)
            try pool.backup(to: copy)
            try copy.close()
            try sync(old, fileSystem)
            try pool.writeWithoutTransaction { database in
                // What is forgotten later must not be left on pages that the tables had before.
                try database.execute(sql: "PRAGMA secure_delete = ON")
                try CatalogSchema.migrateAtOnce(database, context)
            }
            try pool.close()
        } catch let error as ContainerError {
            throw error
        } catch {
            throw ContainerError(error, path)
        }
    }

    private static func sync(_ path: FilePath, _ fileSystem: any FileSystem) throws {
        let file = try fileSystem.open(path, .readOnly)
        try file.closeAfter { try fileSystem.sync(file, path) }
        let folder = path.removingLastComponent()
        let parent = try fileSystem.open(folder, .readOnly, .directory)
        try parent.closeAfter { try fileSystem.sync(parent, folder) }
    }

    /// Reads an older catalog by a migrated copy, which is SQLite's own temporary file and goes with this value.
    init(migratingCopyOf path: FilePath, _ fileSystem: any FileSystem) throws(ContainerError) {
        do {
            let source = try Self.queue(reading: path, fileSystem)
            let copy = try DatabaseQueue(path: "")
            try source.backup(to: copy)
            try CatalogSchema.migrator.migrate(copy)
            self.init(reader: copy)
        } catch let error as ContainerError {
            throw error
        } catch {
            throw ContainerError(error, path)
        }
    }
}
