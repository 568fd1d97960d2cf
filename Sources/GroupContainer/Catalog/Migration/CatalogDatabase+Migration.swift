internal import Files
internal import SQLite
internal import ShareModel
internal import SystemPackage

extension CatalogDatabase {
    /// Migrates a catalog to this program's version in one transaction. No other process may have the catalog open.
    ///
    /// - Parameter old: the path of a copy of the catalog, which is durable before the migration begins.
    static func migrate(
        _ path: FilePath, keeping old: FilePath, _ fileSystem: any FileSystem,
        _ context: MigrationContext
    ) throws(ContainerError) {
        do {
            var configuration = DatabaseConfiguration()
            configuration.prepare = { database in
                // With NORMAL a power cut could undo the commit. Rows that are forgotten later must not survive on pages of
                // the tables that the migration drops.
                try database.execute(sql: "PRAGMA synchronous = FULL; PRAGMA secure_delete = ON")
            }
            let pool = try DatabasePool(path: path.string, configuration: configuration)
            switch try pool.read(CatalogSchema.state) {
            case .current: return
            case .older: break
            case .newer: throw newer(path)
            }
            // A crash may have left an incomplete copy. The catalog is still the old one then, so a new copy is right.
            try fileSystem.remove(old, isFolder: false)
            try pool.backup(to: DatabaseQueue(path: old.string)) { context.report(.copying(part: $0)) }
            try sync(old, fileSystem)
            try pool.writeWithoutTransaction { try CatalogSchema.migrate($0, context) }
        } catch let error as ContainerError {
            throw error
        } catch {
            throw ContainerError(error, path)
        }
    }

    private static func sync(_ path: FilePath, _ fileSystem: any FileSystem) throws {
        let file = try fileSystem.open(path, .readOnly)
        try file.closeAfter { try fileSystem.sync(file, path) }
        try fileSystem.syncFolder(path.removingLastComponent())
    }

    /// Reads an older catalog through a migrated copy. The copy is a temporary file of SQLite's, which disappears with
    /// this value.
    init(migratingCopyOf path: FilePath, _ fileSystem: any FileSystem) throws(ContainerError) {
        do {
            let (source, _) = try Self.queue(reading: path, fileSystem)
            let copy = try DatabaseQueue()
            try source.backup(to: copy)
            try copy.writeWithoutTransaction { try CatalogSchema.migrate($0, MigrationContext()) }
            self.init(reader: copy, staleness: "it has an older format")
        } catch let error as ContainerError {
            throw error
        } catch {
            throw ContainerError(error, path)
        }
    }
}
