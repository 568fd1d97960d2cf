internal import GRDB

extension HeldSink {
    static func fetch(_ database: Database, _ sink: String) throws -> HeldSink? {
        let query = try database.cachedStatement(sql: "SELECT * FROM held_sink WHERE sink = ?")
        return try Row.fetchOne(query, arguments: [sink]).map { row in
            HeldSink(sink: row["sink"], failures: row["failures"], due: row["due"], why: row["why"])
        }
    }

    static func remove(_ database: Database, _ sink: String) throws {
        try database.execute(sql: "DELETE FROM held_sink WHERE sink = ?", arguments: [sink])
    }
}
