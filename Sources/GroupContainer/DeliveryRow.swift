internal import GRDB
internal import ShareModel

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A row of the table `delivery`.
struct DeliveryRow {
    let seq: Int64
    let id: String
    let key: String
    let sink: String
    let package: Int64
    let lead: Int
    /// The number of the object that leads its group; `nil` where that was never in.
    let object: Int64?
    let payload: String
    let outcome: DeliveryOutcome
    let why: String?
    let metadata: String?
    let attempts: Int
    let deaths: Int
    let failures: Int
    let due: Int64
    let isUnanswered: Bool
    let containment: Containment?

    private init(_ row: Row) throws {
        seq = row["seq"]
        id = row["id"]
        key = row["key"]
        sink = row["sink"]
        package = row["package"]
        lead = row["lead"]
        object = row["object"]
        payload = row["payload"]
        outcome = try CatalogJSON.word(row["outcome"])
        why = row["why"]
        metadata = row["metadata"]
        attempts = row["attempts"]
        deaths = row["deaths"]
        failures = row["failures"]
        due = row["due"]
        isUnanswered = row["unanswered"]
        containment = try (row["containment"] as String?).map(CatalogJSON.word)
    }

    /// In the order in which they were made.
    static func fetchAll(_ database: Database, package: Int64) throws -> [DeliveryRow] {
        let query = try database.cachedStatement(sql: "SELECT * FROM delivery WHERE package = ? ORDER BY seq")
        return try Row.fetchAll(query, arguments: [package]).map(DeliveryRow.init)
    }

    /// What was never tried has the time 0, and so comes first.
    static func fetchOpen(_ database: Database, sink: String, now: Int64, limit: Int) throws -> [DeliveryRow] {
        let query = try database.cachedStatement(
            sql: """
                SELECT * FROM delivery
                WHERE sink = ? AND outcome = 'pending' AND due <= ? ORDER BY due, seq LIMIT ?
                """)
        return try Row.fetchAll(query, arguments: [sink, now, limit]).map(DeliveryRow.init)
    }

    /// Inserts an open delivery, or a duplicate where the same content has gone, or is going, to the same sink.
    ///
    /// - Parameter object: the number of the object that leads the group.
    static func insert(_ database: Database, _ proposal: DeliveryProposal, package: Int64, object: Int64?) throws
        -> DeliveryRecord
    {
        let earlier = try database.number(
            """
            SELECT seq FROM delivery
            WHERE object IS ? AND sink = ? AND key = ? AND outcome IN ('delivered', 'pending') LIMIT 1
            """, object, proposal.sink, proposal.key
        ).flatMap { seq in
            let query = try database.cachedStatement(sql: "SELECT id FROM delivery WHERE seq = ?")
            return try String.fetchOne(query, arguments: [seq])
        }
        let record = DeliveryRecord(
            id: proposal.id, sink: proposal.sink, outcome: earlier == nil ? .pending : .duplicate,
            why: earlier.map(why(duplicateOf:)))
        try database.run(
            """
            INSERT INTO delivery (id, key, sink, package, lead, object, payload, outcome, why)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, record.id, proposal.key, record.sink, package, proposal.lead, object, proposal.payload,
            record.outcome.rawValue, record.why)
        return record
    }

    /// The delivery in the receipt of the same package again: what is open or went wrong is told as it is.
    func repeated(_ database: Database, isOfThisRun: Bool) throws -> DeliveryRecord {
        var record = try record(database)
        switch record.outcome {
        case .failed, .quarantined: break
        case .pending where !isOfThisRun: break
        case .pending, .delivered, .declined, .duplicate:
            record.outcome = .duplicate
            record.due = nil
            record.why = "made for the same package before"
        }
        return record
    }

    /// The reason of a duplicate: the delivery that it is one of.
    static func why(duplicateOf id: String) -> String { "the same content goes there as delivery \(id.prefix(12))" }

    func record(_ database: Database) throws -> DeliveryRecord {
        let query = try database.cachedStatement(
            sql: """
                SELECT role, name, type, sha256, size FROM product JOIN object ON object.seq = product.object
                WHERE delivery = ? ORDER BY place
                """)
        let products = try Row.fetchAll(query, arguments: [seq]).map { row in
            DeliveryRecord.Product(
                role: row["role"], name: row["name"], type: MediaType(row["type"] as String) ?? .unknown,
                sha256: try Digest(blob: row["sha256"]), size: row["size"])
        }
        let held = outcome == .pending ? try HeldSink.fetch(database, sink) : nil
        return DeliveryRecord(
            id: id, sink: sink, outcome: outcome, why: why ?? held?.why, attempts: attempts,
            due: outcome == .pending ? Self.text(max(due, held?.due ?? 0)) : nil, containment: containment,
            metadata: try metadata.map { try CatalogJSON.decode(JSONValue.self, $0) },
            products: products)
    }

    /// A time in milliseconds since 1970 as ISO 8601, to the next second; `nil` for 0.
    private static func text(_ milliseconds: Int64) -> String? {
        guard milliseconds > 0 else { return nil }
        return Date(timeIntervalSince1970: Double((milliseconds + 999) / 1_000)).formatted(.iso8601)
    }
}
