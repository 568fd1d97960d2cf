internal import Files
internal import GRDB
internal import SystemPackage

extension CatalogDatabase {
    /// A connection that only reads, even if the process cannot write to the catalog's folder, or its disk is full.
    ///
    /// - Returns: the connection, and why it does not see later commits; `nil` if it does.
    static func queue(reading path: FilePath, _ fileSystem: any FileSystem) throws -> (DatabaseQueue, String?) {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(60)
        // A process that only reads makes the index too, if no other has it open.
        fileSystem.makeOverwritable(FilePath(path.string + "-shm"))
        do {
            let queue = try DatabaseQueue(path: path.string, configuration: configuration)
            // Opening may succeed although the first query fails, because only a query needs the write-ahead log.
            _ = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_master") }
            return (queue, nil)
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
            return (try DatabaseQueue(path: immutable(path), configuration: configuration), why)
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
        var configuration = Configuration()
        // For another process that makes its copy.
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { database in
            // See “Use of WAL Without Shared-Memory” in https://www.sqlite.org/wal.html.
            try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE; PRAGMA query_only = ON")
        }
        let source = try DatabaseQueue(path: path.string, configuration: configuration)
        configuration = Configuration()
        configuration.prepareDatabase { database in
            // The folder for temporary files may be on the full disk, so they begin above this size.
            try database.execute(sql: "PRAGMA cache_size = -\(copyCacheKiB)")
        }
        let copy = try DatabaseQueue(path: "", configuration: configuration)
        try source.backup(to: copy)
        try source.close()
        return copy
    }

    private static let copyCacheKiB = 64 << 10

    /// Whether SQLite failed because it cannot write to the catalog's folder. It keeps an index of the write-ahead log
    /// there.
    private static func isForWantOfWriting(_ error: DatabaseError) -> Bool {
        error.resultCode == .SQLITE_CANTOPEN || error.resultCode == .SQLITE_READONLY || error.isForWantOfRoom
    }

    /// The URI of the catalog as a file that does not change. SQLite ignores the write-ahead log then.
    private static func immutable(_ path: FilePath) -> String {
        // SQLite decodes `%`, and ends the path at `?` or `#`.
        let escaped = path.string.utf8.map { byte -> String in
            let isPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-".utf8.contains(byte)
            let digits = String(byte, radix: 16)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + (digits.count == 1 ? "0" : "") + digits
        }
        return "file:\(escaped.joined())?immutable=1"
    }
}
