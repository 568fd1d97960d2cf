/// A row of a result. It has its own copy of the values.
package struct Row: Sendable {
    private let columns: [String]
    private let values: [DatabaseValue]

    /// The row that a statement is at.
    init(_ statement: Statement) {
        columns = statement.columns
        values = columns.indices.map(statement.value)
    }

    /// The value of a column, as it is stored; `.null` if the query has no such column.
    package subscript(column: String) -> DatabaseValue {
        // A query has few columns, and to compare short names costs less than to hash one.
        columns.firstIndex(of: column).map { values[$0] } ?? .null
    }

    /// The value of a column, as it is stored.
    ///
    /// - Parameter place: the first column is 0.
    package subscript(place: Int) -> DatabaseValue { values[place] }

    /// The value of a column.
    ///
    /// - Throws: ``RowDecodingError`` if the value is none of this type. `NULL` is one of an optional type.
    package func decode<Value: DatabaseValueConvertible>(_ type: Value.Type, forColumn column: String) throws -> Value {
        do {
            return try Value(databaseValue: self[column])
        } catch {
            throw RowDecodingError(column: column)
        }
    }
}

extension Row: Fetchable {
    package static func read(_ statement: Statement) throws -> Row? { Row(statement) }
}
