internal import Dispatch

/// A database that can be read.
package protocol DatabaseReader: AnyObject, Sendable {
    /// Runs `body` on one state of the database, in the thread of the caller. Other connections may commit meanwhile; `body`
    /// does not see their rows.
    ///
    /// - Throws: ``DatabaseError``; an error of `body`.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value

    /// Copies the database into another one.
    ///
    /// - Parameter report: gets the part that is copied, from 0 to 1.
    /// - Throws: ``DatabaseError``.
    func backup(to queue: DatabaseQueue, _ report: (Double) -> Void) throws
}

extension DatabaseReader {
    /// Copies the database into another one.
    ///
    /// - Throws: ``DatabaseError``.
    package func backup(to queue: DatabaseQueue) throws { try backup(to: queue) { _ in } }
}

/// A database with one connection, which its callers use in turn.
package final class DatabaseQueue: DatabaseReader {
    private let queue = DispatchQueue(label: "DatabaseQueue")
    /// Used inside of ``queue`` only.
    nonisolated(unsafe) private let database: Database

    /// Opens a database. An empty path is a temporary one.
    ///
    /// - Throws: ``DatabaseError`` if the file cannot be opened, or is no database.
    package init(path: String = "", configuration: DatabaseConfiguration = DatabaseConfiguration()) throws {
        database = try Database(path: path, configuration: configuration)
    }

    package func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try queue.sync { try database.reading(body) }
    }

    /// Runs `body` in a transaction, which is committed when this returns.
    ///
    /// - Throws: ``DatabaseError``; an error of `body`, and nothing was written.
    package func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try queue.sync { try database.writing(body) }
    }

    /// Runs `body`, which begins and ends its transactions itself.
    package func writeWithoutTransaction<Value>(_ body: (Database) throws -> Value) rethrows -> Value {
        try queue.sync { try body(database) }
    }

    package func backup(to other: DatabaseQueue, _ report: (Double) -> Void) throws {
        try queue.sync { try other.writeWithoutTransaction { try database.backup(to: $0, report) } }
    }
}
