internal import GRDB
internal import ShareModel

extension SQLiteDeliveryQueue {
    /// What a person's name for deliveries stands for.
    private struct Target {
        let name: String
        /// Which deliveries; with the value for its only argument.
        let condition: String
        let value: DatabaseValue
        /// Which of them are tried again.
        var retried = """
            (outcome IN ('failed', 'quarantined', 'declined')
                OR outcome = 'delivered' AND seq IN (\(LostObjects.deliveries)))
            """

        func has(_ which: String, _ database: Database) throws -> Bool {
            try Bool.fetchOne(
                database, sql: "SELECT 1 FROM delivery WHERE \(condition) AND \(which) LIMIT 1", arguments: [value])
                ?? false
        }
    }

    func reopen(_ names: [String]) throws {
        // Looked for first, and holding up nobody: the beginning of a delivery's identifier is in no index.
        let targets = try database.read { database in try names.map { try Self.find($0, database) } }
        try database.write { database in
            for target in targets {
                let reopened = try Row.fetchAll(
                    database,
                    sql: """
                        UPDATE delivery SET outcome = 'pending', why = NULL, deaths = 0, failures = 0, due = 0,
                            owner = NULL
                        WHERE \(target.condition) AND \(target.retried) RETURNING id, seq
                        """, arguments: [target.value])
                for row in reopened {
                    try ChangeRow.insert(database, kind: "delivery", subject: row["id"], row: row["seq"])
                }
                guard try reopened.isEmpty && !target.has("outcome = 'pending'", database) else { continue }
                throw ContainerError(
                    .notFound, "nothing of \(target.name) failed, is lost or is open; there is nothing to try again")
            }
        }
    }

    /// All deliveries of the sink of that name, where it has any to try; else the one delivery, or all those of the one
    /// package, whose identifier begins so.
    private static func find(_ name: String, _ database: Database) throws -> Target {
        let sink = Target(
            name: name, condition: "sink = ?", value: name.databaseValue,
            retried: "outcome IN ('failed', 'quarantined')")
        if try sink.has(sink.retried, database) || sink.has("outcome = 'pending'", database) { return sink }
        let packages = try IdentifierSearch.packages(database, "seq", beginning: name)
        let deliveries = try IdentifierSearch.deliveries(database, "seq", beginning: name)
        guard let row = packages.first ?? deliveries.first else {
            throw ContainerError(
                .notFound,
                "no delivery or package begins with '\(name)', and no sink of that name has any to try",
                remedy: .listDeliveries)
        }
        guard packages.count + deliveries.count == 1 else {
            throw ContainerError(.notFound, "more than one identifier begins with '\(name)'; write more of it")
        }
        return Target(name: name, condition: packages.isEmpty ? "seq = ?" : "package = ?", value: row["seq"])
    }
}
