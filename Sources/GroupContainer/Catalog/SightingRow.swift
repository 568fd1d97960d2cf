internal import FoundationEssentials
internal import GRDB
internal import ShareModel
internal import SystemPackage

/// A row of the table `sighting`: a later arrival of a package.
enum SightingRow {
    /// Whether an arrival is the package's first one, or has a row.
    static func exists(_ database: Database, _ sighting: PackageSighting, package: Int64, machine: Int64) throws -> Bool
    {
        let key = sighting.key(machine: machine)
        // A package of an earlier format has no key of its first arrival, and only the path is known of that.
        let found = try database.number(
            """
            SELECT 1 FROM package WHERE seq = ?1 AND (
                sighting = ?2 OR sighting IS NULL AND source_kind = ?3 AND source_path IS ?4 AND machine = ?5
                OR EXISTS (SELECT 1 FROM sighting WHERE package = ?1 AND key = ?2))
            """, package, key, sighting.kind.rawValue, sighting.path.blob, machine)
        return found != nil
    }

    static func insert(
        _ database: Database, _ sighting: PackageSighting, package: KnownPackage, machine: Int64
    ) throws {
        try database.run(
            """
            INSERT INTO sighting (package, key, source_kind, source_path, names, modified, received, machine)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """, package.seq, sighting.key(machine: machine), sighting.kind.rawValue, sighting.path.blob,
            sighting.namesText, sighting.modified?.nanoseconds, sighting.received, machine)
        try ChangeRow.insert(database, kind: "sighted", subject: package.id, row: package.seq)
    }

    /// Adds a package's later arrivals to its receipt.
    static func add(_ database: Database, to receipt: inout Receipt, package: Int64) throws {
        let query = try database.cachedStatement(
            sql: """
                SELECT source_kind, source_path, names, modified, received FROM sighting
                WHERE package = ? ORDER BY seq DESC LIMIT ?
                """)
        let rows = try Row.fetchAll(query, arguments: [package, Receipt.sightingLimit])
        guard !rows.isEmpty else { return }
        receipt.sightings = try rows.reversed().map(Receipt.Sighting.init)
        let count = try database.number("SELECT count(*) FROM sighting WHERE package = ?", package) ?? 0
        if count > rows.count { receipt.moreSightings = Int(count) - rows.count }
    }
}

extension Receipt.Sighting {
    fileprivate init(_ row: Row) throws {
        self.init(
            source: Receipt.Source(
                kind: try CatalogJSON.word(row["source_kind"]), path: FilePath(blob: row["source_path"]) ?? "-"),
            names: (row["names"] as String?).map { $0.split(separator: "\n").map(String.init) },
            modified: (row["modified"] as Int64?).map(Timestamp.init(nanoseconds:)), received: row["received"])
    }
}
