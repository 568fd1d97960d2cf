internal import Files
internal import SQLite
internal import SystemPackage

extension CatalogDatabase {
    /// A connection that only reads, even if the process cannot write to the catalog's folder, or its disk is full.
    ///
    /// - Returns: the connection, and why it does not see later commits; `nil` if it does.
    static func queue(reading path: FilePath, _ fileSystem: any FileSystem) throws -> (DatabaseQueue, String?) {
        var configuration = DatabaseConfiguration()
        configuration.isReadOnly = true
        configuration.timeout = 60
        // A process that only reads makes the index too, if no other has it open.
        fileSystem.makeOverwritable(FilePath(path.string + "-shm"))
        do {
            return (try DatabaseQueue(path: path.string, configuration: configuration), nil)
        } catch let error as DatabaseError where isForWantOfWriting(error) {
            let full = error.fileSizeLimit(at: path) ?? "its disk is full"
            let why = error.isForWantOfRoom ? full : "its folder cannot be written"
            let log = FilePath(path.string + "-wal")
            guard try (fileSystem.status(of: log)?.size ?? 0) == 0 else {
                if error.isForWantOfRoom, let copy = try? copy(path) { return (copy, why) }
                guard !error.isForWantOfRoom else { throw ContainerError(error, path) }
                throw ContainerError(
                    .catalog,
                    "the latest rows of \(path) are in \(log), which cannot be read in a folder without write "
                        + "permission; copy the container to a folder of your own")
            }
            guard try fileSystem.exists(path) else { throw error }
            configuration.isImmutable = true
            return (try DatabaseQueue(path: path.string, configuration: configuration), why)
        }
    }

    /// A copy of a catalog whose disk has no room for the index of the write-ahead log: a temporary file of SQLite's.
    ///
    /// The connection to the catalog keeps the index in its own memory. That needs a lock which keeps all other
    /// processes out, so the connection ends with the copy. At its end, SQLite moves the log's rows into the catalog's
    /// file, if the disk has room for that.
    ///
    /// - Throws: if another process has the catalog open.
    private static func copy(_ path: FilePath) throws -> DatabaseQueue {
        var configuration = DatabaseConfiguration()
        // For another process that makes its copy.
        configuration.timeout = 5
        configuration.prepare = { database in
            // See “Use of WAL Without Shared-Memory” in https://www.sqlite.org/wal.html.
            try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE; PRAGMA query_only = ON")
        }
        let source = try DatabaseQueue(path: path.string, configuration: configuration)
        configuration = DatabaseConfiguration()
        configuration.prepare = { database in
            // The folder for temporary files may be on the full disk, so they begin above this size.
            try database.execute(sql: "PRAGMA cache_size = -\(copyCacheKiB)")
        }
        let copy = try DatabaseQueue(configuration: configuration)
        try source.backup(to: copy)
        return copy
    }

    private static let copyCacheKiB = 64 << 10

    /// Whether SQLite failed because it cannot write to the catalog's folder. It keeps an index of the write-ahead log
    /// there.
    private static func isForWantOfWriting(_ error: DatabaseError) -> Bool {
        error.resultCode == .SQLITE_CANTOPEN || error.resultCode == .SQLITE_READONLY || error.isForWantOfRoom
    }
}
