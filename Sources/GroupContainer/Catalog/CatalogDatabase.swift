internal import Files
internal import GRDB
internal import SystemPackage

/// The catalog's SQLite file, opened and at the right version.
struct CatalogDatabase: Sendable {
    let reader: any DatabaseReader
    private let pool: DatabasePool?
    /// How much of the catalog is kept in memory while it is written to: its indexes are asked all over.
    private static let cacheKiB = 16 << 10
    /// How long the write-ahead log grows before it is taken over, in pages.
    private static let logPages = 4_000
    /// For errors to name.
    private let path: FilePath?
    /// Wakes the followers of the feed after each commit that changed something.
    var notifier: ChangeNotifier?

    /// Opens for reading and writing; makes the tables where there are none.
    ///
    /// - Parameter isNew: whether the tables are to be made; an older catalog is never changed here.
    init(writing path: FilePath, isNew: Bool) throws(ContainerError) {
        do {
            var configuration = Configuration()
            configuration.busyMode = .timeout(60)
            let pool = try DatabasePool(path: path.string, configuration: configuration)
            // GRDB sets NORMAL while it turns on the write-ahead log, after every hook of its configuration; with
            // that a commit could vanish in a power cut.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            // So many pages of 4 KiB: those that change with every batch are taken over into the file less often.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_autocheckpoint = \(Self.logPages)") }
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA cache_size = -\(Self.cacheKiB)") }
            guard try !pool.read(CatalogSchema.migrator.hasBeenSuperseded) else { throw Self.newer(path) }
            if isNew { try CatalogSchema.migrator.migrate(pool) }
            guard try pool.read(CatalogSchema.migrator.hasCompletedMigrations) else { throw Self.incomplete(path) }
            self.pool = pool
            self.path = path
            reader = pool
        } catch let error as ContainerError {
            throw error
        } catch {
            throw ContainerError(error, path)
        }
    }

    /// Opens for reading alone.
    init(reading path: FilePath, _ fileSystem: any FileSystem) throws(ContainerError) {
        do {
            let queue = try Self.queue(reading: path, fileSystem)
            guard try !queue.read(CatalogSchema.migrator.hasBeenSuperseded) else { throw Self.newer(path) }
            guard try queue.read(CatalogSchema.migrator.hasCompletedMigrations) else { throw Self.incomplete(path) }
            pool = nil
            self.path = path
            reader = queue
        } catch let error as ContainerError {
            throw error
        } catch {
            throw ContainerError(error, path)
        }
    }

    /// Reads what is in no file of a container's.
    init(reader: any DatabaseReader) {
        self.reader = reader
        pool = nil
        path = nil
    }

    /// Runs `body` on one state of the catalog; what it throws of its own comes through as it is.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do { return try reader.read(body) } catch let error as DatabaseError { throw ContainerError(error, path) }
    }

    /// Runs `body` in one transaction, durable when this returns.
    func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        guard let pool else { throw ContainerError(.catalog, "the catalog is open for reading only") }
        do {
            let (value, number) = try pool.write { database in
                let before = try ChangeRow.last(database)
                let value = try body(database)
                let last = try ChangeRow.last(database)
                return (value, last == before ? nil : last)
            }
            if let number { notifier?.notify(number) }
            return value
        } catch let error as DatabaseError {
            throw ContainerError(error, path)
        }
    }

    /// As ``write(_:)``, and what is deleted by it is written over with zeros (`secure_delete`).
    func writeSecurely<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try pool?.writeWithoutTransaction { try $0.execute(sql: "PRAGMA secure_delete = ON") }
        return try write(body)
    }

    /// Takes all of the write-ahead log into the file, and cuts it off.
    ///
    /// - Throws: where a reader still needs it.
    func emptyLog() throws { _ = try pool?.writeWithoutTransaction { try $0.checkpoint(.truncate) } }

    /// The value of a pragma on the connection that writes.
    func writerPragma(_ name: String) throws -> Int? {
        try pool?.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA \(name)") }
    }

    private static func incomplete(_ path: FilePath) -> ContainerError {
        ContainerError(.catalog, "\(path) lacks tables; restore it from a backup")
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
        let words = error.message ?? "SQLite error \(error.resultCode)"
        switch error.resultCode {
        case .SQLITE_FULL:
            self.init(
                .full,
                "the catalog\(place) cannot grow: the disk is full. Free some space and run again; nothing is lost")
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            self.init(.catalog, "the catalog\(place) is damaged: \(words). Restore it from a backup")
        default:
            self.init(
                .catalog,
                "the catalog\(place) cannot be used: \(words). Look for what it lacks (space, permission, open files) and "
                    + "run again; nothing is lost")
        }
    }
}
