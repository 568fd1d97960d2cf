internal import Dispatch

/// A database with a write-ahead log: one connection writes, and others read at the same time. With
/// ``DatabaseConfiguration/isSingle``, there is one connection, and its calls wait for each other.
package final class DatabasePool: DatabaseReader {
    private let writing = DispatchQueue(label: "DatabasePool.writing")
    /// Used inside of ``writing`` only.
    nonisolated(unsafe) private let writer: Database
    private let reading = DispatchQueue(label: "DatabasePool.reading")
    /// The connections that no call reads through. Used inside of ``reading`` only.
    nonisolated(unsafe) private var idle: [Database] = []
    private let path: String
    /// The configuration of the connections that read.
    private let configuration: DatabaseConfiguration

    /// The number of connections that are kept while no call reads.
    private static let idleLimit = 5

    /// Opens a database.
    ///
    /// - Parameter configuration: its ``DatabaseConfiguration/prepare`` is for the connection that writes.
    /// - Throws: ``DatabaseError`` if the file cannot be opened, or is no database.
    package init(path: String, configuration: DatabaseConfiguration = DatabaseConfiguration()) throws {
        var configuration = configuration
        let prepare = configuration.prepare
        configuration.prepare = { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL")
            try prepare?(database)
        }
        writer = try Database(path: path, configuration: configuration)
        // A connection that may write can make the index of the log.
        configuration.prepare = { try $0.execute(sql: "PRAGMA query_only = ON") }
        (self.path, self.configuration) = (path, configuration)
    }

    package func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        if configuration.isSingle {
            dispatchPrecondition(condition: .notOnQueue(writing))
            return try writing.sync { try writer.onlyReading(body) }
        }
        let known = reading.sync { idle.popLast() }
        let reader = try known ?? Database(path: path, configuration: configuration)
        defer { reading.sync { if idle.count < Self.idleLimit { idle.append(reader) } } }
        return try reader.reading(body)
    }

    /// Runs `body` in a transaction, which is committed when this returns.
    ///
    /// - Throws: ``DatabaseError``; an error of `body`, and nothing was written.
    package func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try writing.sync { try writer.writing(body) }
    }

    /// Runs `body`, which begins and ends its transactions itself, on the connection that writes.
    package func writeWithoutTransaction<Value>(_ body: (Database) throws -> Value) rethrows -> Value {
        try writing.sync { try body(writer) }
    }

    /// Copies the whole database.
    ///
    /// - Parameter report: gets the part that is copied, from 0 to 1.
    package func backup(to queue: DatabaseQueue, _ report: (Double) -> Void) throws {
        try read { reader in
            // The first row read keeps this state. Otherwise each commit of another process would begin the copy anew.
            _ = try Row.fetchOne(reader, sql: "SELECT 1 FROM sqlite_master LIMIT 1")
            try queue.writeWithoutTransaction { try reader.backup(to: $0, report) }
        }
    }
}
