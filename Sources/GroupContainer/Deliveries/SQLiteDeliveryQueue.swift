internal import GRDB
internal import ShareModel

/// The queue of deliveries in the catalog's file.
struct SQLiteDeliveryQueue: DeliveryQueue {
    let database: CatalogDatabase

    func openSinks(of packages: [String], now: Int64) throws -> Set<String> {
        try database.read { database in
            let query = try database.cachedStatement(
                sql: "SELECT DISTINCT sink FROM delivery WHERE package = ? AND outcome = 'pending' AND due <= ?")
            return try packages.reduce(into: []) { sinks, id in
                guard let package = try PackageRow.fetch(database, id: id) else { return }
                try sinks.formUnion(String.fetchAll(query, arguments: [package.seq, now]))
            }
        }
    }

    func newest() throws -> Int64 {
        try database.read { try Int64.fetchOne($0, sql: "SELECT max(seq) FROM delivery") ?? 0 }
    }

    func claim(sink: String, owner: ClaimOwner, now: Int64, limit: Int) throws -> [ClaimedDelivery] {
        // A read first: if nothing is due, this does not wait for another process that writes.
        guard try database.read({ try Self.isDue($0, sink, now) }) else { return [] }
        return try database.write { database in
            let rows = try DeliveryRow.fetchOpen(database, sink: sink, now: now, limit: limit)
            let update = try database.cachedStatement(
                sql: """
                    UPDATE delivery SET attempts = attempts + 1, unanswered = 1, owner = ?, fence = fence + 1 WHERE seq = ?
                    """)
            var texts: [Int64: String] = [:]
            // A package may have many deliveries, and its receipt is read once for all of them.
            let receiptText = { (package: Int64) in
                if let text = texts[package] { return text }
                let text = try PackageRow.receiptText(database, seq: package)
                texts[package] = text
                return text
            }
            return try rows.map { row in
                try update.execute(arguments: [owner.id, row.seq])
                return ClaimedDelivery(
                    seq: row.seq, id: row.id, key: row.key, sink: row.sink, lead: row.lead,
                    attempt: row.attempts + 1, deaths: row.deaths, failures: row.failures, due: row.due,
                    isUncertain: row.isUnanswered, payload: row.payload,
                    package: row.package, fence: row.fence + 1, receiptText: try receiptText(row.package))
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
            // The fencing number stays: it must never be used twice.
            for delivery in deliveries {
                try database.execute(
                    sql: "UPDATE delivery SET attempts = ?, unanswered = ?, owner = NULL WHERE \(Self.claimed)",
                    arguments: [delivery.attempt - 1, delivery.isUncertain, delivery.seq, delivery.id, delivery.fence])
            }
        }
    }

    /// SQL for a delivery whose claim still holds: its number, its identifier and the fencing number of its claim. A
    /// process that was stopped and continued has an older number, and changes nothing.
    private static let claimed = "seq = ? AND id = ? AND fence = ? AND owner IS NOT NULL"

    func record(_ number: Int64) throws -> DeliveryRecord? {
        try database.read { try DeliveryRow.fetch($0, seq: number)?.record($0) }
    }

    func hurry(from time: Int64) throws {
        let condition = "outcome = 'pending' AND due > 0 AND due >= ?"
        // A read first: usually there is none, and then this does not wait for another process that writes.
        let isAny = try database.read {
            try Bool.fetchOne($0, sql: "SELECT 1 FROM delivery WHERE \(condition) LIMIT 1", arguments: [time])
        }
        guard isAny != nil else { return }
        try database.write {
            try $0.execute(sql: "UPDATE delivery SET due = 0 WHERE \(condition)", arguments: [time])
        }
    }

    func open() throws -> [OpenDeliveries] {
        try database.read { database in
            // With a single `min`, SQLite takes `why` from the row that has the minimum.
            try Row.fetchAll(
                database,
                sql: """
                    SELECT sink, count(*) AS count, min(due) AS due, why FROM delivery
                    WHERE outcome = 'pending' GROUP BY sink ORDER BY sink
                    """
            ).map { OpenDeliveries(sink: $0["sink"], count: $0["count"], due: $0["due"], why: $0["why"]) }
        }
    }

    func complete(_ endings: [DeliveryEnding]) throws -> [DeliveryCompletion] {
        guard !endings.isEmpty else { return [] }
        return try database.write { database in
            let completions = try endings.map { try complete($0, database) }
            let recorded = zip(endings, completions).filter { $0.1 == .recorded }.map(\.0)
            // Last, and in the order of numbers: see `WordsRow`.
            for ending in recorded.sorted(by: { $0.seq < $1.seq }) {
                try WordsRow.add(database, ending.record, text: ending.text, delivery: ending.seq)
            }
            return completions
        }
    }

    private func complete(_ ending: DeliveryEnding, _ database: Database) throws -> DeliveryCompletion {
        let record = ending.record
        let update = try database.cachedStatement(
            sql: """
                UPDATE delivery SET outcome = ?, why = ?, metadata = ?, attempts = ?, deaths = ?, failures = ?,
                    due = ?, containment = ?, unanswered = 0, owner = NULL
                WHERE \(Self.claimed)
                """)
        let seq = ending.seq
        try update.execute(
            arguments: [
                record.outcome.rawValue, record.why, try record.metadata.map(CatalogJSON.encode), record.attempts,
                ending.deaths, ending.failures, ending.due, record.containment?.rawValue, seq,
                record.id, ending.fence,
            ])
        guard database.changesCount > 0 else {
            // Either the package was forgotten meanwhile, or another process has claimed the delivery.
            let query = "SELECT 1 FROM delivery WHERE seq = ? AND id = ?"
            return try Bool.fetchOne(database, sql: query, arguments: [seq, record.id]) == nil ? .gone : .stale
        }
        // A retry replaces the products of an earlier attempt. A collection removes their objects later.
        try database.execute(sql: "DELETE FROM product WHERE delivery = ?", arguments: [seq])
        for (place, product) in record.products.enumerated() {
            try insert(product, place: place, delivery: seq, database)
        }
        try ChangeRow.insert(database, kind: "delivery", subject: record.id, row: seq)
        return .recorded
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
            try deliveries.compactMap { delivery in
                var delivery = delivery
                delivery.attempt += 1
                delivery.isUncertain = true
                try database.execute(
                    sql: "UPDATE delivery SET attempts = ?, deaths = ? WHERE \(Self.claimed)",
                    arguments: [delivery.attempt, delivery.deaths, delivery.seq, delivery.id, delivery.fence])
                return database.changesCount > 0 ? delivery : nil
            }
        }
    }
}
