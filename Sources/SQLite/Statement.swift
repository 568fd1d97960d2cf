internal import CSQLite

/// A prepared statement of one connection.
package final class Statement {
    let handle: OpaquePointer
    let sql: String
    /// The connection, which must exist as long as the statement runs.
    private unowned let database: Database
    /// The names of the columns of the result.
    private(set) lazy var columns = (0..<sqlite3_column_count(handle)).map { place in
        sqlite3_column_name(handle, place).map { String(cString: $0) } ?? ""
    }

    /// - Parameters:
    ///   - handle: a statement that this object finalizes.
    ///   - sql: its text.
    init(_ handle: OpaquePointer, _ sql: String, _ database: Database) {
        (self.handle, self.sql, self.database) = (handle, sql, database)
    }

    deinit { sqlite3_finalize(handle) }

    /// Runs the statement to its end, and ignores its rows.
    ///
    /// - Throws: ``DatabaseError``.
    package func execute(arguments: StatementArguments = []) throws {
        try begin(arguments)
        defer { reset() }
        while try step() {}
    }

    /// Whether a cursor has the statement. From its beginning on, not only from its first row on.
    var hasCursor = false

    /// Starts again, with other values.
    func begin(_ arguments: StatementArguments) throws {
        reset()
        var count: CInt = 0
        for value in arguments.values {
            count += 1
            try bind(value, at: count)
        }
        for (name, value) in arguments.named {
            count += 1
            // SQLite refuses the place 0, that of a name which the statement does not have.
            try bind(value, at: sqlite3_bind_parameter_index(handle, ":" + name))
        }
        try requireValues(count)
    }

    /// Gives a parameter a value. The first one has the place 1.
    func bind(_ value: DatabaseValue, at place: CInt) throws {
        guard value.bind(to: handle, at: place) == SQLITE_OK else { throw failure() }
    }

    /// Gives the parameter behind a place a value, and goes on to that place.
    func bind(_ value: DatabaseValue, after place: inout CInt) throws {
        place += 1
        try bind(value, at: place)
    }

    /// Checks that as many parameters have a value as the statement has. One without keeps the value of the last run.
    func requireValues(_ count: CInt) throws {
        guard count == sqlite3_bind_parameter_count(handle) else {
            throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "the values do not fit the statement", sql: sql)
        }
    }

    /// Moves to the next row; `false` at the end. The caller resets the statement.
    func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: true
        case SQLITE_DONE: false
        default: throw failure()
        }
    }

    /// Ends the run. A read that has not ended keeps the state of the database that it sees.
    func reset() { sqlite3_reset(handle) }

    /// The value of a column of the current row.
    func value(at column: Int) -> DatabaseValue { DatabaseValue(handle, column: CInt(column)) }

    private func failure() -> DatabaseError { database.failure(sql) }
}

/// The values of the parameters of a statement: in the order of the parameters, or by their names without the colon.
package struct StatementArguments: Sendable, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    private(set) var values: [DatabaseValue] = []
    private(set) var named: [String: DatabaseValue] = [:]

    package init(arrayLiteral values: (any DatabaseValueConvertible)?...) {
        self.values = values.map { $0?.databaseValue ?? .null }
    }

    package init(dictionaryLiteral named: (String, (any DatabaseValueConvertible)?)...) {
        self.named = Dictionary(named.map { ($0, $1?.databaseValue ?? .null) }) { _, last in last }
    }

    package init(_ values: [DatabaseValue]) { self.values = values }

    package init<Value: DatabaseValueConvertible>(_ values: some Sequence<Value>) {
        self.values = values.map(\.databaseValue)
    }

    package static func += (all: inout StatementArguments, more: StatementArguments) { all.values += more.values }
}
