internal import FoundationEssentials
package import SQLite
package import ShareModel
internal import SystemPackage

/// A row of the table `package`.
package enum PackageRow {
    private static let columns = "seq, id, outcome, run"
    private static let byIdentifier = IdentifierSearch.package(columns)
    private static let numberOfIdentifier = IdentifierSearch.package("seq")
    private static let anyWithIdentifier = IdentifierSearch.package("1")

    package static func fetch(_ database: Database, id: String) throws -> KnownPackage? {
        let query = try database.cachedStatement(sql: byIdentifier)
        return try Row.fetchOne(query, arguments: [id]).map(KnownPackage.init)
    }

    /// The number of the package with the identifier; its row may be damaged otherwise.
    package static func number(_ database: Database, id: String) throws -> Int64? {
        try database.number(numberOfIdentifier, id)
    }

    /// Whether a package has the identifier; its row may be damaged.
    package static func exists(_ database: Database, id: String) throws -> Bool {
        try database.number(anyWithIdentifier, id) != nil
    }

    /// The one package whose identifier begins with `prefix`.
    ///
    /// - Parameter consequence: the beginning of the error's message.
    /// - Throws: ``ContainerError`` with code `notFound` if no package or more than one begins so.
    package static func find(
        _ database: Database, _ columns: String, beginning prefix: String, otherwise consequence: String? = nil
    ) throws -> Row {
        let rows = try IdentifierSearch.packages(database, columns + ", id", beginning: prefix)
        guard let row = rows.first, rows.count == 1 else {
            let found = rows.isEmpty ? "no package" : "more than one package"
            let such = try rows.map { try ($0.value("id") as String).prefix(12) }.joined(separator: " and ")
            let start = consequence.map { "\($0): " } ?? ""
            throw ContainerError(
                .notFound, "\(start)\(found) begins with '\(prefix)'\(rows.isEmpty ? "" : ", such as \(such)")",
                remedy: .listPackages)
        }
        return row
    }

    /// The packages of the same source that no package has replaced, and that no other file yields, oldest first.
    static func fetchCurrent(_ database: Database, of proposal: PackageProposal, machine: Int64) throws
        -> [KnownPackage]
    {
        let found = try SourceKey.all(proposal, machine: machine).flatMap { source -> [KnownPackage] in
            if source.isPath, try !SourceKey.isKnown(database, source.value, machine: source.machine) { return [] }
            let rows = "FROM package WHERE \(source.condition) AND superseded_by IS NULL ORDER BY seq"
            // Most sources are new. This query decodes no rows, and so costs less than the other one.
            let sql = "SELECT seq \(rows)"
            guard try database.number(sql, source.value, source.machine) != nil else { return [] }
            let query = try database.cachedStatement(sql: "SELECT \(columns) \(rows)")
            return try Row.fetchAll(query, arguments: source.arguments).compactMap(KnownPackage.readable)
        }
        // Both keys may find the same package.
        return Set(found).sorted { $0.seq < $1.seq }
    }

    /// All packages that a path yielded last or that came from it first, oldest first.
    static func candidates(_ database: Database, of path: FilePath, machine: Int64) throws
        -> [SQLiteKnownState.Candidate]
    {
        let query = try database.cachedStatement(
            sql: """
                SELECT \(columns), superseded_by IS NOT NULL AS replaced FROM package
                WHERE seq IN (\(SourceKey.numbers)) ORDER BY seq
                """)
        return try Row.fetchAll(query, arguments: [path.blob, machine]).compactMap { row in
            try KnownPackage.readable(row).map {
                try SQLiteKnownState.Candidate(known: $0, isReplaced: row.value("replaced"))
            }
        }
    }

    /// Whether another path than `path` that yields a package fulfills a condition.
    static func isYielded(
        _ database: Database, _ package: Int64, besides path: FilePath, machine: Int64,
        where condition: (FilePath) -> Bool
    ) throws -> Bool {
        let query = try database.cachedStatement(sql: "SELECT source.path \(SourceKey.sources)")
        // One by one, because many paths may yield a package, and the first that fulfills the condition decides.
        let paths = try Data.fetchCursor(query, arguments: [path.blob, machine, package])
        while let next = try paths.next() {
            if let other = FilePath(blob: next), condition(other) { return true }
        }
        return false
    }

    /// Whether a folder could not be read, and no package has replaced its failure.
    static func hasUnreadableFolders(_ database: Database) throws -> Bool {
        try database.number("SELECT 1 FROM package INDEXED BY package_unreadable WHERE \(unreadable) LIMIT 1") != nil
    }

    private static let unreadable = "outcome = 'failed' AND source_kind = 'other' AND superseded_by IS NULL"

    /// Replaces the failures of the folders on the way of a walk to a path, from which the package `id` was read. The walk has
    /// read these folders.
    static func replaceUnreadableFolders(
        _ database: Database, from walk: FilePath, to path: FilePath, machine: Int64, by id: String
    ) throws {
        let update = try database.cachedStatement(
            sql: """
                UPDATE package SET superseded_by = ? WHERE source_path = ? AND machine = ? AND \(unreadable)
                RETURNING id, seq
                """)
        var folder = path
        while folder.removeLastComponent(), folder.starts(with: walk) {
            for row in try Row.fetchAll(update, arguments: [id, folder.blob, machine]) {
                try ChangeRow.insert(database, kind: "superseded", subject: row.value("id"), row: row.value("seq"))
            }
        }
    }

    /// SQL for the replacement of a package as its bag says; `NULL` if there is none.
    private static let bagClaim = "iif(json_valid(receipt), receipt ->> 'superseded_by', NULL)"

    /// Makes a package current again: ends its replacement, and what its bag says about that.
    static func endReplacement(_ database: Database, _ package: KnownPackage) throws {
        try database.run(
            "UPDATE package SET superseded_by = NULL WHERE seq = ? AND superseded_by IS NOT NULL", package.seq)
        if database.changesCount > 0 {
            try ChangeRow.insert(database, kind: "current", subject: package.id, row: package.seq)
        }
        try database.run(
            """
            UPDATE package SET receipt = json_remove(receipt, '$.superseded_by')
            WHERE seq = ? AND \(bagClaim) IS NOT NULL
            """, package.seq)
    }

    /// The columns that ``receipt(_:_:)`` reads.
    package static let receiptColumns = "seq, id, receipt, received, superseded_by"

    /// The receipt of a package as it stands now: with its tags, its deliveries, its arrivals, and the package that
    /// replaced it.
    ///
    /// - Parameter row: with ``receiptColumns``.
    package static func receipt(_ database: Database, _ row: Row) throws -> Receipt {
        let package: Int64 = try row.value("seq")
        var receipt = try CatalogJSON.receipt(row.value("receipt"))
        let claim = receipt.supersededBy
        receipt.received = try row.value("received")
        receipt.supersededBy = try row.value("superseded_by")
        if claim != nil, claim == receipt.supersededBy {
            receipt.unconfirmed = (receipt.unconfirmed ?? []) + [.supersededBy]
        }
        let tags = try TagRow.fetch(database, package: package)
        if !tags.isEmpty { receipt.tags = tags.map(\.word) }
        try SightingRow.add(database, to: &receipt, package: package)
        for delivery in try DeliveryRow.fetchAll(database, package: package) {
            try receipt.attach(delivery.record(database), lead: delivery.lead)
        }
        return receipt
    }

    /// The objects that are kept of a package besides its content.
    package static func kept(_ database: Database, seq: Int64) throws -> [Receipt.KeptInput] {
        let query = try database.cachedStatement(
            sql: """
                SELECT sha256, size FROM record JOIN object ON object.seq = record.object
                WHERE package = ? ORDER BY place
                """)
        return try Row.fetchAll(query, arguments: [seq]).map {
            try Receipt.KeptInput(sha256: Digest(blob: $0.value("sha256")), size: $0.value("size"))
        }
    }

    /// The receipt of a package as it was committed: JSON without deliveries.
    package static func receiptText(_ database: Database, seq: Int64) throws -> String {
        let query = try database.cachedStatement(sql: "SELECT receipt FROM package WHERE seq = ?")
        return try String.fetchOne(query, arguments: [seq]) ?? ""
    }

    /// Updates the reason of a source that failed again, and lists the failure again if it had been mended. If neither
    /// is new, this changes nothing.
    static func update(_ database: Database, _ package: KnownPackage, to proposal: PackageProposal) throws {
        let reason = proposal.receipt.reason?.storable
        try database.execute(
            sql: """
                UPDATE package SET reason = ?, received = ?, receipt = ?, superseded_by = NULL
                WHERE seq = ? AND (
                    reason IS NOT ? OR superseded_by IS NOT NULL OR \(bagClaim) IS NOT NULL)
                """,
            arguments: [
                reason, proposal.received, String(decoding: try proposal.receipt.json(), as: UTF8.self), package.seq,
                reason,
            ])
        guard database.changesCount > 0 else { return }
        try ChangeRow.insert(database, kind: "updated", subject: package.id, row: package.seq)
    }

    static func setSuperseded(_ database: Database, _ package: KnownPackage, by id: String) throws {
        try database.execute(
            sql: "UPDATE package SET superseded_by = ? WHERE seq = ?", arguments: [id, package.seq])
        try ChangeRow.insert(database, kind: "superseded", subject: package.id, row: package.seq)
    }

    /// Restores that a package was replaced by another one, if its history says so, both are there, and nothing has
    /// replaced it since.
    static func restoreReplacement(_ database: Database, of id: String, by later: String) throws {
        guard let earlier = try fetch(database, id: id), let later = try fetch(database, id: later),
            earlier.seq != later.seq
        else { return }
        // The receipt that was stored with the package has the history's claim. No other bag can make it.
        let found = try database.number(
            """
            SELECT 1 FROM package WHERE seq = ?1 AND superseded_by IS NULL AND \(bagClaim) = ?2
                AND NOT EXISTS (SELECT 1 FROM package WHERE seq = ?3 AND superseded_by = ?4)
            """, earlier.seq, later.id, later.seq, earlier.id)
        if found != nil { try setSuperseded(database, earlier, by: later.id) }
    }

    /// Inserts the package with its providers, the arrivals of its history, and its entry in the feed of changes;
    /// returns its `seq`.
    ///
    /// - Parameters:
    ///   - machine: the number of this process's machine.
    ///   - objects: for each provider the number of its object; `nil` for a provider without content.
    static func insert(
        _ database: Database, _ proposal: PackageProposal, _ receipt: Receipt, machine this: Int64, objects: [Int64?]
    ) throws -> Int64 {
        let machine = try MachineRow.number(database, proposal.history?.machine ?? .this, this: this)
        let path = if let history = proposal.history { history.sourcePath } else { proposal.sourcePath }
        var stored = receipt
        // A claim, until ``restoreReplacement(_:of:by:)`` sets the column. Only the column is ever shown.
        stored.supersededBy = proposal.history?.replacedBy
        try database.run(
            """
            INSERT INTO package (id, sender_id, source_kind, source_path, outcome, reason, title, bytes, received,
                                 run, supersedes, receipt, machine, sighting)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, receipt.id, proposal.senderID?.storable, receipt.source.kind.rawValue,
            path.map(\.blob), receipt.outcome.rawValue, receipt.reason?.storable,
            receipt.item?.title?.storable, receipt.bytes, proposal.received, proposal.run, receipt.supersedes,
            String(decoding: try stored.json(), as: UTF8.self), machine,
            PackageSighting(proposal)?.key(machine: machine))
        let seq = database.lastInsertedRowID
        try SightingRow.insert(database, proposal.history?.sightings ?? [], package: seq, this: this)
        for (provider, object) in zip(receipt.providers, objects) {
            try insertProvider(database, provider, package: seq, object: object)
        }
        try add(database, proposal.records, package: seq)
        try ChangeRow.insert(database, kind: "package", subject: receipt.id, row: seq)
        return seq
    }

    /// Adds records to a package, behind those that it has. A record that it has already is left out.
    static func add(_ database: Database, _ records: [ObjectRecord], package: Int64) throws {
        for record in records {
            let object = try ObjectRow.insert(database, record.digest, record.size).seq
            try database.run(
                """
                INSERT INTO record (package, place, object)
                SELECT ?1, coalesce((SELECT max(place) + 1 FROM record WHERE package = ?1), 0), ?2
                WHERE NOT EXISTS (SELECT 1 FROM record WHERE package = ?1 AND object = ?2)
                """, package, object)
        }
    }

    private static func insertProvider(
        _ database: Database, _ provider: Receipt.Provider, package: Int64, object: Int64?
    ) throws {
        try database.run(
            "INSERT INTO provider (package, place, outcome, name, type, object, modified) VALUES (?, ?, ?, ?, ?, ?, ?)",
            package, provider.index, provider.outcome.rawValue, provider.name.storable, provider.type?.description,
            object, provider.modified?.nanoseconds)
    }
}

extension KnownPackage {
    /// A damaged outcome counts as that of a package that came in: it must not keep the package from coming in again.
    ///
    /// - Parameter row: with `seq`, `id`, `outcome` and `run`.
    init(_ row: Row) throws {
        let outcome: String? = row.readable("outcome")
        try self.init(
            seq: row.value("seq"), id: row.value("id"), outcome: outcome.flatMap(PackageOutcome.init) ?? .accepted,
            run: row.readable("run") ?? "")
    }

    /// `nil` if the row cannot be read.
    static func readable(_ row: Row) throws -> KnownPackage? {
        try ContainerError.unlessUnreadable { try KnownPackage(row) }
    }
}
