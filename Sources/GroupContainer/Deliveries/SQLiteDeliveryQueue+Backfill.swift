internal import SQLite
internal import ShareModel

extension SQLiteDeliveryQueue: BackfillQueue {
    /// SQL for a package with content that nothing has replaced.
    private static let isCurrent = "outcome IN ('accepted', 'partial') AND superseded_by IS NULL"

    func currentPackages() throws -> [Int64] {
        try database.read {
            try Int64.fetchAll($0, sql: "SELECT seq FROM package WHERE \(Self.isCurrent) ORDER BY seq")
        }
    }

    package func receipt(ofCurrent package: Int64) throws -> BackfillPackage? {
        try database.read { database in
            let query = try database.cachedStatement(
                sql: "SELECT receipt FROM package WHERE seq = ? AND \(Self.isCurrent)")
            return try Row.fetchOne(query, arguments: [package]).map { row in
                // Of a damaged one, the caller finds out when it decodes the text.
                BackfillPackage(number: package, receiptText: row.readable("receipt") ?? "")
            }
        }
    }

    func open(_ deliveries: [BackfillDelivery], version: String, isTrial: Bool) throws -> BackfillCount {
        let body = { (database: Database) in
            var step = BackfillStep(database: database, version: version.storable, isTrial: isTrial)
            for delivery in deliveries { try step.open(delivery) }
            return step.count
        }
        return try isTrial ? database.read(body) : database.write(body)
    }
}

/// One transaction of a backfill.
private struct BackfillStep {
    let database: Database
    let version: String
    let isTrial: Bool
    private(set) var count = BackfillCount()
    /// The package that was looked at last. Its deliveries are read once, because no index has their identifiers.
    private var package: Package?
    /// The numbers of the deliveries that were opened, or would be.
    private var opened: Set<Int64> = []

    init(database: Database, version: String, isTrial: Bool) {
        (self.database, self.version, self.isTrial) = (database, version, isTrial)
    }

    /// The deliveries of a package.
    private struct Package {
        let number: Int64
        /// The deliveries of each content, for all persons.
        var deliveries: [Place: [PackageDelivery]] = [:]
        /// The leads and sinks of deliveries that cannot be read, as far as these can. A verification finds them.
        var unreadable: [(lead: Int64?, sink: String?)] = []
        /// The roles of the parts, by the places of the leads.
        var payloads: [Int64: String] = [:]
    }

    /// The group of a package, and the content that a sink gets.
    private struct Place: Hashable {
        let lead: Int64
        let key: String
    }

    /// A delivery of a package.
    private struct PackageDelivery {
        /// For a duplicate, the delivery that it follows.
        let made: MadeDelivery
        let isFollower: Bool
    }

    /// A delivery that follows no other one.
    private struct MadeDelivery {
        static let columns =
            """
            made.seq, made.id, made.outcome, made.version, made.why, made.object, made.sink, made.key, made.account, made.user
            """

        let seq: Int64
        let id: String
        let isOpen: Bool
        let isDismissed: Bool
        let version: String?
        let content: Content

        init(_ row: Row) throws {
            seq = try row.value("seq")
            id = try row.value("id")
            let outcome: String = try row.value("outcome")
            isOpen = outcome == DeliveryOutcome.pending.rawValue
            isDismissed =
                outcome == DeliveryOutcome.declined.rawValue
                && (row.readable("why") as String?)?.hasPrefix(SQLiteDeliveryQueue.dismissal) ?? false
            version = try row.value("version")
            content = try Content(
                object: row.value("object"), sink: row.value("sink"), key: row.value("key"),
                login: DeliveryRow.login(row))
        }
    }

    /// Content that a sink gets once for each person, whatever packages have it.
    private struct Content {
        let object: Int64?
        let sink: String
        let key: String
        let login: AccountUser?
    }

    mutating func open(_ delivery: BackfillDelivery) throws {
        let package = try deliveries(of: delivery.package)
        let proposal = delivery.proposal
        // What a person shared belongs to that person, whoever is logged in now.
        if let own = package.deliveries[Place(lead: Int64(proposal.lead), key: proposal.key)] {
            for delivery in own { try open(delivery.made, isFollowed: delivery.isFollower) }
            return
        }
        // It may be this delivery, whoever's it was.
        let isUnreadable = package.unreadable.contains {
            $0.lead ?? Int64(proposal.lead) == Int64(proposal.lead) && $0.sink ?? proposal.sink == proposal.sink
        }
        guard !isUnreadable else {
            count.done += 1
            return
        }
        guard let object = try object(of: delivery) else { return }
        let content = Content(object: object, sink: proposal.sink, key: proposal.key, login: proposal.login)
        let leader = try leader(of: content, which: "outcome IN ('delivered', 'pending')")
        try add(delivery, object, following: leader, payload: package.payloads[Int64(proposal.lead)])
        if let leader { try open(leader, isFollowed: true) } else { count.added += 1 }
    }

    /// - Parameter isFollowed: whether this is the delivery of another package, which brings the content.
    private mutating func open(_ delivery: MadeDelivery, isFollowed: Bool) throws {
        if delivery.isOpen || opened.contains(delivery.seq) {
            if isFollowed { count.done += 1 } else { count.open += 1 }
        } else if try delivery.version == version || delivery.isDismissed || hasTwin(delivery) {
            count.done += 1
        } else {
            count.again += 1
            opened.insert(delivery.seq)
            guard !isTrial else { return }
            try database.run("UPDATE delivery SET \(SQLiteDeliveryQueue.reopening) WHERE seq = ?", delivery.seq)
            try ChangeRow.insert(database, kind: "delivery", subject: delivery.id, row: delivery.seq)
        }
    }

    /// Whether another delivery brings the same content to this version of the sink, or has brought it. Two packages may have
    /// a delivery each of one content, if the first one ended without success before the second package came in.
    private func hasTwin(_ delivery: MadeDelivery) throws -> Bool {
        let twin = try leader(
            of: delivery.content,
            which: "seq <> ?6 AND (outcome = 'pending' OR outcome = 'delivered' AND version IS ?7)",
            delivery.seq.databaseValue, version.databaseValue)
        return twin != nil
    }

    /// A delivery that brings a content to its sink.
    ///
    /// - Parameters:
    ///   - condition: SQL with the arguments from `?6`.
    ///   - values: these arguments.
    private func leader(of content: Content, which condition: String, _ values: DatabaseValue...) throws
        -> MadeDelivery?
    {
        guard let object = content.object else { return nil }
        let query = try database.cachedStatement(
            sql: """
                SELECT \(MadeDelivery.columns) FROM delivery AS made
                WHERE object = ?1 AND sink = ?2 AND key = ?5 AND leader IS NULL AND \(DeliveryRow.isForLogin)
                    AND \(condition) LIMIT 1
                """)
        let login = content.login
        let arguments =
            [
                object.databaseValue, content.sink.databaseValue, login?.account.description.databaseValue ?? .null,
                login?.user.storable.databaseValue ?? .null, content.key.databaseValue,
            ] + values
        guard let row = try Row.fetchOne(query, arguments: StatementArguments(arguments)) else { return nil }
        return try ContainerError.unlessUnreadable { try MadeDelivery(row) }
    }

    private mutating func deliveries(of number: Int64) throws -> Package {
        if let package, package.number == number { return package }
        let query = try database.cachedStatement(
            sql: """
                SELECT own.sink AS own_sink, own.key AS own_key, own.lead, own.payload, own.leader IS NOT NULL AS follows,
                    \(MadeDelivery.columns)
                FROM delivery AS own JOIN delivery AS made ON made.seq = coalesce(own.leader, own.seq)
                WHERE own.package = ?
                """)
        var found = Package(number: number)
        let rows = try Row.fetchCursor(query, arguments: [number])
        while let row = try rows.next() {
            guard let made = try ContainerError.unlessUnreadable({ try MadeDelivery(row) }),
                let key: String = row.readable("own_key"), let lead: Int64 = row.readable("lead")
            else {
                found.unreadable.append((row.readable("lead"), row.readable("own_sink")))
                continue
            }
            found.deliveries[Place(lead: lead, key: key), default: []].append(
                try PackageDelivery(made: made, isFollower: row.value("follows")))
            found.payloads[lead] = row.readable("payload")
        }
        package = found
        return found
    }

    /// The number of the object that leads the group; `nil` if the package was forgotten.
    private func object(of delivery: BackfillDelivery) throws -> Int64? {
        let query = try database.cachedStatement(
            sql: "SELECT object FROM provider WHERE package = ? AND place = ? AND object IS NOT NULL")
        return try Int64.fetchOne(query, arguments: [delivery.package, delivery.proposal.lead])
    }

    private func add(
        _ delivery: BackfillDelivery, _ object: Int64, following leader: MadeDelivery?, payload: String?
    ) throws {
        guard !isTrial else { return }
        var proposal = delivery.proposal
        proposal.payload = payload ?? proposal.payload
        let decision = DeliveryDecision(proposal, duplicateOf: leader?.id)
        let seq = try DeliveryRow.insert(
            database, decision, package: delivery.package, object: object, leader: leader?.seq)
        try ChangeRow.insert(database, kind: "delivery", subject: proposal.id, row: seq)
    }
}
