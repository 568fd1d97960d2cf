package import SQLite
internal import ShareModel

/// A row of the table `change`, which is the numbered feed of committed changes. No row is ever removed, so the numbers
/// have no gaps.
package enum ChangeRow {
    /// Adds a change to the transaction.
    ///
    /// - Parameters:
    ///   - kind: one of the words of ``ChangeEntry/kind``.
    ///   - row: the number of the subject's row; `nil` if that row no longer exists.
    package static func insert(_ database: Database, kind: String, subject: String, row: Int64?) throws {
        try database.run("INSERT INTO change (kind, subject, row) VALUES (?, ?, ?)", kind, subject, row)
    }

    /// The number of the last change; 0 if there is none.
    package static func last(_ database: Database) throws -> Int64 {
        let query = try database.cachedStatement(sql: "SELECT max(seq) FROM change")
        return try Int64.fetchOne(query) ?? 0
    }

    /// At most `limit` changes after a number, in order, with the present outcome of their subjects.
    static func fetch(_ database: Database, epoch: String, after number: Int64, limit: Int) throws -> [ChangeEntry] {
        // Left joins: a change stays in the feed after its package was forgotten, with only its identifier.
        let query = try database.cachedStatement(
            sql: """
                SELECT change.seq, change.kind, change.subject, delivery.sink, owner.id AS package,
                       coalesce(nullif(leader.outcome, 'delivered'), delivery.outcome, package.outcome) AS outcome
                FROM change
                    LEFT JOIN delivery ON change.kind = 'delivery' AND delivery.seq = change.row
                    LEFT JOIN delivery AS leader ON leader.seq = delivery.leader
                    LEFT JOIN package AS owner ON owner.seq = delivery.package
                    LEFT JOIN package ON change.kind <> 'delivery' AND package.seq = change.row
                WHERE change.seq > ? ORDER BY change.seq LIMIT ?
                """)
        return try Row.fetchAll(query, arguments: [number, limit]).map { row in
            let number: Int64 = try row.value("seq")
            return try ChangeEntry(
                cursor: ChangeCursor(epoch: epoch, number: number).description, number: number,
                kind: row.value("kind"), id: row.value("subject"), package: row.value("package"),
                sink: row.value("sink"), outcome: row.value("outcome"))
        }
    }
}
