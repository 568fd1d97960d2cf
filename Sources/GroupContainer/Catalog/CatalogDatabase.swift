package import Files
package import SQLite
package import SystemPackage

/// The catalog's SQLite file, open and at this program's version.
package struct CatalogDatabase: Sendable {
    let reader: any DatabaseReader
    private let pool: DatabasePool?
    /// The page cache of the writing connection. Lookups fall anywhere in the indexes, so SQLite's default is too
    /// small.
    private static let cacheKiB = 8 << 10
    /// The length of the write-ahead log, in pages of 4 KiB, at which SQLite copies it into the file. A long log saves
    /// writes: a page that changes with every batch is copied once for all of them.
    private static let logPages = 4_000
    /// The same for a process that commits once. It leaves the log to the next process when it ends, because a copy
    /// takes as long as its commit. That process reads the log first, so the log is short.
    private static let keptLogPages = 250
    /// The file that errors name.
    let path: FilePath?
    /// How long the connections wait for other processes.
    private let patience: Patience?
    /// Why reads do not see the later commits of other processes; `nil` if they do.
    package let staleness: String?
    /// Wakes the followers of the feed after each commit that changed something.
    var notifier: ChangeNotifier?

    /// Opens the catalog for reading and writing.
    ///
    /// - Parameter isNew: whether to make the tables. An existing older catalog is never migrated here.
    /// - Throws: ``ContainerError``; `CancellationError` as ``write(_:)`` does, because a new catalog is written.
    init(writing path: FilePath, isNew: Bool, writer: WriterKind = .run) throws {
        do {
            var configuration = DatabaseConfiguration()
            let patience = Patience(index: FilePath(path.string + "-shm"))
            defer { patience.end() }
            configuration.isWorthWaiting = { patience.wait(tries: $0) }
            // With NORMAL a power cut could undo a commit.
            var settings = "PRAGMA synchronous = FULL; PRAGMA cache_size = -\(Self.cacheKiB);"
            switch writer {
            case .run: settings += "PRAGMA wal_autocheckpoint = \(Self.logPages)"
            case .share: (configuration.keptLogPages, configuration.isSingle) = (Self.keptLogPages, true)
            }
            configuration.prepare = { [settings] in try $0.execute(sql: settings) }
            let pool = try DatabasePool(path: path.string, configuration: configuration)
            if isNew { try pool.writeWithoutTransaction { try CatalogSchema.migrate($0, MigrationContext()) } }
            try Self.requireCurrent(pool, path)
            self.pool = pool
            self.patience = patience
            self.path = path
            staleness = nil
            reader = pool
        } catch let error as ContainerError {
            throw error
        } catch {
            throw try Self.explained(error, path)
        }
    }

    /// Opens the catalog for reading only.
    package init(reading path: FilePath, _ fileSystem: any FileSystem) throws(ContainerError) {
        do {
            let (queue, staleness) = try Self.queue(reading: path, fileSystem)
            self.staleness = staleness
            try Self.requireCurrent(queue, path)
            pool = nil
            patience = nil
            self.path = path
            reader = queue
        } catch let error as ContainerError {
            throw error
        } catch {
            throw ContainerError(error, path)
        }
    }

    /// Reads a catalog that is not a file of a container, such as a migrated copy.
    init(reader: any DatabaseReader, staleness: String?) {
        self.reader = reader
        self.staleness = staleness
        pool = nil
        patience = nil
        path = nil
    }

    /// Runs `body` on one state of the catalog. Writers may commit meanwhile; `body` does not see their rows.
    ///
    /// - Throws: ``ContainerError`` for an error of SQLite's, and for a value that cannot be read; other errors of `body`
    ///   unchanged.
    package func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        defer { patience?.end() }
        return try explaining { try reader.read(body) }
    }

    /// Runs `body` in one transaction, which is durable when this returns. Observers of the feed wake if it added
    /// changes.
    ///
    /// - Throws: `CancellationError` if the task is canceled while it waits for another process's transaction.
    package func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        guard let pool else { throw ContainerError(.catalog, "the catalog is open for reading only") }
        return try explaining {
            defer { patience?.end() }
            let (value, number) = try pool.write { database in
                patience?.end()
                let before = try ChangeRow.last(database)
                let value = try body(database)
                let last = try ChangeRow.last(database)
                return (value, last == before ? nil : last)
            }
            if let number { notifier?.notify(number) }
            return value
        }
    }

    /// Runs `body`, and makes a ``ContainerError`` of an error of SQLite's, and of a value that cannot be read.
    private func explaining<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw try Self.explained(error, path)
        } catch let error as RowDecodingError {
            throw ContainerError.unreadable("\(error)")
        }
    }

    /// - Throws: `CancellationError` if the task gave up its wait, before the transaction began.
    private static func explained(_ error: any Error, _ path: FilePath?) throws -> ContainerError {
        if (error as? DatabaseError)?.resultCode == .SQLITE_BUSY { try Task.checkCancellation() }
        return ContainerError(error, path)
    }

    /// Changes the rows of a table that meet a condition. If there is none, this does not wait for another process that
    /// writes.
    ///
    /// - Parameters:
    ///   - statement: SQL without its `WHERE`.
    ///   - condition: SQL with `value` as its only argument.
    func change(_ statement: String, of table: String, where condition: String, _ value: Int64) throws {
        let found = try read { try $0.number("SELECT 1 FROM \(table) WHERE \(condition) LIMIT 1", value) }
        guard found != nil else { return }
        try write { try $0.run("\(statement) WHERE \(condition)", value) }
    }

    /// Like ``write(_:)``, but SQLite overwrites deleted rows with zeros (`secure_delete`).
    package func writeSecurely<Value>(_ body: (Database) throws -> Value) throws -> Value {
        // The pragma stays on for this connection. Later deletions become a little slower, and nothing else changes.
        try pool?.writeWithoutTransaction { try $0.execute(sql: "PRAGMA secure_delete = ON") }
        return try write(body)
    }

    /// Copies the whole write-ahead log into the file, and truncates the log.
    ///
    /// - Throws: if a reader still needs the log.
    package func emptyLog() throws {
        // A reader may keep the log for hours, and this call waits only as a favor.
        defer { patience?.end() }
        try patience?.shortened { try pool?.writeWithoutTransaction { try $0.truncateLog() } }
    }

    /// The value of a pragma on the connection that writes.
    func writerPragma(_ name: String) throws -> Int? {
        try pool?.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA \(name)") }
    }

    private static func requireCurrent(_ reader: any DatabaseReader, _ path: FilePath) throws {
        switch try reader.read(CatalogSchema.state) {
        case .current: break
        case .older: throw ContainerError(.catalog, "\(path) lacks tables; restore it from a backup")
        case .newer: throw newer(path)
        }
    }

    static func newer(_ path: FilePath) -> ContainerError {
        ContainerError(.newerFormat, "a newer program wrote \(path); update this one")
    }
}

extension ContainerError {
    init(_ error: any Error, _ path: FilePath?) {
        let place = path.map { " \($0)" } ?? ""
        guard let error = error as? DatabaseError else {
            self.init(.catalog, "the catalog\(place) cannot be used: \(error)")
            return
        }
        let fileLimit = path.flatMap { error.fileSizeLimit(at: $0) }
        switch error.resultCode {
        case _ where fileLimit != nil:
            self.init(
                .full,
                "the catalog\(place) cannot grow: \(fileLimit ?? ""). Raise it and run again; what came in is safe")
        case _ where error.isForWantOfRoom:
            self.init(
                .full,
                "the catalog\(place) cannot grow: the disk is full. Free some space and run again; what came in is safe"
            )
        case .SQLITE_BUSY:
            self.init(
                .busy,
                "another process keeps the catalog\(place) locked; let it go on if it was stopped, or end it, and run "
                    + "again; what came in is safe")
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            self.init(.catalog, "the catalog\(place) is damaged: \(error). Restore it from a backup")
        default:
            self.init(
                .catalog,
                "the catalog\(place) cannot be used: \(error). Check disk space, permissions and open files, and run "
                    + "again; what came in is safe")
        }
    }
}

extension DatabaseError {
    /// Whether the disk has no room for the catalog, or for the index of its write-ahead log.
    package var isForWantOfRoom: Bool {
        // SQLite gives a new index three bytes when it opens it (SHMOPEN), and its size later (SHMSIZE).
        resultCode == .SQLITE_FULL
            || [.SQLITE_IOERR_SHMOPEN, .SQLITE_IOERR_SHMSIZE].contains(extendedResultCode)
    }

    /// The process's limit on the size of a file in words, if it keeps the catalog at a path from growing.
    func fileSizeLimit(at path: FilePath) -> String? {
        guard isForWantOfRoom || extendedResultCode == .SQLITE_IOERR_WRITE else { return nil }
        let files = ["", "-wal", "-shm"].map { FilePath(path.string + $0) }
        // The index of the write-ahead log grows by 32 KiB, and the other two files by less.
        return FileSizeLimit.reached(by: files, growing: 32 << 10).map {
            "the limit on the size of a file (ulimit -f) is \($0) bytes"
        }
    }
}
