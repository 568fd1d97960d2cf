import Foundation
import SQLite
import Testing

/// Statements that run for each package.
@Suite struct DatabaseRunTests {
    private let queue: DatabaseQueue

    init() throws {
        queue = try DatabaseQueue()
        try queue.write {
            try $0.execute(sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, word TEXT NOT NULL, bytes BLOB)")
        }
    }

    private static let insert = "INSERT INTO t (id, word, bytes) VALUES (?, ?, ?)"

    @Test func valuesKeepTheirTypes() throws {
        let words = ["", " ", "Grüße", String(repeating: "x", count: 5_000)]
        let blobs = [nil, Data(), Data([0, 255]), Data(repeating: 7, count: 5_000)]
        try queue.write { database in
            for (place, (word, blob)) in zip(words, blobs).enumerated() {
                try database.run(Self.insert, place, word, blob)
            }
        }
        let rows = try queue.read { try Row.fetchAll($0, sql: "SELECT word, bytes FROM t ORDER BY id") }
        #expect(rows.map { $0["word"] } == words.map(DatabaseValue.text))
        #expect(rows.map { $0["bytes"] } == blobs.map(\.databaseValue))
    }

    @Test func aStatementIsUsableAfterAFailure() throws {
        try queue.write { database in
            try database.run(Self.insert, 1, "one", Data?.none)
            let failure = #expect(throws: DatabaseError.self) { try database.run(Self.insert, 1, "again", Data?.none) }
            #expect(failure?.extendedResultCode == .SQLITE_CONSTRAINT_PRIMARYKEY)
            #expect(failure?.message?.contains("t.id") == true && failure?.sql == Self.insert)
            try database.run(Self.insert, 2, "two", Data?.none)
            #expect(try database.number("SELECT count(*) FROM t") == 2)
            #expect(try database.number("SELECT id FROM t WHERE word = ?", "two") == 2)
            #expect(try database.number("SELECT id FROM t WHERE word = ?", "three") == nil)
        }
    }

    /// A parameter without a value would keep that of the row before.
    @Test func eachParameterNeedsAValue() throws {
        try queue.write { database in
            try database.run(Self.insert, 1, "one", Data?.none)
            #expect(throws: DatabaseError.self) { try database.run(Self.insert, 2, "two") }
            #expect(throws: DatabaseError.self) { try database.run(Self.insert, 2, "two", Data?.none, 4) }
            #expect(try database.number("SELECT count(*) FROM t") == 1)
        }
    }

    /// Related rows must be written in one transaction.
    @Test func nothingIsWrittenOutsideATransaction() throws {
        _ = queue.writeWithoutTransaction { database in
            #expect(throws: DatabaseError.self) { try database.run(Self.insert, 1, "one", Data?.none) }
        }
        #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 0)
    }
}
