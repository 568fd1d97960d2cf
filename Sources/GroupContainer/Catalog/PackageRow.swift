internal import FoundationEssentials
internal import GRDB
internal import ShareModel
internal import SystemPackage

/// A row of the table `package`.
enum PackageRow {
    private static let columns = "seq, id, outcome, run"
    private static let byIdentifier = IdentifierSearch.package(columns)

    static func fetch(_ database: Database, id: String) throws -> KnownPackage? {
        let query = try database.cachedStatement(sql: byIdentifier)
        return try Row.fetchOne(query, arguments: [id]).map(KnownPackage.init)
    }

    /// The one package whose identifier begins with `prefix`.
    ///
    /// - Parameter consequence: the beginning of the error's message.
    /// - Throws: ``ContainerError`` with code `notFound` if no package or more than one begins so.
    static func find(
        _ database: Database, _ columns: String, beginning prefix: String, otherwise consequence: String? = nil
    ) throws -> Row {
        let rows = try IdentifierSearch.packages(database, columns, beginning: prefix)
        guard let row = rows.first, rows.count == 1 else {
            let found = rows.isEmpty ? "no package" : "more than one package"
            let start = consequence.map { "\($0): " } ?? ""
            throw ContainerError(.notFound, "\(start)\(found) begins with '\(prefix)'", remedy: .listPackages)
        }
        return row
    }

    /// The packages of the same source that no package has replaced, oldest first.
    static func fetchCurrent(_ database: Database, of proposal: PackageProposal, machine: Int64) throws
        -> [KnownPackage]
    {
        guard let source = SourceKey(proposal, machine: machine) else { return [] }
        let rows = "FROM package WHERE \(source.condition) AND superseded_by IS NULL ORDER BY seq"
        // Most sources are new. This query decodes no rows, and so costs less than the other one.
        let sql = "SELECT seq \(rows)"
        guard try database.number(sql, source.value, source.machine) != nil else { return [] }
        let query = try database.cachedStatement(sql: "SELECT \(columns) \(rows)")
        return try Row.fetchAll(query, arguments: source.arguments).map(KnownPackage.init)
    }

    /// Makes an earlier package the current one of its source again.
    ///
    /// The content that a source yields now is its current content, even if the source yielded it long ago.
    static func makeCurrent(
        _ database: Database, _ package: KnownPackage, for proposal: PackageProposal, machine: Int64
    ) throws {
        guard let source = SourceKey(proposal, machine: machine) else { return }
        let others = try database.cachedStatement(
            sql: """
                UPDATE package SET superseded_by = ?3 WHERE \(source.condition) AND superseded_by IS NULL AND seq <> ?4
                RETURNING id, seq
                """)
        for other in try Row.fetchAll(others, arguments: source.arguments + [package.id, package.seq]) {
            try ChangeRow.insert(database, kind: "superseded", subject: other["id"], row: other["seq"])
        }
        // The same content may have come from another source too, and that source has its own history.
        let this = try database.cachedStatement(
            sql: """
                UPDATE package SET superseded_by = NULL
                WHERE seq = ?3 AND \(source.condition) AND superseded_by IS NOT NULL
                """)
        try this.execute(arguments: source.arguments + [package.seq])
        if database.changesCount > 0 {
            try ChangeRow.insert(database, kind: "current", subject: package.id, row: package.seq)
        }
    }

    /// The receipt of a package as it was committed: JSON without deliveries.
    static func receiptText(_ database: Database, seq: Int64) throws -> String {
        let query = try database.cachedStatement(sql: "SELECT receipt FROM package WHERE seq = ?")
        return try String.fetchOne(query, arguments: [seq]) ?? ""
    }

    /// Updates the reason of a source that failed again. The same reason changes nothing.
    static func update(_ database: Database, _ package: KnownPackage, to proposal: PackageProposal) throws {
        try database.execute(
            sql: "UPDATE package SET reason = ?, received = ?, receipt = ? WHERE seq = ? AND reason IS NOT ?",
            arguments: [
                proposal.receipt.reason, proposal.received,
                String(decoding: try proposal.receipt.json(), as: UTF8.self), package.seq,
                proposal.receipt.reason,
            ])
        guard database.changesCount > 0 else { return }
        try ChangeRow.insert(database, kind: "updated", subject: package.id, row: package.seq)
    }

    static func setSuperseded(_ database: Database, _ package: KnownPackage, by id: String) throws {
        try database.execute(
            sql: "UPDATE package SET superseded_by = ? WHERE seq = ?", arguments: [id, package.seq])
        try ChangeRow.insert(database, kind: "superseded", subject: package.id, row: package.seq)
    }

    /// Inserts the package with its providers and its entry in the feed of changes; returns its `seq`.
    ///
    /// - Parameter objects: for each provider the number of its object; `nil` for a provider without content.
    static func insert(
        _ database: Database, _ proposal: PackageProposal, _ receipt: Receipt, machine: Int64, objects: [Int64?]
    ) throws -> Int64 {
        try database.run(
            """
            INSERT INTO package (id, sender_id, source_kind, source_path, outcome, reason, title, bytes, received,
                                 run, supersedes, receipt, machine)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, receipt.id, proposal.senderID, receipt.source.kind.rawValue, proposal.sourcePath.map(\.blob),
            receipt.outcome.rawValue, receipt.reason, receipt.item?.title, receipt.bytes, proposal.received,
            proposal.run, receipt.supersedes, String(decoding: try receipt.json(), as: UTF8.self), machine)
        let seq = database.lastInsertedRowID
        for (provider, object) in zip(receipt.providers, objects) {
            try insertProvider(database, provider, package: seq, object: object)
        }
        for (place, record) in proposal.records.enumerated() {
            let object = try ObjectRow.insert(database, record.digest, record.size).seq
            try database.run("INSERT INTO record (package, place, object) VALUES (?, ?, ?)", seq, place, object)
        }
        try ChangeRow.insert(database, kind: "package", subject: receipt.id, row: seq)
        return seq
    }

    private static func insertProvider(
        _ database: Database, _ provider: Receipt.Provider, package: Int64, object: Int64?
    ) throws {
        try database.run(
            "INSERT INTO provider (package, place, outcome, name, type, object) VALUES (?, ?, ?, ?, ?, ?)", package,
            provider.index, provider.outcome.rawValue, provider.name, provider.type?.description, object)
    }
}

/// How to find the packages of one source: by the sender's identifier, or else by the path on one machine.
private struct SourceKey {
    /// SQL, with `?1` for the value and `?2` for the machine.
    let condition: String
    let value: DatabaseValue
    let machine: Int64

    var arguments: StatementArguments { [value, machine] }

    init?(_ proposal: PackageProposal, machine: Int64) {
        self.machine = machine
        if let id = proposal.senderID {
            // A sender's identifier means the same on all machines. The second term only uses `?2`, so that both
            // conditions take the same arguments.
            condition = "sender_id = ?1 AND ?2 IS NOT NULL"
            value = id.databaseValue
        } else if let path = proposal.sourcePath {
            condition = "source_path = ?1 AND machine = ?2"
            value = path.blob.databaseValue
        } else {
            return nil
        }
    }
}

extension KnownPackage {
    /// - Parameter row: with `seq`, `id`, `outcome` and `run`.
    init(_ row: Row) throws {
        self.init(seq: row["seq"], id: row["id"], outcome: try CatalogJSON.word(row["outcome"]), run: row["run"])
    }
}
