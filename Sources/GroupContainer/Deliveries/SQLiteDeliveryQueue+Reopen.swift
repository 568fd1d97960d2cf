internal import SQLite
internal import ShareModel

extension SQLiteDeliveryQueue {
    /// The deliveries that one of the caller's names stands for.
    private struct Target {
        let name: String
        /// An SQL condition for the deliveries, with `value` as its only argument. A duplicate stands for the delivery
        /// that it follows.
        let condition: String
        let value: DatabaseValue
        /// An SQL condition for those of them that are tried again.
        var retried = """
            (outcome IN ('failed', 'quarantined', 'declined') OR \(DeliveryRow.isUnconfirmed)
                OR outcome = 'delivered' AND seq IN (\(LostObjects.deliveries)) OR \(SQLiteDeliveryQueue.incomplete))
            """

        func has(_ which: String, _ database: Database) throws -> Bool {
            try Bool.fetchOne(
                database, sql: "SELECT 1 FROM delivery WHERE \(condition) AND \(which) LIMIT 1", arguments: [value])
                ?? false
        }

        /// Changes the first of those that `which` selects, and adds a change for each; returns their number.
        private func update(_ assignments: String, where which: String, _ database: Database) throws -> Int {
            let rows = try Row.fetchAll(
                database,
                sql: """
                    UPDATE delivery SET \(assignments)
                    WHERE seq IN (
                        SELECT seq FROM delivery WHERE \(condition) AND \(which) LIMIT \(SQLiteDeliveryQueue.stepLimit))
                    RETURNING id, seq
                    """,
                arguments: [value])
            for row in rows {
                try ChangeRow.insert(database, kind: "delivery", subject: row.value("id"), row: row.value("seq"))
            }
            return rows.count
        }

        /// Changes all that `which` selects, and adds a change for each; returns their number. The assignments must end
        /// what `which` states. Every other writer waits for a transaction, so a sink with many deliveries has several.
        func update(_ assignments: String, where which: String, _ catalog: CatalogDatabase) throws -> Int {
            var count = 0
            while true {
                let step = try catalog.write { try update(assignments, where: which, $0) }
                count += step
                guard step == SQLiteDeliveryQueue.stepLimit else { return count }
            }
        }
    }

    /// SQL that opens a delivery again. A sink may have what only a bag says it has, so it is asked.
    static let reopening = """
        outcome = 'pending', why = NULL, deaths = 0, failures = 0, due = 0, owner = NULL,
        unanswered = iif(\(DeliveryRow.isUnconfirmed), 1, unanswered)
        """

    /// SQL for a delivery whose sink could not do a part, such as save the page of a link.
    static let incomplete = "(outcome = 'delivered' AND \(DeliveryRow.hasFinding("incomplete")))"

    /// The beginning of the reason of a delivery that a person ended.
    static let dismissal = "dismissed by a person"

    /// The number of deliveries that one transaction changes for a name.
    static let stepLimit = 1_000

    func reopen(_ names: [String]) throws {
        let targets = try targets(names) { target, database in
            guard try target.has(target.retried, database) || target.has("outcome = 'pending'", database) else {
                throw ContainerError(
                    .notFound,
                    "no delivery of \(target.name) failed, is incomplete or open, or lost a product; there is nothing to retry"
                )
            }
        }
        for target in targets {
            _ = try target.update(Self.reopening, where: target.retried, database)
        }
    }

    func adopt(_ sinks: [String], as login: AccountUser, includesClaimed: Bool) throws -> Int {
        let (names, account) = (try CatalogJSON.encode(sinks), login.account.description)
        let condition = """
            outcome = 'pending' AND user IS NOT NULL AND (account IS NOT ?2 OR user IS NOT ?3)
            AND sink IN (SELECT value FROM json_each(?1)) \(includesClaimed ? "" : "AND owner IS NULL")
            """
        var count = 0
        while true {
            let (adopted, rows) = try database.write { database in
                let rows = try Int64.fetchAll(
                    database,
                    sql: """
                        UPDATE delivery SET account = ?2, user = ?3, owner = NULL
                        WHERE seq IN (SELECT seq FROM delivery WHERE \(condition) LIMIT \(Self.stepLimit))
                        RETURNING seq
                        """, arguments: [names, account, login.user])
                return (try rows.reduce(0) { try $0 + (Self.adopt(database, $1, as: login) ? 1 : 0) }, rows.count)
            }
            count += adopted
            guard rows == Self.stepLimit else { return count }
        }
    }

    /// Completes the change of an open delivery's login: its identifier and those of the deliveries that follow it are the login's. If
    /// another delivery brings the same content to the same person, it follows that one.
    ///
    /// - Returns: whether the delivery goes out itself.
    private static func adopt(_ database: Database, _ seq: Int64, as login: AccountUser) throws -> Bool {
        let query = try database.cachedStatement(
            sql: """
                SELECT twin.seq FROM delivery AS own JOIN delivery AS twin
                    ON twin.object = own.object AND twin.sink = own.sink AND twin.key = own.key
                WHERE own.seq = ? AND twin.seq <> own.seq AND twin.leader IS NULL AND NOT (twin.\(DeliveryRow.isUnconfirmed))
                    AND twin.outcome IN ('pending', 'delivered', 'duplicate')
                    AND twin.account IS own.account AND twin.user IS own.user
                LIMIT 1
                """)
        let twin = try Int64.fetchOne(query, arguments: [seq])
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT delivery.seq, delivery.id, delivery.lead, delivery.key, delivery.package AS number, package.id AS package
                FROM delivery JOIN package ON package.seq = delivery.package
                WHERE delivery.seq = ?1 OR leader = ?1
                """, arguments: [seq])
        if let twin {
            try database.run("UPDATE delivery SET leader = ? WHERE leader = ?", twin, seq)
            try database.run(
                "UPDATE delivery SET leader = ?, outcome = 'duplicate', why = NULL, due = 0 WHERE seq = ?", twin, seq)
        }
        for row in rows { try rename(database, row, as: login, isLeader: twin == nil && row.value("seq") == seq) }
        return twin == nil
    }

    /// Gives a delivery the identifier that it has for a login.
    ///
    /// If its package has a delivery of that identifier already, one of both is left: the one that goes out.
    private static func rename(_ database: Database, _ row: Row, as login: AccountUser, isLeader: Bool) throws {
        let id = try PackageKey.deliveryIdentifier(
            package: row.value("package"), lead: Int(row.value("lead") as Int64), key: row.value("key"), login: login)
        var seq: Int64 = try row.value("seq")
        let number: Int64 = try row.value("number")
        if let other = try database.number(
            "SELECT seq FROM delivery WHERE package = ? AND id = ? AND seq <> ?", number, id, seq)
        {
            // One that follows another delivery says nothing of its own. The other one has ended without success.
            let (kept, removed) = isLeader ? (seq, other) : (other, seq)
            try database.run("UPDATE delivery SET leader = ? WHERE leader = ?", kept, removed)
            try database.run("DELETE FROM delivery WHERE seq = ?", removed)
            seq = kept
        }
        try database.run("UPDATE delivery SET id = ? WHERE seq = ?", id, seq)
        try ChangeRow.insert(database, kind: "delivery", subject: id, row: seq)
    }

    func dismiss(_ names: [String]) throws -> Int {
        let dismissed = "outcome IN ('pending', 'failed', 'quarantined')"
        let targets = try targets(names) { target, database in
            guard try target.has(dismissed, database) else {
                throw ContainerError(
                    .notFound, "no delivery of \(target.name) is open or failed; there is nothing to dismiss")
            }
        }
        return try targets.reduce(0) { count, target in
            try count
                + target.update(
                    """
                    outcome = 'declined', due = 0, owner = NULL, unanswered = 0,
                    why = '\(Self.dismissal)' || iif(why IS NULL, '', '; the last failure: ' || why)
                    """, where: dismissed, database)
        }
    }

    /// The target of each name.
    ///
    /// - Parameter check: throws if nothing is to be done for a target. All are checked before any change: a delivery may
    ///   have two of the names, and another process may change it at the same time.
    private func targets(_ names: [String], _ check: (Target, Database) throws -> Void) throws -> [Target] {
        guard !names.isEmpty else { return [] }
        // In a transaction that only reads, so that writers do not wait: no index has the identifiers of deliveries,
        // and the search reads all of them.
        return try database.read { database in
            try names.map { name in
                let target = try Self.find(name, database)
                try check(target, database)
                return target
            }
        }
    }

    /// Finds the deliveries that a name stands for.
    ///
    /// The name of a sink with deliveries to try stands for all of them. Otherwise the name is the beginning of an
    /// identifier: of one delivery, or of a package with all its deliveries.
    private static func find(_ name: String, _ database: Database) throws -> Target {
        // A sink may take now what it declined: a program that it needs may be installed since.
        let sink = Target(
            name: name, condition: "sink = ?", value: name.databaseValue,
            retried: """
                (outcome IN ('failed', 'quarantined') OR \(incomplete)
                    OR outcome = 'declined' AND coalesce(why, '') NOT GLOB '\(dismissal)*')
                """)
        if try sink.has(sink.retried, database) || sink.has("outcome = 'pending'", database) { return sink }
        let packages = try IdentifierSearch.packages(database, "seq", beginning: name)
        let deliveries = try IdentifierSearch.deliveries(database, "seq", beginning: name)
        guard let row = packages.first ?? deliveries.first else {
            if try sink.has("TRUE", database) {
                throw ContainerError(
                    .notFound,
                    "no delivery to \(name) failed, was declined, or is incomplete or open; there is nothing to do")
            }
            throw ContainerError(
                .notFound,
                "no delivery or package begins with '\(name)', and no sink of that name has a delivery to try",
                remedy: .listDeliveries)
        }
        guard packages.count + deliveries.count == 1 else {
            throw ContainerError(.notFound, "more than one identifier begins with '\(name)'; write more of it")
        }
        let own = packages.isEmpty ? "seq = ?" : "package = ?"
        var target = Target(
            name: name, condition: "seq IN (SELECT coalesce(leader, seq) FROM delivery WHERE \(own))",
            value: (try row.value("seq") as Int64).databaseValue)
        // Whoever names a single delivery wants it, whatever became of it.
        if packages.isEmpty { target.retried = "outcome <> 'pending'" }
        return target
    }
}
