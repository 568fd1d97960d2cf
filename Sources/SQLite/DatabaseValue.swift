internal import CSQLite
package import FoundationEssentials

/// A value of one of SQLite's five storage classes. https://www.sqlite.org/datatype3.html
package enum DatabaseValue: Sendable, Equatable {
    case null
    case integer(Int64)
    case real(Double)
    /// Bytes that are not UTF-8 are replaced by U+FFFD when they are read.
    case text(String)
    case blob(Data)

    /// Reads a column of the row that a statement is at.
    init(_ statement: OpaquePointer, column: CInt) {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: self = .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: self = .real(sqlite3_column_double(statement, column))
        case SQLITE_TEXT: self = .text(String(decoding: Self.text(statement, column), as: UTF8.self))
        case SQLITE_BLOB: self = .blob(Data(Self.blob(statement, column)))
        default: self = .null
        }
    }

    /// A column as text.
    fileprivate static func text(_ statement: OpaquePointer, _ column: CInt) -> UnsafeRawBufferPointer {
        buffer(UnsafeRawPointer(sqlite3_column_text(statement, column)), statement, column)
    }

    /// A column as bytes.
    fileprivate static func blob(_ statement: OpaquePointer, _ column: CInt) -> UnsafeRawBufferPointer {
        buffer(sqlite3_column_blob(statement, column), statement, column)
    }

    /// SQLite counts the bytes of the form that it gave last, so the address comes first. It gives none for zero bytes.
    private static func buffer(_ bytes: UnsafeRawPointer?, _ statement: OpaquePointer, _ column: CInt)
        -> UnsafeRawBufferPointer
    {
        UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : Int(sqlite3_column_bytes(statement, column)))
    }

    /// Gives a parameter of a statement this value.
    ///
    /// - Parameter place: the number of the parameter; the first is 1.
    /// - Returns: SQLite's result code.
    func bind(to statement: OpaquePointer, at place: CInt) -> CInt {
        switch self {
        case .null: return sqlite3_bind_null(statement, place)
        case .integer(let number): return sqlite3_bind_int64(statement, place, number)
        case .real(let number): return sqlite3_bind_double(statement, place, number)
        case .text(var text):
            return text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    // Without an address the value would be NULL.
                    guard let start = $0.baseAddress else { return csqlite_bind_text(statement, place, "", 0) }
                    return csqlite_bind_text(statement, place, start, UInt64($0.count))
                }
            }
        case .blob(let data):
            return data.withUnsafeBytes {
                guard let start = $0.baseAddress, !$0.isEmpty else { return sqlite3_bind_zeroblob(statement, place, 0) }
                return csqlite_bind_blob(statement, place, start, UInt64($0.count))
            }
        }
    }
}

/// A type whose values statements take and give.
package protocol DatabaseValueConvertible: Sendable {
    var databaseValue: DatabaseValue { get }

    /// Reads a value. A number is not read from text, or text from a number.
    ///
    /// It returns no optional: in generic code, each call would look up the type of the optional.
    ///
    /// - Throws: ``DatabaseValueMismatch`` if the value is none of this type.
    init(databaseValue: DatabaseValue) throws(DatabaseValueMismatch)
}

/// A value has another type than its reader expects.
package struct DatabaseValueMismatch: Error {}

/// A type that a query of one column gives. SQLite converts a value of another type, so no damaged value fails the query:
/// https://www.sqlite.org/c3ref/column_blob.html. Where it matters, read a ``Row``.
package protocol FetchableValue: DatabaseValueConvertible, Fetchable {
    /// Reads the first column.
    static func converted(_ statement: OpaquePointer) -> Self
}

extension FetchableValue {
    package static func read(_ statement: Statement) throws -> Self? {
        sqlite3_column_type(statement.handle, 0) == SQLITE_NULL ? nil : converted(statement.handle)
    }
}

extension DatabaseValue: DatabaseValueConvertible {
    package var databaseValue: DatabaseValue { self }
    package init(databaseValue: DatabaseValue) { self = databaseValue }
}

extension Int64: FetchableValue {
    package var databaseValue: DatabaseValue { .integer(self) }

    package init(databaseValue: DatabaseValue) throws(DatabaseValueMismatch) {
        switch databaseValue {
        case .integer(let number): self = number
        case .real(let number):
            guard let whole = Int64(exactly: number) else { throw DatabaseValueMismatch() }
            self = whole
        case .null, .text, .blob: throw DatabaseValueMismatch()
        }
    }

    package static func converted(_ statement: OpaquePointer) -> Int64 { sqlite3_column_int64(statement, 0) }
}

extension Int: FetchableValue {
    package var databaseValue: DatabaseValue { .integer(Int64(self)) }

    package init(databaseValue: DatabaseValue) throws(DatabaseValueMismatch) {
        guard let number = Int(exactly: try Int64(databaseValue: databaseValue)) else { throw DatabaseValueMismatch() }
        self = number
    }

    package static func converted(_ statement: OpaquePointer) -> Int { Int(sqlite3_column_int64(statement, 0)) }
}

/// As SQLite has it: 0 is false, and every other number is true.
extension Bool: FetchableValue {
    package var databaseValue: DatabaseValue { .integer(self ? 1 : 0) }

    package init(databaseValue: DatabaseValue) throws(DatabaseValueMismatch) {
        self = try Double(databaseValue: databaseValue) != 0
    }

    package static func converted(_ statement: OpaquePointer) -> Bool { sqlite3_column_int64(statement, 0) != 0 }
}

extension Double: FetchableValue {
    package var databaseValue: DatabaseValue { .real(self) }

    package init(databaseValue: DatabaseValue) throws(DatabaseValueMismatch) {
        switch databaseValue {
        case .integer(let number): self = Double(number)
        case .real(let number): self = number
        case .null, .text, .blob: throw DatabaseValueMismatch()
        }
    }

    package static func converted(_ statement: OpaquePointer) -> Double { sqlite3_column_double(statement, 0) }
}

/// A blob is text if it is UTF-8: SQLite makes a blob of text in some expressions.
extension String: FetchableValue {
    package var databaseValue: DatabaseValue { .text(self) }

    package init(databaseValue: DatabaseValue) throws(DatabaseValueMismatch) {
        switch databaseValue {
        case .text(let text): self = text
        case .blob(let bytes):
            guard let text = String(validating: bytes, as: UTF8.self) else { throw DatabaseValueMismatch() }
            self = text
        case .null, .integer, .real: throw DatabaseValueMismatch()
        }
    }

    package static func converted(_ statement: OpaquePointer) -> String {
        String(decoding: DatabaseValue.text(statement, 0), as: UTF8.self)
    }
}

extension Data: FetchableValue {
    package var databaseValue: DatabaseValue { .blob(self) }

    package init(databaseValue: DatabaseValue) throws(DatabaseValueMismatch) {
        switch databaseValue {
        case .text(let text): self = Data(text.utf8)
        case .blob(let bytes): self = bytes
        case .null, .integer, .real: throw DatabaseValueMismatch()
        }
    }

    package static func converted(_ statement: OpaquePointer) -> Data { Data(DatabaseValue.blob(statement, 0)) }
}

extension Optional: DatabaseValueConvertible where Wrapped: DatabaseValueConvertible {
    package var databaseValue: DatabaseValue { self?.databaseValue ?? .null }

    package init(databaseValue: DatabaseValue) throws(DatabaseValueMismatch) {
        if case .null = databaseValue { self = nil } else { self = try Wrapped(databaseValue: databaseValue) }
    }
}
