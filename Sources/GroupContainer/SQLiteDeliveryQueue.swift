internal import GRDB
internal import ShareModel

/// The deliveries of the catalog's file, as a queue.
struct SQLiteDeliveryQueue: DeliveryQueue {
    let database: CatalogDatabase

    func isOpen(anyOf packages: [String], now: Int64) throws -> Bool {
        try database.read { database in
            let query = try database.cachedStatement(
                sql: """
                    SELECT 1 FROM delivery LEFT JOIN held_sink ON held_sink.sink = delivery.sink
                    WHERE package = ? AND outcome = 'pending' AND max(delivery.due, coalesce(held_sink.due, 0)) <= ?
                    """)
            return try packages.contains { id in
                guard let package = try PackageRow.fetch(database, id: id) else { return false }
                return try Bool.fetchOne(query, arguments: [package.seq, now]) ?? false
            }
        }
    }

    func newest() throws -> Int64 {
        try database.read { try Int64.fetchOne($0, sql: "SELECT max(seq) FROM delivery") ?? 0 }
    }

    func claim(sink: String, now: Int64, limit: Int) throws -> [ClaimedDelivery] {
        // Looked at first, and not held up by whoever writes just now.
        guard try database.read({ try Self.isDue($0, sink, now) }) else { return [] }
        return try database.write { database in
            let held = try HeldSink.fetch(database, sink)
            if let held, held.due > now { return [] }
            let isOnTrial = held.map { $0.failures > 0 } ?? false
            if let held, held.failures == 0 { try HeldSink.remove(database, held.sink) }
            let rows = try DeliveryRow.fetchOpen(database, sink: sink, now: now, limit: isOnTrial ? 1 : limit)
            let update = try database.cachedStatement(
                sql: "UPDATE delivery SET attempts = attempts + 1, unanswered = 1 WHERE seq = ?")
            var texts: [Int64: String] = [:]
            // One text for all deliveries of a package, which may be many.
            let receiptText = { (package: Int64) in
                if let text = texts[package] { return text }
                let text = try PackageRow.receiptText(database, seq: package)
                texts[package] = text
                return text
            }
            return try rows.map { row in
                try update.execute(arguments: [row.seq])
                return ClaimedDelivery(
                    seq: row.seq, id: row.id, key: row.key, sink: row.sink, lead: row.lead,
                    attempt: row.attempts + 1, deaths: row.deaths, failures: row.failures, due: row.due,
                    isUncertain: row.isUnanswered, troubles: held?.failures ?? 0, payload: row.payload,
                    package: row.package, receiptText: try receiptText(row.package))
            }
        }
    }

    private static func isDue(_ database: Database, _ sink: String, _ now: Int64) throws -> Bool {
        let query = try database.cachedStatement(
            sql: "SELECT 1 FROM delivery WHERE sink = ? AND outcome = 'pending' AND due <= ? LIMIT 1")
        return try Bool.fetchOne(query, arguments: [sink, now]) ?? false
    }

    func putBack(_ deliveries: [ClaimedDelivery]) throws {
        guard !deliveries.isEmpty else { return }
        try database.write { database in
            for delivery in deliveries {
                try database.execute(
                    sql: "UPDATE delivery SET attempts = ?, unanswered = ? WHERE seq = ?",
                    arguments: [delivery.attempt - 1, delivery.isUncertain, delivery.seq])
            }
        }
    }

    func hold(_ sink: HeldSink) throws {
        try database.write { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO held_sink (sink, failures, due, why) VALUES (?, ?, ?, ?)",
                arguments: [sink.sink, sink.failures, sink.due, sink.why])
        }
    }

    func release(sink: String) throws {
        try database.write { try HeldSink.remove($0, sink) }
    }

    func hurry() throws {
        try database.write { database in
            try database.execute(sql: "UPDATE delivery SET due = 0 WHERE outcome = 'pending' AND due > 0")
            try database.execute(sql: "DELETE FROM held_sink")
        }
    }

    func open() throws -> [OpenDeliveries] {
        try database.read { database in
            // SQLite takes a bare column of the row that has the minimum.
            try Row.fetchAll(
                database,
                sql: """
                    SELECT sink, count(*) AS count, min(due) AS due, why FROM delivery
                    WHERE outcome = 'pending' GROUP BY sink ORDER BY sink
                    """
            ).map { row in
                let held = try HeldSink.fetch(database, row["sink"])
                return OpenDeliveries(
                    sink: row["sink"], count: row["count"], due: max(row["due"], held?.due ?? 0),
                    why: held?.why ?? row["why"])
            }
        }
    }

    func complete(_ endings: [DeliveryEnding]) throws {
        guard !endings.isEmpty else { return }
        try database.write { database in
            let known = try endings.filter { try complete($0, database) }
            for ending in known.sorted(by: { $0.seq < $1.seq }) {
                try WordsRow.add(database, ending.record, text: ending.text, delivery: ending.seq)
            }
        }
    }

    /// Whether there still is such a delivery: its package may be forgotten, and with it whatever the sink made of it.
    private func complete(_ ending: DeliveryEnding, _ database: Database) throws -> Bool {
        let record = ending.record
        let update = try database.cachedStatement(
            sql: """
                UPDATE delivery SET outcome = ?, why = ?, metadata = ?, attempts = ?, deaths = ?, failures = ?,
                    due = ?, containment = ?, unanswered = 0
                WHERE seq = ? AND id = ?
                """)
        let seq = ending.seq
        try update.execute(
            arguments: [
                record.outcome.rawValue, record.why, try record.metadata.map(CatalogJSON.encode), record.attempts,
                ending.deaths, ending.failures, ending.due, record.containment?.rawValue, seq,
                record.id,
            ])
        guard database.changesCount > 0 else { return false }
        try database.execute(sql: "DELETE FROM product WHERE delivery = ?", arguments: [seq])
        for (place, product) in record.products.enumerated() {
            try insert(product, place: place, delivery: seq, database)
        }
        try ChangeRow.insert(database, kind: "delivery", subject: record.id, row: seq)
        return true
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

    func attemptAgain(_ deliveries: [ClaimedDelivery]) throws -> [ClaimedDelivery] {
        try database.write { database in
            try deliveries.map { delivery in
                var delivery = delivery
                delivery.attempt += 1
                delivery.isUncertain = true
                try database.execute(
                    sql: "UPDATE delivery SET attempts = ?, deaths = ? WHERE seq = ?",
                    arguments: [delivery.attempt, delivery.deaths, delivery.seq])
                return delivery
            }
        }
    }
}
