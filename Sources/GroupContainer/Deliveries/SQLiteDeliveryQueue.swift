internal import SQLite
internal import ShareModel

/// The queue of deliveries in the catalog's file.
struct SQLiteDeliveryQueue: DeliveryQueue {
    let database: CatalogDatabase

    func openSinks(of packages: [String], now: Int64) throws -> Set<String> {
        try database.read { database in
            let query = try database.cachedStatement(
                sql: """
                    SELECT DISTINCT sink FROM delivery
                    WHERE seq IN (SELECT coalesce(leader, seq) FROM delivery WHERE package = ?)
                    AND outcome = 'pending' AND due <= ?
                    """)
            return try packages.reduce(into: []) { sinks, id in
                guard let package = try PackageRow.fetch(database, id: id) else { return }
                try sinks.formUnion(String.fetchAll(query, arguments: [package.seq, now]))
            }
        }
    }

    func newest() throws -> Int64 {
        try database.read { try Int64.fetchOne($0, sql: "SELECT max(seq) FROM delivery") ?? 0 }
    }

    func claim(sink: String, owner: ClaimOwner, now: Int64, limit: Int, as login: AccountUser?) throws
        -> [ClaimedDelivery]
    {
        // A read first: if nothing is due, this does not wait for another process that writes. The receipts may be
        // large, so no writer waits while they are read.
        let due = try database.read { try Self.due($0, sink, now, limit, login) }
        guard !due.isEmpty else { return [] }
        return try database.write { database in
            let update = try database.cachedStatement(
                sql: """
                    UPDATE delivery SET attempts = \(Row.sound("attempts")) + 1, unanswered = 1, owner = ?9,
                        fence = \(Row.sound("fence")) + 1, account = iif(user IS NULL, ?6, account),
                        user = coalesce(user, ?7)
                    WHERE seq = ?2 AND id = ?5 AND \(Row.sound("fence")) = ?1 AND outcome = 'pending' AND due <= ?8
                        AND \(DeliveryRow.mayUseLogin)
                    """)
            return try due.compactMap { row, receiptText in
                try update.execute(arguments: [
                    row.fence, row.seq, login?.account.description, login?.user, row.id, login?.account.description,
                    login?.user, now, owner.id,
                ])
                // The delivery may have ended, or been removed, since the read.
                guard database.changesCount > 0 else { return nil }
                return ClaimedDelivery(
                    seq: row.seq, id: row.id, key: row.key, sink: row.sink, lead: row.lead,
                    attempt: row.attempts + 1, deaths: row.deaths, failures: row.failures, due: row.due,
                    isUncertain: row.isUnanswered, payload: row.payload, login: row.login ?? login,
                    package: row.package, fence: row.fence + 1, receiptText: receiptText)
            }
        }
    }

    /// The due deliveries of a sink, with the receipts of their packages.
    private static func due(
        _ database: Database, _ sink: String, _ now: Int64, _ limit: Int, _ login: AccountUser?
    ) throws -> [(row: DeliveryRow, receiptText: String)] {
        // A package may have many deliveries, and its receipt is read once for all of them.
        var texts: [Int64: String] = [:]
        return try DeliveryRow.fetchOpen(database, sink: sink, now: now, limit: limit, login: login).map { row in
            let text = try texts[row.package] ?? PackageRow.receiptText(database, seq: row.package)
            texts[row.package] = text
            return (row, text)
        }
    }

    func putBack(_ deliveries: [ClaimedDelivery]) throws {
        guard !deliveries.isEmpty else { return }
        try database.write { database in
            // The fencing number stays: it must never be used twice.
            for delivery in deliveries {
                try database.execute(
                    sql: """
                        UPDATE delivery SET attempts = ?, unanswered = ?, failures = ?, owner = NULL
                        WHERE \(Self.claimed)
                        """,
                    arguments: [
                        delivery.attempt - 1, delivery.isUncertain, delivery.failures, delivery.seq, delivery.id,
                        delivery.fence,
                    ])
            }
        }
    }

    /// SQL for a delivery whose claim still holds: its number, its identifier and the fencing number of its claim. A
    /// process that was stopped and continued has an older number, and changes nothing.
    private static let claimed = "seq = ? AND id = ? AND fence = ? AND owner IS NOT NULL"

    func record(_ number: Int64) throws -> DeliveryRecord? {
        try database.read { try DeliveryRow.fetch($0, seq: number)?.record($0) }
    }

    func makeDue(from time: Int64, now: Int64) throws {
        try database.change(
            "UPDATE delivery SET due = \(now)", of: "delivery", where: "outcome = 'pending' AND due >= ?", time)
    }

    func makeDue(_ numbers: [Int64], now: Int64) throws {
        try database.write { database in
            for number in numbers {
                try database.run(
                    "UPDATE delivery SET due = ? WHERE seq = ? AND outcome = 'pending' AND due > ?", now, number, now)
            }
        }
    }

    func open() throws -> [OpenDeliveries] {
        try database.read { database in
            // With a single `min`, SQLite takes `why` from the row that has the minimum.
            try Row.fetchAll(
                database,
                sql: """
                    SELECT sink, count(*) AS count, min(due) AS due, why, account, user FROM delivery
                    WHERE outcome = 'pending' GROUP BY sink, account, user ORDER BY sink, account, user
                    """
            ).map { row in
                var open = try OpenDeliveries(
                    sink: row.value("sink"), count: row.value("count"), due: row.value("due"), why: row.value("why"))
                open.login = try DeliveryRow.login(row)
                return open
            }
        }
    }

    func complete(_ endings: [DeliveryEnding]) throws -> [DeliveryCompletion] {
        var completions: [DeliveryCompletion] = []
        while completions.count < endings.count {
            let rest = endings[completions.count...]
            do {
                completions += try database.write { try completeFirst(of: rest, $0) }
            } catch {
                guard !completions.isEmpty else { throw error }
                throw PartialCompletion(completions: completions, cause: error)
            }
        }
        return completions
    }

    /// The work of one transaction in bytes, above which it takes no further ending. Any other writer waits for its end.
    /// The slowest part is the full-text index, which takes a few MiB a second on a slow machine.
    static let transactionBytes = 1 << 20
    /// The work for a row, in bytes of that measure.
    private static let rowBytes = 512

    /// Records the first of these endings in the caller's transaction: at least one, and as many as the limit allows.
    private func completeFirst(of endings: ArraySlice<DeliveryEnding>, _ database: Database) throws
        -> [DeliveryCompletion]
    {
        var completions: [DeliveryCompletion] = []
        var work = 0
        for ending in endings where work < Self.transactionBytes {
            let metadata = try ending.record.metadata.map(CatalogJSON.encode)
            let completion = try complete(ending, metadata, database)
            completions.append(completion)
            work += (metadata?.utf8.count ?? 0) + (2 + ending.record.products.count) * Self.rowBytes
        }
        return completions
    }

    private func complete(_ ending: DeliveryEnding, _ metadata: String?, _ database: Database) throws
        -> DeliveryCompletion
    {
        let record = ending.record
        let update = try database.cachedStatement(
            sql: """
                UPDATE delivery SET outcome = ?, why = ?, metadata = iif(?, ?, metadata), attempts = ?, deaths = ?,
                    failures = ?, due = ?, containment = ?, version = coalesce(?, version), unanswered = 0, owner = NULL
                WHERE \(Self.claimed)
                """)
        let seq = ending.seq
        try update.execute(
            arguments: [
                record.outcome.rawValue, record.why?.storable, ending.isAnswer, metadata, record.attempts,
                ending.deaths, ending.failures, ending.due, record.containment?.rawValue,
                ending.version?.storable, seq, record.id, ending.fence,
            ])
        guard database.changesCount > 0 else {
            // Either the package was forgotten meanwhile, or another process has claimed the delivery.
            let query = "SELECT 1 FROM delivery WHERE seq = ? AND id = ?"
            return try Bool.fetchOne(database, sql: query, arguments: [seq, record.id]) == nil ? .gone : .stale
        }
        if ending.isAnswer {
            // A collection removes the objects of the earlier products later.
            try database.run("DELETE FROM product WHERE delivery = ?", seq)
            try DeliveryRow.insert(database, record.products, delivery: seq)
        }
        try ChangeRow.insert(database, kind: "delivery", subject: record.id, row: seq)
        return .recorded
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
