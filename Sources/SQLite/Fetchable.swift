/// What a query gives: rows, or the values of its first column.
package protocol Fetchable {
    /// Reads the row that a statement is at; `nil` for a `NULL`.
    static func read(_ statement: Statement) throws -> Self?
}

/// All calls throw ``DatabaseError`` if SQLite fails.
extension Fetchable {
    /// The first row; `nil` if there is none, and for a `NULL`.
    package static func fetchOne(_ statement: Statement, arguments: StatementArguments = []) throws -> Self? {
        try statement.begin(arguments)
        defer { statement.reset() }
        return try statement.step() ? read(statement) : nil
    }

    /// All rows, in order.
    package static func fetchAll(_ statement: Statement, arguments: StatementArguments = []) throws -> [Self] {
        try fetchCursor(statement, arguments: arguments).map { $0 }
    }

    /// The rows one by one.
    package static func fetchCursor(_ statement: Statement, arguments: StatementArguments = []) throws -> Cursor<Self> {
        try Cursor(statement, arguments)
    }

    package static func fetchOne(_ database: Database, sql: String, arguments: StatementArguments = []) throws -> Self?
    {
        try fetchOne(database.statement(sql), arguments: arguments)
    }

    package static func fetchAll(_ database: Database, sql: String, arguments: StatementArguments = []) throws -> [Self]
    {
        try fetchAll(database.statement(sql), arguments: arguments)
    }

    package static func fetchCursor(
        _ database: Database, sql: String, arguments: StatementArguments = []
    ) throws -> Cursor<Self> {
        try fetchCursor(database.statement(sql), arguments: arguments)
    }
}

/// The rows of a result, one by one. The query runs as long as they are read.
package final class Cursor<Element: Fetchable> {
    private let statement: Statement
    private var isAtEnd = false

    init(_ statement: Statement, _ arguments: StatementArguments) throws {
        self.statement = statement
        try statement.begin(arguments)
        statement.hasCursor = true
    }

    deinit { end() }

    /// Gives the statement back. Another cursor may use it then.
    private func end() {
        guard !isAtEnd else { return }
        isAtEnd = true
        statement.reset()
        statement.hasCursor = false
    }

    /// The next row; `nil` at the end.
    ///
    /// - Throws: ``DatabaseError``; ``RowDecodingError`` for a `NULL`.
    package func next() throws -> Element? {
        guard !isAtEnd else { return nil }
        do {
            guard try statement.step() else {
                end()
                return nil
            }
        } catch {
            end()
            throw error
        }
        guard let element = try Element.read(statement) else {
            throw RowDecodingError(column: statement.columns.first ?? "")
        }
        return element
    }

    /// What `transform` makes of the rows.
    package func map<Result>(_ transform: (Element) throws -> Result) throws -> [Result] {
        var results: [Result] = []
        while let element = try next() { results.append(try transform(element)) }
        return results
    }

    /// What `transform` makes of the rows, without `nil`.
    package func compactMap<Result>(_ transform: (Element) throws -> Result?) throws -> [Result] {
        var results: [Result] = []
        while let element = try next() { if let result = try transform(element) { results.append(result) } }
        return results
    }
}
