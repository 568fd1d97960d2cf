internal import FoundationEssentials
package import SQLite
package import ShareModel

/// A row of the table `delivery`.
package struct DeliveryRow {
    let seq: Int64
    let id: String
    let key: String
    let sink: String
    let package: Int64
    let lead: Int
    /// The number of the object that leads its group; `nil` if that provider was never stored.
    let object: Int64?
    /// The number of the delivery that this one follows; `nil` if it is made itself.
    let leader: Int64?
    let payload: String
    let outcome: DeliveryOutcome
    let why: String?
    let metadata: String?
    let attempts: Int
    let deaths: Int
    let failures: Int
    let due: Int64
    let isUnanswered: Bool
    /// The fencing number, which grows with every claim.
    let fence: Int64
    /// The word for the ``Containment``. A claim does not need it, and an abridged record does without an unknown one.
    private let containment: String?
    /// Whether only a bag says how the delivery ended.
    let isUnconfirmed: Bool
    /// The login under which the delivery goes out.
    let login: AccountUser?

    /// The owner of a delivery that has ended only as a bag says. No process has this identifier, and each claim or
    /// change of the delivery replaces it.
    private static let bag = "bag"
    /// SQL for a delivery whose sink has found this. No text of a sender has these bytes in JSON: it has a backslash before each
    /// quotation mark.
    static func hasFinding(_ name: StaticString) -> String {
        """
        (instr(metadata, '"\(name)":true') > 0
            AND iif(json_valid(metadata), json_type(metadata, '$.\(name)') = 'true', 0))
        """
    }

    /// SQL for ``isUnconfirmed-property``.
    package static let isUnconfirmed = "owner IS '\(bag)'"

    /// SQL for the names of columns with numbers, and for their values, with 0 for a damaged one.
    package static let soundNumbers: (columns: String, values: String) = {
        let numbers = ["attempts", "deaths", "failures", "due", "unanswered"]
        return (numbers.joined(separator: ", "), numbers.map(Row.sound).joined(separator: ", "))
    }()

    private init(_ row: Row) throws {
        seq = try row.value("seq")
        id = try row.value("id")
        key = try row.value("key")
        sink = try row.value("sink")
        package = try row.value("package")
        lead = try row.value("lead")
        object = try row.value("object")
        leader = try row.value("leader")
        payload = try row.value("payload")
        outcome = try CatalogJSON.word(row.value("outcome"))
        why = try row.value("why")
        metadata = try row.value("metadata")
        attempts = Int(row.number("attempts"))
        deaths = Int(row.number("deaths"))
        failures = Int(row.number("failures"))
        due = row.number("due")
        isUnanswered = try row.value("unanswered")
        fence = row.number("fence")
        containment = try row.value("containment")
        let owner: String? = try row.value("owner")
        isUnconfirmed = owner == Self.bag
        login = try Self.login(row)
    }

    /// The login in a row; `nil` if the row has none.
    static func login(_ row: Row) throws -> AccountUser? {
        guard let account: String = try row.value("account"), let user: String = try row.value("user") else {
            return nil
        }
        guard let name = AccountName(account) else {
            throw ContainerError(.catalog, "a delivery has an account with a name that is none", remedy: .verify)
        }
        return AccountUser(account: name, user: user)
    }

    /// SQL for a delivery that may go out under the login whose account and user are the arguments 3 and 4. If these are `NULL`, it is
    /// one without a login.
    static let mayUseLogin = "(user IS NULL OR account IS ?3 AND user IS ?4)"

    /// SQL for a delivery that does the work of a proposal whose account and user are the arguments 3 and 4. A proposal without
    /// a login may be anyone's.
    static let isForLogin = "(?4 IS NULL OR \(mayUseLogin))"

    /// What ``isForLogin`` asks.
    func isFor(_ login: AccountUser?) -> Bool { self.login == nil || login == nil || self.login == login }

    /// The deliveries of a package, in the order in which they were made.
    static func fetchAll(_ database: Database, package: Int64) throws -> [DeliveryRow] {
        let query = try database.cachedStatement(sql: "SELECT * FROM delivery WHERE package = ? ORDER BY seq")
        return try Row.fetchCursor(query, arguments: [package]).map(DeliveryRow.init)
    }

    /// Like ``fetchAll(_:package:)``, without those that cannot be read. A verification finds these, and they must not keep
    /// their package from coming in again.
    static func fetchReadable(_ database: Database, package: Int64) throws -> [DeliveryRow] {
        let query = try database.cachedStatement(sql: "SELECT * FROM delivery WHERE package = ? ORDER BY seq")
        let rows = try Row.fetchCursor(query, arguments: [package])
        return try rows.compactMap { row in try ContainerError.unlessUnreadable { try DeliveryRow(row) } }
    }

    /// The delivery with a number.
    static func fetch(_ database: Database, seq: Int64) throws -> DeliveryRow? {
        let query = try database.cachedStatement(sql: "SELECT * FROM delivery WHERE seq = ?")
        // A copy, because a cursor's row is valid only as long as the cursor.
        return try Row.fetchOne(query, arguments: [seq]).map(DeliveryRow.init)
    }

    /// The numbers of deliveries by their identifiers. Reads all deliveries once, since no index has their identifiers.
    static func numbers(_ database: Database, ids: [String]) throws -> [String: Int64] {
        let query = try database.cachedStatement(
            sql: "SELECT id, seq FROM delivery WHERE id IN (SELECT value FROM json_each(?))")
        let rows = try Row.fetchAll(query, arguments: [try CatalogJSON.encode(ids)])
        let pairs: [(String, Int64)] = try rows.map { try ($0.value("id"), $0.value("seq")) }
        return Dictionary(pairs) { first, _ in first }
    }

    /// At most `limit` open deliveries of a sink that are due, the earliest first. A delivery that was never tried is
    /// due at 0, and so comes before all retries. One that cannot be read stays open, and keeps no other from being made.
    ///
    /// - Parameter login: see ``DeliveryQueue/claim(sink:owner:now:limit:as:)``.
    static func fetchOpen(_ database: Database, sink: String, now: Int64, limit: Int, login: AccountUser?) throws
        -> [DeliveryRow]
    {
        let query = try database.cachedStatement(
            sql: """
                SELECT * FROM delivery
                WHERE sink = ?1 AND outcome = 'pending' AND due <= ?2 AND \(mayUseLogin) ORDER BY due, seq
                """)
        let rows = try Row.fetchCursor(query, arguments: [sink, now, login?.account.description, login?.user])
        var open: [DeliveryRow] = []
        while open.count < limit, let row = try rows.next() {
            if let delivery = try ContainerError.unlessUnreadable({ try DeliveryRow(row) }) { open.append(delivery) }
        }
        return open
    }

    /// Inserts a delivery, open, as a duplicate, or as its history has it; returns its number.
    ///
    /// - Parameters:
    ///   - object: the number of the object that leads the group.
    ///   - leader: the number of the delivery that a duplicate follows.
    static func insert(
        _ database: Database, _ delivery: DeliveryDecision, package: Int64, object: Int64?, leader: Int64?
    ) throws -> Int64 {
        let (record, proposal) = (ReceiptComposer.record(of: delivery), delivery.proposal)
        // The attempt of an open delivery may have had an outcome that nobody recorded.
        let isUnanswered = record.outcome == .pending && record.attempts > 0
        try database.run(
            """
            INSERT INTO delivery (id, key, sink, package, lead, object, leader, payload, outcome, why, metadata, attempts,
                                  unanswered, containment, owner, account, user)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, record.id, proposal.key, record.sink, package, proposal.lead, object, leader,
            proposal.payload.storable, record.outcome.rawValue, record.why?.storable,
            try record.metadata.map(CatalogJSON.encode), record.attempts, isUnanswered ? 1 : 0,
            record.containment?.rawValue, record.isUnconfirmed == true ? Self.bag : nil,
            proposal.login?.account.description, proposal.login?.user.storable)
        let seq = database.lastInsertedRowID
        if let leader, let login = proposal.login {
            // What was nobody's until now is this person's, whoever logs in before its first attempt.
            try database.run(
                "UPDATE delivery SET account = ?, user = ? WHERE seq = ? AND user IS NULL AND outcome = 'pending'",
                login.account.description, login.user.storable, leader)
        }
        try insert(database, record.products, delivery: seq)
        return seq
    }

    /// Opens a delivery that has ended only as a bag says. Its sink may have the content all the same, and is asked.
    static func open(_ database: Database, _ id: String, seq: Int64) throws {
        try database.run(
            """
            UPDATE delivery SET \(SQLiteDeliveryQueue.reopening) WHERE seq = ? AND \(isUnconfirmed)
            """, seq)
        guard database.changesCount > 0 else { return }
        try ChangeRow.insert(database, kind: "delivery", subject: id, row: seq)
    }

    /// Inserts the products of a delivery. Their objects are durable.
    static func insert(_ database: Database, _ products: [DeliveryRecord.Product], delivery: Int64) throws {
        for (place, product) in products.enumerated() {
            let object = try ObjectRow.insert(database, product.sha256, product.size).seq
            try LostObjects.heal(database, product.sha256)
            try database.execute(
                sql: "INSERT INTO product (delivery, place, role, name, type, object) VALUES (?, ?, ?, ?, ?, ?)",
                arguments: [
                    delivery, place, product.role.storable, product.name.storable, product.type.description, object,
                ])
        }
    }

    /// The number of bytes of metadata above which an abridged record leaves the metadata out.
    static let shortMetadata = 4 << 10

    /// The delivery with its products. An open delivery of a held sink shows the sink's reason, as
    /// ``HeldSink/reason(beside:)`` has it, and the end of its pause. A duplicate stands as the delivery that it
    /// follows.
    ///
    /// - Parameter isAbridged: whether the record leaves out large metadata; see ``Catalog/completed(_:)``.
    func record(_ database: Database, isAbridged: Bool = false) throws -> DeliveryRecord {
        let record = try ownRecord(database, isAbridged: isAbridged)
        guard let leader = try readableLeader(database) else { return record }
        return ReceiptComposer.record(record, following: try leader.ownRecord(database, isAbridged: true))
    }

    /// The abridged record of the delivery with a number; `nil` if there is none, or it cannot be read.
    static func readableRecord(_ database: Database, seq: Int64) throws -> DeliveryRecord? {
        try ContainerError.unlessUnreadable { try fetch(database, seq: seq)?.record(database, isAbridged: true) } ?? nil
    }

    /// The delivery that this one follows; `nil` if it follows none, or one that cannot be read.
    func readableLeader(_ database: Database) throws -> DeliveryRow? {
        guard let leader else { return nil }
        return try ContainerError.unlessUnreadable { try Self.fetch(database, seq: leader) } ?? nil
    }

    /// The deliveries that those of a package follow, by the identifiers of the followers. They have the metadata and the products.
    /// One that cannot be read is left out.
    package static func followed(_ database: Database, package: Int64) throws -> [String: DeliveryRecord] {
        var followed: [String: DeliveryRecord] = [:]
        for row in try fetchReadable(database, package: package) {
            guard let leader = try row.readableLeader(database) else { continue }
            followed[row.id] = try ContainerError.unlessUnreadable { try leader.ownRecord(database, isAbridged: false) }
        }
        return followed
    }

    /// The packages with a delivery that follows one of this package.
    package static func followers(_ database: Database, package: Int64) throws -> [Int64] {
        // With `IN` and `DISTINCT`, SQLite would make two tables for each call, and most calls find nothing. `CROSS JOIN`
        // keeps it from a scan.
        let query = try database.cachedStatement(
            sql: """
                SELECT follower.package FROM delivery AS own CROSS JOIN delivery AS follower ON follower.leader = own.seq
                WHERE own.package = ?1 AND follower.package != ?1
                """)
        let found: [Int64] = try Row.fetchAll(query, arguments: [package]).map { try $0.value("package") }
        return Set(found).sorted()
    }

    private func ownRecord(_ database: Database, isAbridged: Bool) throws -> DeliveryRecord {
        let query = try database.cachedStatement(
            sql: """
                SELECT role, name, type, sha256, size FROM product JOIN object ON object.seq = product.object
                WHERE delivery = ? ORDER BY place
                """)
        let products = try Row.fetchAll(query, arguments: [seq]).compactMap { row in
            try Self.unlessDamaged(isAbridged) {
                try DeliveryRecord.Product(
                    role: row.value("role"), name: row.value("name"),
                    type: MediaType(row.value("type") as String) ?? .unknown,
                    sha256: Digest(blob: row.value("sha256")), size: row.value("size"))
            }
        }
        // An open delivery of a paused sink waits for both times: its own and the end of the pause.
        let held = outcome == .pending ? try HeldSink.fetch(database, sink) : nil
        let isCut = isAbridged && (metadata?.utf8.count ?? 0) > Self.shortMetadata
        let details = try isCut ? nil : Self.unlessDamaged(isAbridged, decodedMetadata) ?? nil
        let level = try Self.unlessDamaged(isAbridged) { try containment.map(CatalogJSON.word) as Containment? } ?? nil
        var record = DeliveryRecord(
            id: id, sink: sink, outcome: outcome, why: held?.reason(beside: why) ?? why, attempts: attempts,
            due: outcome == .pending ? Self.text(max(due, held?.due ?? 0)) : nil,
            containment: level, metadata: details, products: products)
        record.isAbridged = isCut
        if isUnconfirmed { record.isUnconfirmed = true }
        record.login = login
        return record
    }

    /// - Throws: ``ContainerError`` with the code `catalog` if the metadata is damaged.
    func decodedMetadata() throws -> JSONValue? { try Self.decoded(metadata: metadata) }

    /// - Throws: ``ContainerError`` with the code `catalog` if the metadata is damaged.
    package static func decoded(metadata: String?) throws -> JSONValue? {
        try metadata.map { try CatalogJSON.value($0, "metadata") }
    }

    /// A part of a record; `nil` if it is damaged and the record is abridged. A run reports abridged records of packages
    /// that came in before, and their damage must not end the run.
    private static func unlessDamaged<Part>(_ isAbridged: Bool, _ part: () throws -> Part) throws -> Part? {
        try isAbridged ? ContainerError.unlessUnreadable(part) : part()
    }

    /// A time in milliseconds since 1970 as ISO 8601, rounded up to seconds; `nil` for 0.
    private static func text(_ milliseconds: Int64) -> String? {
        guard milliseconds > 0 else { return nil }
        return Date(timeIntervalSince1970: Double((milliseconds + 999) / 1_000)).formatted(.iso8601)
    }
}
