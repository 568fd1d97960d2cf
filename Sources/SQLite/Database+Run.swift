internal import CSQLite

/// Statements that run for each package.
extension Database {
    /// Runs a statement and ignores its rows. Each connection prepares the statement once.
    ///
    /// - Throws: ``DatabaseError``, also outside of a transaction.
    package func run<each Value: DatabaseValueConvertible>(_ sql: String, _ value: repeat each Value) throws {
        let statement = try started(sql)
        defer { statement.reset() }
        var place: CInt = 0
        repeat try statement.bind((each value).databaseValue, after: &place)
        try statement.requireValues(place)
        _ = try statement.step()
    }

    /// The number in the first column of the first row; `nil` if there is no row.
    package func number<each Value: DatabaseValueConvertible>(_ sql: String, _ value: repeat each Value) throws
        -> Int64?
    {
        // Not in common with `run`, because to pass the values on costs more than to bind them.
        let statement = try started(sql)
        defer { statement.reset() }
        var place: CInt = 0
        repeat try statement.bind((each value).databaseValue, after: &place)
        try statement.requireValues(place)
        return try statement.step() ? sqlite3_column_int64(statement.handle, 0) : nil
    }

    /// A statement of the transaction, ready for its values.
    private func started(_ sql: String) throws -> Statement {
        // SQLite may have rolled the transaction back after an error. A further statement would commit by itself, and
        // leave half of the batch.
        guard isInsideTransaction else {
            throw DatabaseError(resultCode: .SQLITE_ABORT, message: "the transaction was ended", sql: sql)
        }
        return try cachedStatement(sql: sql)
    }
}
