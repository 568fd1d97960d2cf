internal import CSQLite

/// An error that SQLite reports.
package struct DatabaseError: Error, CustomStringConvertible {
    package let extendedResultCode: ResultCode
    /// SQLite's words.
    package let message: String?
    /// The statement that failed.
    package let sql: String?

    package init(resultCode: ResultCode, message: String? = nil, sql: String? = nil) {
        (extendedResultCode, self.message, self.sql) = (resultCode, message, sql)
    }

    /// The last error of a connection.
    init(_ connection: OpaquePointer, sql: String? = nil) {
        self.init(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
            message: String(cString: sqlite3_errmsg(connection)), sql: sql)
    }

    /// The kind of the error, without its details.
    package var resultCode: ResultCode { ResultCode(rawValue: extendedResultCode.rawValue & 0xFF) }

    package var description: String { message ?? "SQLite error \(extendedResultCode)" }
}

/// A value of a column that has another type than the one asked for, or a column that a query does not have.
package struct RowDecodingError: Error, CustomStringConvertible {
    package let column: String

    package var description: String { "its column '\(column)' holds a value of another type" }
}

/// A result code of SQLite's. The names are SQLite's own. https://www.sqlite.org/rescode.html
package struct ResultCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: CInt

    package init(rawValue: CInt) { self.rawValue = rawValue }

    package static let SQLITE_PERM = ResultCode(rawValue: 3)
    package static let SQLITE_ABORT = ResultCode(rawValue: 4)
    package static let SQLITE_BUSY = ResultCode(rawValue: 5)
    package static let SQLITE_READONLY = ResultCode(rawValue: 8)
    package static let SQLITE_CORRUPT = ResultCode(rawValue: 11)
    package static let SQLITE_FULL = ResultCode(rawValue: 13)
    package static let SQLITE_CANTOPEN = ResultCode(rawValue: 14)
    package static let SQLITE_SCHEMA = ResultCode(rawValue: 17)
    package static let SQLITE_MISUSE = ResultCode(rawValue: 21)
    package static let SQLITE_NOTADB = ResultCode(rawValue: 26)
    // With their details.
    package static let SQLITE_IOERR_WRITE = ResultCode(rawValue: 10 | (3 << 8))
    package static let SQLITE_IOERR_SHMOPEN = ResultCode(rawValue: 10 | (18 << 8))
    package static let SQLITE_IOERR_SHMSIZE = ResultCode(rawValue: 10 | (19 << 8))
    package static let SQLITE_CONSTRAINT_FOREIGNKEY = ResultCode(rawValue: 19 | (3 << 8))
    package static let SQLITE_CONSTRAINT_PRIMARYKEY = ResultCode(rawValue: 19 | (6 << 8))

    package var description: String { "\(rawValue) (\(String(cString: sqlite3_errstr(rawValue))))" }
}
