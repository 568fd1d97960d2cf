internal import GRDB
internal import ShareModel

extension SQLiteDeliveryQueue: BackfillQueue {
    /// SQL for a package with content that nothing has replaced.
    private static let isCurrent = "outcome IN ('accepted', 'partial') AND superseded_by IS NULL"

    func currentPackages() throws -> [Int64] {
        try database.read {
            try Int64.fetchAll($0, sql: "SELECT seq FROM package WHERE \(Self.isCurrent) ORDER BY seq")
        }
    }

    func receipts(ofCurrent packages: [Int64]) throws -> [BackfillPackage] {
        let numbers = try CatalogJSON.encode(packages)
        return try database.read { database in
            let query = try database.cachedStatement(
                sql: """
                    SELECT seq, receipt FROM package
                    WHERE seq IN (SELECT value FROM json_each(?)) AND \(Self.isCurrent) ORDER BY seq
                    """)
            return try Row.fetchAll(query, arguments: [numbers]).map { row in
                // Of a damaged one, the caller finds out when it decodes the text.
                BackfillPackage(number: try row.value("seq"), receiptText: row.readable("receipt") ?? "")
            }
        }
    }

    func open(_ deliveries: [BackfillDelivery], version: String, isTrial: Bool) throws -> BackfillCount {
        let body = { (database: Database) in
            let backfill = Backfill(database: database, version: version.storable, isTrial: isTrial)
            return try deliveries.reduce(into: BackfillCount()) { try backfill.open($1, &$0) }
        }
        return try isTrial ? database.read(body) : database.write(body)
    }
}

/// A backfill inside of the caller's transaction.
private struct Backfill {
    let database: Database
    let version: String
    let isTrial: Bool

    /// The delivery that stands for a proposal: its own, or the one that it follows.
    private struct Standing {
        let seq: Int64
        let id: String
        let isOpen: Bool
        let version: String?

        init(_ row: Row) throws {
            seq = try row.value("seq")
            id = try row.value("id")
            isOpen = try row.value("outcome") == DeliveryOutcome.pending.rawValue
            version = try row.value("version")
        }
    }

    func open(_ delivery: BackfillDelivery, _ count: inout BackfillCount) throws {
        if let own = try standing(of: delivery) { return try open(own, &count) }
        guard let object = try object(of: delivery) else { return }
        let leader = try standing(like: delivery.proposal, object)
        try add(delivery, object, following: leader)
        if let leader { try open(leader, &count) } else { count.added += 1 }
    }

    private func open(_ standing: Standing, _ count: inout BackfillCount) throws {
        if standing.isOpen {
            count.open += 1
        } else if standing.version == version {
            count.done += 1
        } else {
            count.again += 1
            guard !isTrial else { return }
            try database.run("UPDATE delivery SET \(SQLiteDeliveryQueue.reopening) WHERE seq = ?", standing.seq)
            try ChangeRow.insert(database, kind: "delivery", subject: standing.id, row: standing.seq)
        }
    }

    /// The package's own delivery, or the one that it follows.
    private func standing(of delivery: BackfillDelivery) throws -> Standing? {
        let query = try database.cachedStatement(
            sql: """
                SELECT seq, id, outcome, version FROM delivery WHERE seq = (
                    SELECT coalesce(leader, seq) FROM delivery WHERE package = ? AND id = ?)
                """)
        return try Row.fetchOne(query, arguments: [delivery.package, delivery.proposal.id]).map(Standing.init)
    }

    /// The delivery of another package that brings the same content to the sink.
    private func standing(like proposal: DeliveryProposal, _ object: Int64) throws -> Standing? {
        let query = try database.cachedStatement(
            sql: """
                SELECT seq, id, outcome, version FROM delivery
                WHERE object = ? AND sink = ? AND key = ? AND outcome IN ('delivered', 'pending') AND leader IS NULL LIMIT 1
                """)
        return try Row.fetchOne(query, arguments: [object, proposal.sink, proposal.key]).map(Standing.init)
    }

    /// The number of the object that leads the group; `nil` if the package was forgotten.
    private func object(of delivery: BackfillDelivery) throws -> Int64? {
        let query = try database.cachedStatement(
            sql: "SELECT object FROM provider WHERE package = ? AND place = ? AND object IS NOT NULL")
        return try Int64.fetchOne(query, arguments: [delivery.package, delivery.proposal.lead])
    }

    private func add(_ delivery: BackfillDelivery, _ object: Int64, following leader: Standing?) throws {
        guard !isTrial else { return }
        let query = try database.cachedStatement(
            sql: "SELECT payload FROM delivery WHERE package = ? AND lead = ? LIMIT 1")
        var proposal = delivery.proposal
        let payload = try String.fetchOne(query, arguments: [delivery.package, proposal.lead])
        proposal.payload = payload ?? proposal.payload
        let decision = DeliveryDecision(proposal, duplicateOf: leader?.id)
        let seq = try DeliveryRow.insert(
            database, decision, package: delivery.package, object: object, leader: leader?.seq)
        try ChangeRow.insert(database, kind: "delivery", subject: proposal.id, row: seq)
    }
}
