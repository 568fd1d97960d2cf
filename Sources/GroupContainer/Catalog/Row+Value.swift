package import SQLite

extension Row {
    /// The value of a column.
    ///
    /// - Throws: ``ContainerError`` with the code `catalog` if the value cannot have this type, or is missing.
    package func value<Value: DatabaseValueConvertible>(_ column: String) throws -> Value {
        do {
            return try decode(Value.self, forColumn: column)
        } catch let error as RowDecodingError {
            throw ContainerError.unreadable("\(error)")
        }
    }

    /// The greatest count or time of a record. JSON has exact integers up to it, and sums with it do not overflow.
    static let greatestNumber: Int64 = 1 << 53

    /// A count, or a time in milliseconds since 1970. Anything that no program writes, which a verification finds, counts
    /// as 0.
    func number(_ column: String) -> Int64 {
        guard case .integer(let number) = self[column], (0...Self.greatestNumber).contains(number) else { return 0 }
        return number
    }

    /// SQL for a column's number, as ``number(_:)`` reads it.
    static func sound(_ column: String) -> String { "iif(\(isImpossible(column)), 0, \(column))" }

    /// SQL for a value that no program writes where a count or a time belongs.
    package static func isImpossible(_ column: String) -> String {
        "(typeof(\(column)) <> 'integer' OR \(column) NOT BETWEEN 0 AND \(greatestNumber))"
    }

    /// The value of a column; `nil` if it has none, or one of another type. For names: a damaged name must not keep a
    /// package from being found or forgotten.
    package func readable<Value: DatabaseValueConvertible>(_ column: String) -> Value? {
        try? decode(Value.self, forColumn: column)
    }
}

extension ContainerError {
    /// A record that cannot be read. A verification finds it, too.
    static func unreadable(_ what: String) -> ContainerError { ContainerError(.catalog, what, remedy: .verify) }

    /// Whether a record cannot be read. Other records can be.
    package var isUnreadableRecord: Bool { code == .catalog && remedy == .verify }

    /// The result of `body`; `nil` if a record that it reads is unreadable, for a caller that goes on without it.
    package static func unlessUnreadable<Value>(_ body: () throws -> Value) throws -> Value? {
        do {
            return try body()
        } catch let error as ContainerError where error.isUnreadableRecord {
            return nil
        }
    }

    /// Runs `body`, which reads records of a package, and names the package if one of them cannot be read.
    ///
    /// - Parameter row: a row with the package's `id`.
    static func naming<Value>(packageOf row: Row, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as ContainerError where error.isUnreadableRecord {
            let id: String = row.readable("id") ?? "-"
            throw unreadable("the package \(id.prefix(12)) cannot be read: \(error.message)")
        }
    }

    /// Like ``naming(packageOf:_:)``, for a caller that goes on without the package.
    package static func reading<Value>(packageOf row: Row, _ body: () throws -> Value) throws -> Result<
        Value, ContainerError
    > {
        do {
            return .success(try naming(packageOf: row, body))
        } catch let error as ContainerError where error.isUnreadableRecord {
            return .failure(error)
        }
    }
}
