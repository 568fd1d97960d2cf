internal import GRDB
internal import ShareModel
internal import SystemPackage

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A row of the table `package`, as far as decisions need it.
struct PackageRow {
    let seq: Int64
    let id: String
    let outcome: PackageOutcome
    let run: String

    private static let columns = "seq, id, outcome, run"
    private static let byIdentifier = IdentifierSearch.package(columns)

    private init(_ row: Row) throws {
        seq = row["seq"]
        id = row["id"]
        outcome = try CatalogJSON.word(row["outcome"])
        run = row["run"]
    }

    static func fetch(_ database: Database, id: String) throws -> PackageRow? {
        let query = try database.cachedStatement(sql: byIdentifier)
        return try Row.fetchOne(query, arguments: [id]).map(PackageRow.init)
    }

    /// The one package whose identifier begins so.
    ///
    /// - Parameter consequence: what the error says besides, where none or several do.
    static func find(
        _ database: Database, _ columns: String, beginning prefix: String, otherwise consequence: String? = nil
    ) throws -> Row {
        let rows = try IdentifierSearch.packages(database, columns, beginning: prefix)
        guard let row = rows.first, rows.count == 1 else {
            let found = rows.isEmpty ? "no package" : "more than one package"
            let end = consequence.map { ". \($0)" } ?? ""
            throw ContainerError(.notFound, "\(found) begins with '\(prefix)'; `sluice list` names them\(end)")
        }
        return row
    }

    /// The packages of the same source or sender's identifier that no other has replaced, oldest first.
    static func fetchCurrent(_ database: Database, of proposal: PackageProposal) throws -> [PackageRow] {
        guard let (column, value) = origin(of: proposal) else { return [] }
        let rows = "FROM package WHERE \(column) = ? AND superseded_by IS NULL ORDER BY seq"
        // Most origins are new.
        guard try database.number("SELECT seq \(rows)", value.databaseValue) != nil else { return [] }
        let query = try database.cachedStatement(sql: "SELECT \(columns) \(rows)")
        return try Row.fetchAll(query, arguments: [value]).map(PackageRow.init)
    }

    /// By which column packages of the same origin are known, and its value: the sender's identifier, else the path.
    private static func origin(of proposal: PackageProposal) -> (String, any DatabaseValueConvertible)? {
        if let id = proposal.senderID { return ("sender_id", id) }
        return proposal.sourcePath.map { ("source_path", $0.blob) }
    }

    /// Whatever an origin yields now is its current content, also where that is what it yielded long ago.
    func makeCurrent(_ database: Database, for proposal: PackageProposal) throws {
        guard outcome != .failed, let (column, value) = Self.origin(of: proposal) else { return }
        let others = try database.cachedStatement(
            sql: """
                UPDATE package SET superseded_by = ? WHERE \(column) = ? AND superseded_by IS NULL AND seq <> ?
                RETURNING id, seq
                """)
        for other in try Row.fetchAll(others, arguments: [id, value, seq]) {
            try ChangeRow.insert(database, kind: "superseded", subject: other["id"], row: other["seq"])
        }
        // The same content of another origin has its own history.
        let this = try database.cachedStatement(
            sql:
                "UPDATE package SET superseded_by = NULL WHERE seq = ? AND \(column) = ? AND superseded_by IS NOT NULL")
        try this.execute(arguments: [seq, value])
        if database.changesCount > 0 { try ChangeRow.insert(database, kind: "current", subject: id, row: seq) }
    }

    func contents(_ database: Database) throws -> Set<Digest> {
        let digests = try Data.fetchAll(
            database,
            sql: "SELECT sha256 FROM provider JOIN object ON object.seq = provider.object WHERE package = ?",
            arguments: [seq])
        return Set(try digests.map(Digest.init(blob:)))
    }

    /// The number of a provider's object.
    func object(_ database: Database, place: Int) throws -> Int64? {
        try Int64.fetchOne(
            database, sql: "SELECT object FROM provider WHERE package = ? AND place = ?", arguments: [seq, place])
    }

    /// The receipt as it was committed, without deliveries.
    func receipt(_ database: Database) throws -> Receipt {
        try CatalogJSON.decode(Receipt.self, Self.receiptText(database, seq: seq))
    }

    /// The receipt of a package as it was committed, without deliveries, as JSON.
    static func receiptText(_ database: Database, seq: Int64) throws -> String {
        let query = try database.cachedStatement(sql: "SELECT receipt FROM package WHERE seq = ?")
        return try String.fetchOne(query, arguments: [seq]) ?? ""
    }

    /// A source that fails again, perhaps for another reason.
    func update(_ database: Database, to proposal: PackageProposal) throws {
        try database.execute(
            sql: "UPDATE package SET reason = ?, received = ?, receipt = ? WHERE seq = ? AND reason IS NOT ?",
            arguments: [
                proposal.receipt.reason, proposal.received,
                String(decoding: try proposal.receipt.json(), as: UTF8.self), seq,
                proposal.receipt.reason,
            ])
        if database.changesCount > 0 { try ChangeRow.insert(database, kind: "updated", subject: id, row: seq) }
    }

    func setSuperseded(_ database: Database, by id: String) throws {
        try database.execute(sql: "UPDATE package SET superseded_by = ? WHERE seq = ?", arguments: [id, seq])
        try ChangeRow.insert(database, kind: "superseded", subject: self.id, row: seq)
    }

    /// Inserts the package with its providers and its entry in the feed of changes; returns its `seq`.
    ///
    /// - Parameter objects: the rows of the providers' content, as far as they have any.
    static func insert(
        _ database: Database, _ proposal: PackageProposal, _ receipt: Receipt, objects: [Int64?]
    ) throws -> Int64 {
        try database.run(
            """
            INSERT INTO package (id, sender_id, source_kind, source_path, outcome, reason, title, bytes, received,
                                 run, supersedes, receipt)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, receipt.id, proposal.senderID, receipt.source.kind.rawValue, proposal.sourcePath.map(\.blob),
            receipt.outcome.rawValue, receipt.reason, receipt.item?.title, receipt.bytes, proposal.received,
            proposal.run, receipt.supersedes, String(decoding: try receipt.json(), as: UTF8.self))
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
