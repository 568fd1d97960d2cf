internal import CSQLite

/// Statements that run for each package.
extension Database {
    /// Runs a statement and ignores its rows. Each connection prepares the statement once.
    ///
    /// - Throws: ``DatabaseError``, also outside of a transaction.
    package func run<each Value: DatabaseValueConvertible>(_ sql: String, _ value: repeat each Value) throws {
        _ = try first(sql, repeat each value) { _ in }
    }

    /// The number in the first column of the first row; `nil` if there is no row.
    package func number<each Value: DatabaseValueConvertible>(_ sql: String, _ value: repeat each Value) throws
        -> Int64?
    {
        try first(sql, repeat each value) { sqlite3_column_int64($0.handle, 0) }
    }

    private func first<each Value: DatabaseValueConvertible, Found>(
        _ sql: String, _ value: repeat each Value, take: (Statement) -> Found
    ) throws -> Found? {
        // SQLite may have rolled the transaction back after an error. A further statement would commit by itself, and
        // leave half of the batch.
        guard isInsideTransaction else {
            throw DatabaseError(resultCode: .SQLITE_ABORT, message: "the transaction was ended", sql: sql)
        }
        let statement = try cachedStatement(sql: sql)
        defer { statement.reset() }
        var place: CInt = 0
        for value in repeat each value {
            place += 1
            try statement.bind(value.databaseValue, at: place)
        }
        try statement.requireValues(place)
        return try statement.step() ? take(statement) : nil
    }
}
