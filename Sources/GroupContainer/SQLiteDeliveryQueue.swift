internal import GRDB
internal import ShareModel

/// The deliveries of the catalog's file, as a queue.
struct SQLiteDeliveryQueue: DeliveryQueue {
    let database: CatalogDatabase

    func openSinks(run: String) throws -> [String] {
        try database.read { database in
            try String.fetchAll(
                database, sql: "SELECT DISTINCT sink FROM delivery WHERE outcome = 'pending' AND run IS NOT ?",
                arguments: [run])
        }
    }

    func isOpen(anyOf ids: [String]) throws -> Bool {
        try database.read { database in
            let query = try database.cachedStatement(
                sql: "SELECT 1 FROM delivery WHERE id = ? AND outcome = 'pending'")
            return try ids.contains { try Bool.fetchOne(query, arguments: [$0]) ?? false }
        }
    }

    func claim(sink: String, run: String, limit: Int) throws -> [ClaimedDelivery] {
        try database.write { database in
            let rows = try DeliveryRow.fetchOpen(database, sink: sink, run: run, limit: limit)
            let update = try database.cachedStatement(
                sql: "UPDATE delivery SET attempts = attempts + 1, run = ? WHERE seq = ?")
            return try rows.map { row in
                try update.execute(arguments: [run, row.seq])
                return ClaimedDelivery(
                    id: row.id, key: row.key, sink: row.sink, lead: row.lead, attempt: row.attempts + 1,
                    deaths: row.deaths, payload: row.payload,
                    receiptText: try PackageRow.receiptText(database, seq: row.package))
            }
        }
    }

    func complete(_ endings: [DeliveryEnding]) throws {
        guard !endings.isEmpty else { return }
        try database.write { database in
            for ending in endings { try complete(ending, database) }
        }
    }

    private func complete(_ ending: DeliveryEnding, _ database: Database) throws {
        let record = ending.record
        let update = try database.cachedStatement(
            sql: """
                UPDATE delivery SET outcome = ?, why = ?, metadata = ?, attempts = ?, deaths = ? WHERE id = ?
                RETURNING seq
                """)
        let seq = try Int64.fetchOne(
            update,
            arguments: [
                record.outcome.rawValue, record.why, try record.metadata.map(CatalogJSON.encode), record.attempts,
                ending.deaths, record.id,
            ])
        // Its package was forgotten meanwhile, and with it whatever the sink has made of it.
        guard let seq else { return }
        try database.execute(sql: "DELETE FROM product WHERE delivery = ?", arguments: [seq])
        for (place, product) in record.products.enumerated() {
            try insert(product, place: place, delivery: seq, database)
        }
        try WordsRow.add(database, record, text: ending.text, delivery: seq)
        try ChangeRow.insert(database, kind: "delivery", subject: record.id)
    }

    private func insert(_ product: DeliveryRecord.Product, place: Int, delivery: Int64, _ database: Database) throws {
        let object = try ObjectRow.insert(database, product.sha256, product.size).seq
        try LostObjects.heal(database, product.sha256)
        try database.execute(
            sql: "INSERT INTO product (delivery, place, role, name, type, object) VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [
                delivery, place, product.role, product.name, product.type.description, object,
            ])
    }

    func reopen(_ prefixes: [String]) throws {
        try database.write { database in
            for prefix in prefixes {
                let (column, seq) = try find(prefix, database)
                let reopened = try String.fetchAll(
                    database,
                    sql: """
                        UPDATE delivery SET outcome = 'pending', why = NULL, deaths = 0, run = NULL
                        WHERE \(column) = ? AND (outcome IN ('failed', 'quarantined', 'declined')
                            OR outcome = 'delivered' AND seq IN (\(LostObjects.deliveries))) RETURNING id
                        """, arguments: [seq])
                for id in reopened { try ChangeRow.insert(database, kind: "delivery", subject: id) }
                guard reopened.isEmpty else { continue }
                let open = try Int.fetchOne(
                    database, sql: "SELECT count(*) FROM delivery WHERE \(column) = ? AND outcome = 'pending'",
                    arguments: [seq])
                guard open == 0 else { continue }
                throw ContainerError(
                    .notFound, "nothing of \(prefix) failed, is lost or is open; there is nothing to try again")
            }
        }
    }

    /// The one delivery, or all those of the one package, whose identifier begins so.
    private func find(_ prefix: String, _ database: Database) throws -> (column: String, seq: Int64) {
        for (table, column) in [("delivery", "seq"), ("package", "package")] where !prefix.isEmpty {
            let found = try Int64.fetchAll(
                database, sql: "SELECT seq FROM \(table) WHERE id >= ? AND id < ? LIMIT 2",
                arguments: [prefix, prefix + "~"])
            if let seq = found.first, found.count == 1 { return (column, seq) }
            guard found.isEmpty else {
                throw ContainerError(.notFound, "more than one \(table) begins with '\(prefix)'; write more of it")
            }
        }
        throw ContainerError(.notFound, "no delivery or package begins with '\(prefix)'; `sluice list` names them")
    }

    func attemptAgain(_ delivery: ClaimedDelivery) throws -> ClaimedDelivery {
        var delivery = delivery
        delivery.attempt += 1
        try database.write { [delivery] database in
            try database.execute(
                sql: "UPDATE delivery SET attempts = ?, deaths = ? WHERE id = ?",
                arguments: [delivery.attempt, delivery.deaths, delivery.id])
        }
        return delivery
    }
}
