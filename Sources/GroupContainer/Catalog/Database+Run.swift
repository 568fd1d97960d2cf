internal import GRDB
internal import GRDBSQLite

/// Statements that run for each package, through SQLite's own calls. GRDB's work for each argument and row costs as
/// much as SQLite's work for the row.
extension Database {
    /// Runs a statement and ignores its rows. Each connection prepares the statement once.
    func run<each Value: StatementBinding>(_ sql: String, _ value: repeat each Value) throws {
        _ = try first(sql, repeat each value) { _ in }
    }

    /// The number in the first column of the first row; `nil` if there is no row.
    func number<each Value: StatementBinding>(_ sql: String, _ value: repeat each Value) throws -> Int64? {
        try first(sql, repeat each value) { sqlite3_column_int64($0, 0) }
    }

    private func first<each Value: StatementBinding, Found>(
        _ sql: String, _ value: repeat each Value, take: (SQLiteStatement) -> Found
    ) throws -> Found? {
        // SQLite may have rolled the transaction back after an error. A further statement would commit by itself, and
        // leave half of the batch.
        guard isInsideTransaction else {
            throw DatabaseError(resultCode: .SQLITE_ABORT, message: "the transaction was ended", sql: sql)
        }
        let statement = try cachedStatement(sql: sql).sqliteStatement
        sqlite3_reset(statement)
        defer { sqlite3_reset(statement) }
        var place: CInt = 0
        for value in repeat each value {
            place += 1
            guard value.bind(to: statement, at: place) == SQLITE_OK else { throw failure(sql) }
        }
        // A parameter without a new value keeps the value of the row before.
        precondition(place == sqlite3_bind_parameter_count(statement), "the values do not fit the statement: \(sql)")
        switch sqlite3_step(statement) {
        case SQLITE_ROW: return take(statement)
        case SQLITE_DONE: return nil
        default: throw failure(sql)
        }
    }

    private func failure(_ sql: String) -> DatabaseError {
        let code = sqliteConnection.map(sqlite3_extended_errcode) ?? SQLITE_MISUSE
        let words = sqliteConnection.flatMap(sqlite3_errmsg).map { String(cString: $0) }
        return DatabaseError(resultCode: ResultCode(rawValue: code), message: words, sql: sql)
    }
}
