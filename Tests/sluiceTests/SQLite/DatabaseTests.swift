import Foundation
import SQLite
import Testing

/// Connections, transactions, statements and rows.
@Suite struct DatabaseTests {
    private let queue: DatabaseQueue

    init() throws {
        queue = try DatabaseQueue()
        try queue.write {
            try $0.execute(sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, x); INSERT INTO t (x) VALUES (1), (2), (3);")
        }
    }

    private func count() throws -> Int? { try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } }

    // MARK: Values

    /// A call with arguments runs one statement, and would ignore the others.
    @Test func severalStatementsTakeNoArguments() throws {
        for sql in ["DELETE FROM t WHERE id = ?; DELETE FROM t", "", "-- nothing"] {
            #expect(throws: DatabaseError.self) {
                try queue.write { try $0.execute(sql: sql, arguments: [1]) }
            }
        }
        try queue.write { try $0.execute(sql: "DELETE FROM t WHERE id = ?; -- the first\n", arguments: [1]) }
        #expect(try count() == 2)
    }

    private static let values: [DatabaseValue] = [
        .null, .integer(0), .integer(.min), .integer(.max), .real(-0.5), .real(.infinity), .text(""), .text("a\0b"),
        .text("\u{1F1E9}\u{1F1EA} e\u{301}"), .text(String(repeating: "ü", count: 70_000)), .blob(Data()),
        .blob(Data([0, 255])), .blob(Data(repeating: 7, count: 70_000)),
    ]

    @Test(arguments: values) func aValueComesBackAsItIs(_ value: DatabaseValue) throws {
        let found = try queue.write { database in
            try database.execute(sql: "UPDATE t SET x = ? WHERE id = 1", arguments: [value])
            return try Row.fetchOne(database, sql: "SELECT x FROM t WHERE id = ?", arguments: [1])
        }
        #expect(found?["x"] == value)
    }

    private struct Reading: Sendable, CustomTestStringConvertible {
        let sql: String
        var integer: Int64?
        var double: Double?
        var text: String?
        var bytes: Data?
        var testDescription: String { sql }
    }

    private static let readings = [
        Reading(sql: "7", integer: 7, double: 7), Reading(sql: "2.0", integer: 2, double: 2),
        Reading(sql: "2.5", double: 2.5), Reading(sql: "1e300", double: 1e300),
        Reading(sql: "'7'", text: "7", bytes: Data("7".utf8)),
        Reading(sql: "x'C3A9'", text: "é", bytes: Data([0xC3, 0xA9])), Reading(sql: "x'FF'", bytes: Data([0xFF])),
    ]

    /// SQLite itself would make a number of any text.
    @Test(arguments: readings) private func onlyAFittingValueIsRead(_ reading: Reading) throws {
        let row = try #require(try queue.read { try Row.fetchOne($0, sql: "SELECT \(reading.sql) AS x") })
        #expect((try? row.decode(Int64.self, forColumn: "x")) == reading.integer)
        #expect((try? row.decode(Int.self, forColumn: "x")).map(Int64.init) == reading.integer)
        #expect((try? row.decode(Double.self, forColumn: "x")) == reading.double)
        #expect((try? row.decode(String.self, forColumn: "x")) == reading.text)
        #expect((try? row.decode(Data.self, forColumn: "x")) == reading.bytes)
    }

    @Test func nothingIsAValueOfAnOptionalTypeOnly() throws {
        let row = try #require(try queue.read { try Row.fetchOne($0, sql: "SELECT NULL AS x") })
        #expect(try row.decode(Int?.self, forColumn: "x") == nil)
        #expect(throws: RowDecodingError.self) { try row.decode(Int.self, forColumn: "x") }
        #expect(throws: RowDecodingError.self) { try row.decode(Int.self, forColumn: "no such column") }
        try queue.read { database in
            let none = try Int.fetchOne(database, sql: "SELECT max(x) FROM t WHERE id > 9")
            #expect(none == nil)
            #expect(throws: RowDecodingError.self) { try Int.fetchAll(database, sql: "SELECT NULL") }
        }
    }

    /// A file that another program damaged has such texts.
    @Test func textThatIsNotUTF8IsRepaired() throws {
        let text = try queue.read { try String.fetchOne($0, sql: "SELECT CAST(x'61FF62' AS TEXT)") }
        #expect(text == "a\u{FFFD}b")
    }

    /// A damaged value must not fail a query for others.
    @Test func aQueryOfOneColumnConverts() throws {
        let sql = "SELECT 7 UNION ALL SELECT '8x' UNION ALL SELECT x'39FF' UNION ALL SELECT 1.5"
        try queue.read { database in
            let numbers = try Int.fetchAll(database, sql: sql)
            #expect(numbers == [7, 8, 9, 1])
            let texts = try String.fetchAll(database, sql: sql)
            #expect(texts == ["7", "8x", "9\u{FFFD}", "1.5"])
            let bytes = try Data.fetchAll(database, sql: sql)
            #expect(bytes == [Data("7".utf8), Data("8x".utf8), Data([0x39, 0xFF]), Data("1.5".utf8)])
        }
    }

    // MARK: Statements

    @Test func aNameStandsForAValue() throws {
        try queue.read { database in
            let sql = "SELECT id FROM t WHERE x = :x OR id = :id ORDER BY id"
            let found = try Int.fetchAll(database, sql: sql, arguments: ["x": 3, "id": 1])
            #expect(found == [1, 3])
            #expect(throws: DatabaseError.self) { try Int.fetchAll(database, sql: sql, arguments: ["x": 3, "y": 1]) }
            #expect(throws: DatabaseError.self) { try Int.fetchAll(database, sql: sql, arguments: ["x": 3]) }
        }
    }

    /// A cursor keeps its place while the same statement runs again, in its loop.
    @Test func aCachedStatementRunsInsideOfItself() throws {
        let pairs = try queue.read { database in
            let cursor = try Int.fetchCursor(database.cachedStatement(sql: "SELECT id FROM t ORDER BY id"))
            return try cursor.map { outer in
                try Int.fetchAll(database.cachedStatement(sql: "SELECT id FROM t ORDER BY id")).map { (outer, $0) }
            }
        }
        #expect(pairs.flatMap { $0.map { "\($0.0)\($0.1)" } }.joined(separator: " ") == "11 12 13 21 22 23 31 32 33")
    }

    /// A cursor has its statement before its first row, too.
    @Test func twoCursorsHaveAStatementEach() throws {
        try queue.read { database in
            let sql = "SELECT id FROM t WHERE id >= ? ORDER BY id"
            let first = try Int.fetchCursor(database.cachedStatement(sql: sql), arguments: [1])
            let second = try Int.fetchCursor(database.cachedStatement(sql: sql), arguments: [3])
            let (one, three) = (try first.next(), try second.next())
            #expect(one == 1 && three == 3)
        }
    }

    /// An open read would keep the log of a catalog from being emptied.
    @Test func aCursorThatIsLeftEndsItsRead() throws {
        try queue.writeWithoutTransaction { database in
            let statement = try database.cachedStatement(sql: "SELECT id FROM t")
            let first = try Int.fetchCursor(statement).next()
            #expect(first == 1)
            #expect(try database.cachedStatement(sql: "SELECT id FROM t") === statement)
            // SQLite refuses this while a statement reads.
            try database.execute(sql: "PRAGMA journal_mode = MEMORY; VACUUM")
        }
    }

    @Test func severalStatementsRunInOrder() throws {
        try queue.write { database in
            try database.execute(sql: "DELETE FROM t; -- all\nINSERT INTO t (x) VALUES ('ü;') ; \n /* end */ ")
            #expect(try String.fetchAll(database, sql: "SELECT x FROM t") == ["ü;"])
            #expect(throws: DatabaseError.self) { try database.execute(sql: "DELETE FROM t; DELETE FROM u; SELECT 1") }
            #expect(throws: DatabaseError.self) { try Int.fetchOne(database, sql: " -- nothing") }
        }
        #expect(try count() == 0, "the statement before the one that failed has run")
    }

    /// SQLite would take a misspelled column for a text.
    @Test func aNameIsNoText() {
        #expect(throws: DatabaseError.self) { try queue.read { try Row.fetchAll($0, sql: #"SELECT "y" FROM t"#) } }
    }

    // MARK: Transactions

    private struct Refusal: Error {}

    @Test func anErrorTakesAllBack() throws {
        #expect(throws: Refusal.self) {
            try queue.write { database in
                try database.run("DELETE FROM t WHERE id = ?", 1)
                throw Refusal()
            }
        }
        #expect(throws: DatabaseError.self) {
            try queue.write { database in
                try database.run("DELETE FROM t WHERE id = ?", 1)
                try database.execute(sql: "INSERT INTO t (id) VALUES (2)")
            }
        }
        #expect(try count() == 3)
        try queue.write { try $0.run("DELETE FROM t WHERE id = ?", 1) }
        #expect(try count() == 2)
    }

    @Test func aPartIsTakenBackAlone() throws {
        try queue.write { database in
            try database.run("DELETE FROM t WHERE id = ?", 1)
            try database.inSavepoint {
                try database.run("DELETE FROM t WHERE id = ?", 2)
                try database.inSavepoint {
                    try database.run("DELETE FROM t WHERE id = ?", 3)
                    return .rollback
                }
                return .commit
            }
        }
        #expect(try queue.read { try Int.fetchAll($0, sql: "SELECT id FROM t") } == [3])
    }

    @Test func aReadChangesNothing() throws {
        try? queue.read { try $0.execute(sql: "DELETE FROM t") }
        #expect(try count() == 3)
        let folder = try TestFolder()
        let pool = try DatabasePool(path: folder["a.sqlite"].string)
        try pool.write { try $0.execute(sql: "CREATE TABLE t (x)") }
        let refusal = #expect(throws: DatabaseError.self) {
            try pool.read { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
        }
        #expect(refusal?.resultCode == .SQLITE_READONLY)
    }

    @Test func aRowThatNamesAMissingOneIsRefused() throws {
        let refusal = #expect(throws: DatabaseError.self) {
            try queue.write {
                try $0.execute(sql: "CREATE TABLE u (t INTEGER REFERENCES t (id)); INSERT INTO u VALUES (9)")
            }
        }
        #expect(refusal?.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY)
    }

    // MARK: Files

    /// A read sees one state, whatever is committed meanwhile, and several reads go on at the same time.
    @Test func readersAndAWriterDoNotWait() throws {
        let folder = try TestFolder()
        let pool = try DatabasePool(path: folder["a.sqlite"].string)
        try pool.write { try $0.execute(sql: "CREATE TABLE t (x); INSERT INTO t VALUES (1)") }
        func sum(_ database: Database) throws -> Int? { try Int.fetchOne(database, sql: "SELECT sum(x) FROM t") }
        try pool.read { outer in
            #expect(try sum(outer) == 1)
            try pool.write { try $0.execute(sql: "INSERT INTO t VALUES (10)") }
            #expect(try sum(outer) == 1)
            #expect(try pool.read(sum) == 11)
            #expect(throws: DatabaseError.self, "a reader needs the log") {
                try pool.writeWithoutTransaction { try $0.truncateLog() }
            }
        }
        #expect(try pool.read(sum) == 11)
        try pool.writeWithoutTransaction { try $0.truncateLog() }
        #expect(try Disk.bytes(folder["a.sqlite-wal"]).isEmpty)
    }

    @Test func aWriterIsAskedWhetherToWait() throws {
        let folder = try TestFolder()
        let first = try DatabasePool(path: folder["a.sqlite"].string)
        try first.write { try $0.execute(sql: "CREATE TABLE t (x)") }
        var configuration = DatabaseConfiguration()
        configuration.isWorthWaiting = { $0 < 3 }
        let second = try DatabasePool(path: folder["a.sqlite"].string, configuration: configuration)
        try first.write { _ in
            let refusal = #expect(throws: DatabaseError.self) {
                try second.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
            }
            #expect(refusal?.resultCode == .SQLITE_BUSY)
        }
        try second.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
    }

    /// Each process that is alone reads the whole log, and does not know what of it was copied.
    @Test(arguments: [true, false]) func aKeptLogStaysShort(waits: Bool) throws {
        let folder = try TestFolder()
        var configuration = DatabaseConfiguration()
        configuration.keptLogPages = 10
        // With it, a commit that waited for the log would take as long.
        configuration.timeout = waits ? 600 : 0
        if !waits {
            configuration.isWorthWaiting = { _ in
                Issue.record("nothing waits for the log")
                return false
            }
        }
        func insert() throws -> Int {
            let pool = try DatabasePool(path: folder["a.sqlite"].string, configuration: configuration)
            try pool.write { try $0.execute(sql: "CREATE TABLE IF NOT EXISTS t (x); INSERT INTO t VALUES (1)") }
            return try Disk.bytes(folder["a.sqlite-wal"]).count
        }
        let sizes = try (0..<40).map { _ in try insert() }
        #expect(sizes.contains { $0 > 0 }, "a short log is kept")
        #expect(sizes.contains(0), "a long one is emptied")
        let page = 4_096 + 24
        #expect(sizes.allSatisfy { $0 < 20 * page }, "\(sizes)")
        // One that is needed is emptied later.
        let reader = try DatabasePool(path: folder["a.sqlite"].string)
        let grown = try reader.read { database in
            #expect(try Int.fetchOne(database, sql: "SELECT count(*) FROM t") == 40)
            return try (0..<20).map { _ in try insert() }
        }
        #expect((grown.last ?? 0) > 10 * page)
        #expect(try insert() == 0)
    }

    @Test func oneConnectionReadsAndWrites() throws {
        let folder = try TestFolder()
        var configuration = DatabaseConfiguration()
        configuration.isSingle = true
        let pool = try DatabasePool(path: folder["a.sqlite"].string, configuration: configuration)
        try pool.write { try $0.execute(sql: "CREATE TABLE t (x); INSERT INTO t VALUES (1)") }
        @Sendable func sum() throws -> Int? { try pool.read { try Int.fetchOne($0, sql: "SELECT sum(x) FROM t") } }
        #expect(try sum() == 1)
        #expect(throws: DatabaseError.self) { try pool.read { try $0.execute(sql: "INSERT INTO t VALUES (2)") } }
        try pool.write { try $0.execute(sql: "INSERT INTO t VALUES (10)") }
        #expect(try sum() == 11)
        // The calls of several threads wait for each other.
        DispatchQueue.concurrentPerform(iterations: 20) { number in
            #expect(throws: Never.self) {
                try pool.write { try $0.execute(sql: "INSERT INTO t VALUES (\(number))") }
                _ = try sum()
            }
        }
        #expect(try sum() == 201)
    }

    @Test(arguments: ["a b", "100%", "a?b#c", "ü", "file:x"]) func aFileThatDoesNotChangeIsRead(_ name: String) throws {
        let folder = try TestFolder()
        let path = folder[name].string
        do {
            let writer = try DatabaseQueue(path: path)
            try writer.write { try $0.execute(sql: "CREATE TABLE t (x); INSERT INTO t VALUES (5)") }
        }
        var configuration = DatabaseConfiguration()
        (configuration.isReadOnly, configuration.isImmutable) = (true, true)
        let reader = try DatabaseQueue(path: path, configuration: configuration)
        #expect(try reader.read { try Int.fetchOne($0, sql: "SELECT x FROM t") } == 5)
        #expect(Disk.names(in: folder.path) == [name], "no other file is made")
    }

    @Test func aFileThatCannotBeUsedIsNamedAtOnce() throws {
        let folder = try TestFolder()
        try folder.write("text", String(repeating: "no database ", count: 100))
        #expect(throws: DatabaseError.self) { try DatabaseQueue(path: folder["text"].string) }
        var configuration = DatabaseConfiguration()
        configuration.isReadOnly = true
        let missing = #expect(throws: DatabaseError.self) {
            try DatabaseQueue(path: folder["missing"].string, configuration: configuration)
        }
        #expect(missing?.resultCode == .SQLITE_CANTOPEN)
    }

    @Test func aCopyHasEverything() throws {
        let folder = try TestFolder()
        let pool = try DatabasePool(path: folder["a.sqlite"].string)
        try pool.write { try $0.execute(sql: "CREATE TABLE t (x); INSERT INTO t VALUES (1), (2)") }
        let copy = try DatabaseQueue()
        try pool.backup(to: copy)
        #expect(try copy.read { try Int.fetchAll($0, sql: "SELECT x FROM t") } == [1, 2])
    }

    @Test func aFunctionMakesBytesOfText() throws {
        try queue.write { database in
            try database.add(function: "twice") { $0.isEmpty ? nil : Data(($0 + $0).utf8) }
            let row = try #require(
                try Row.fetchOne(database, sql: "SELECT twice('ab') AS a, twice('') AS b, twice(NULL) AS c"))
            #expect(row["a"] == .blob(Data("abab".utf8)) && row["b"] == .null && row["c"] == .null)
        }
    }
}
