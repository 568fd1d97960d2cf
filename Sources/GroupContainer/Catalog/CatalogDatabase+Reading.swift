internal import Files
internal import GRDB
internal import SystemPackage

extension CatalogDatabase {
    /// A connection that only reads, even if the process cannot write to the catalog's folder, or its disk is full.
    static func queue(reading path: FilePath, _ fileSystem: any FileSystem) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(60)
        // A process that only reads makes the index too, if no other has it open.
        fileSystem.makeOverwritable(FilePath(path.string + "-shm"))
        do {
            let queue = try DatabaseQueue(path: path.string, configuration: configuration)
            // Opening may succeed although the first query fails, because only a query needs the write-ahead log.
            _ = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_master") }
            return queue
        } catch let error as DatabaseError where isForWantOfWriting(error) {
            return try DatabaseQueue(path: immutable(path, error, fileSystem), configuration: configuration)
        }
    }

    /// Whether SQLite failed because it cannot write to the catalog's folder. It keeps an index of the write-ahead log
    /// there.
    private static func isForWantOfWriting(_ error: DatabaseError) -> Bool {
        error.resultCode == .SQLITE_CANTOPEN || error.resultCode == .SQLITE_READONLY || error.isForWantOfRoom
    }

    /// The URI of the catalog as a file that does not change.
    ///
    /// - Throws: ``ContainerError`` if the write-ahead log has rows. SQLite would ignore the log, and return older
    ///   rows.
    private static func immutable(_ path: FilePath, _ error: DatabaseError, _ fileSystem: any FileSystem) throws
        -> String
    {
        let log = FilePath(path.string + "-wal")
        guard try (fileSystem.status(of: log)?.size ?? 0) == 0 else {
            guard !error.isForWantOfRoom else { throw ContainerError(error, path) }
            throw ContainerError(
                .catalog,
                "the latest rows of \(path) are in \(log), which cannot be read in a folder without write permission; "
                    + "copy the container to a folder of your own")
        }
        guard try fileSystem.exists(path) else { throw error }
        // SQLite decodes `%`, and ends the path at `?` or `#`.
        let escaped = path.string.utf8.map { byte -> String in
            let isPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-".utf8.contains(byte)
            let digits = String(byte, radix: 16)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + (digits.count == 1 ? "0" : "") + digits
        }
        return "file:\(escaped.joined())?immutable=1"
    }
}
