internal import SQLite

/// The circuit breakers in the catalog's file.
struct SQLiteCircuitBreakers: CircuitBreakerStore {
    let database: CatalogDatabase

    func held(_ sink: String) throws -> HeldSink? { try database.read { try HeldSink.fetch($0, sink) } }

    func hold(_ sink: HeldSink) throws {
        try database.write { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO held_sink (sink, failures, due, why) VALUES (?, ?, ?, ?)",
                arguments: [sink.sink, sink.failures, sink.due, sink.why.storable])
        }
    }

    func release(sink: String) throws {
        try database.write { try $0.execute(sql: "DELETE FROM held_sink WHERE sink = ?", arguments: [sink]) }
    }

    func release(from time: Int64) throws {
        try database.change("DELETE FROM held_sink", of: "held_sink", where: "due >= ?", time)
    }
}

extension HeldSink {
    static func fetch(_ database: Database, _ sink: String) throws -> HeldSink? {
        let query = try database.cachedStatement(sql: "SELECT * FROM held_sink WHERE sink = ?")
        return try Row.fetchOne(query, arguments: [sink]).map { row in
            try HeldSink(
                sink: row.value("sink"), failures: Int(row.number("failures")), due: row.number("due"),
                why: row.value("why"))
        }
    }
}
