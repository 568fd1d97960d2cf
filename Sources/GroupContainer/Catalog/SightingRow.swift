internal import FoundationEssentials
package import SQLite
package import ShareModel
package import SystemPackage

/// A row of the table `sighting`: a later arrival of a package.
package enum SightingRow {
    /// Whether an arrival is the package's first one, or has a row.
    ///
    /// - Parameter this: the number of this process's machine.
    static func exists(_ database: Database, _ sighting: PackageSighting, package: Int64, this: Int64) throws -> Bool {
        guard let machine = try MachineRow.known(database, sighting.machine, this: this) else { return false }
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

    /// Inserts the rows of arrivals. An arrival that has a row stays as it is.
    ///
    /// - Parameter this: the number of this process's machine.
    static func insert(
        _ database: Database, _ sightings: [PackageSighting], package: Int64, this: Int64
    ) throws {
        for sighting in sightings {
            let machine = try MachineRow.number(database, sighting.machine, this: this)
            try insert(database, sighting, package: package, machine: machine)
        }
    }

    private static func insert(
        _ database: Database, _ sighting: PackageSighting, package: Int64, machine: Int64
    ) throws {
        try database.run(
            """
            INSERT OR IGNORE INTO sighting (package, key, source_kind, source_path, names, modified, received, machine)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """, package, sighting.key(machine: machine), sighting.kind.rawValue, sighting.path.blob,
            sighting.namesText, sighting.modified?.nanoseconds, sighting.received, machine)
    }

    /// SQL for an arrival whose path has a name of its own. Each web address has the same link.
    private static let isNamed = "source_kind NOT IN ('stdin', 'submitted', 'link')"

    /// The names of the paths of a package's later arrivals, the latest first, each once, and without those of `path` and
    /// `name`. Of many paths, the latest ones count.
    package static func names(_ database: Database, package: Int64, than path: FilePath?, _ name: String) throws
        -> [String]
    {
        let query = try database.cachedStatement(
            sql: """
                SELECT source_path FROM sighting WHERE package = ? AND \(isNamed)
                GROUP BY source_path ORDER BY max(seq) DESC LIMIT ?
                """)
        let paths = try Data.fetchAll(query, arguments: [package, Receipt.sightingLimit])
        return names(of: paths, besides: [path?.lastComponent?.string, name].compactMap(\.self))
    }

    /// Like ``names(_:package:than:_:)``, but of the last arrivals alone, and without paths that yield another package
    /// now. A path in a bag yields none.
    static func otherNames(_ database: Database, package: Int64, than path: FilePath) throws -> [String] {
        // One empty file may lie in a hundred thousand folders, so the last arrivals must do.
        let query = try database.cachedStatement(
            sql: """
                SELECT source_path FROM (
                    SELECT seq, source_kind, source_path, machine FROM sighting WHERE package = ?1
                    ORDER BY seq DESC LIMIT ?2
                ) AS arrival
                WHERE \(isNamed) AND NOT EXISTS (
                    SELECT 1 FROM source
                    WHERE path = source_path AND source.machine = arrival.machine AND source.package <> ?1)
                ORDER BY seq DESC
                """)
        let paths = try Data.fetchAll(query, arguments: [package, Receipt.sightingLimit])
        return names(of: paths, besides: [path.lastComponent?.string].compactMap(\.self))
    }

    /// The last components of paths, each once, and without names that are known.
    private static func names(of paths: [Data], besides known: [String]) -> [String] {
        var names = known
        for path in paths {
            // Swift compares names by their characters, so another normalization of a name is no other name.
            if let name = FilePath(blob: path)?.lastComponent?.string, !names.contains(name) { names.append(name) }
        }
        return Array(names.dropFirst(known.count))
    }

    /// Adds a package's later arrivals to its receipt. One that cannot be read counts among those that are not listed.
    static func add(_ database: Database, to receipt: inout Receipt, package: Int64) throws {
        // Most packages have none. For the order of the other query, SQLite makes a table first.
        guard try database.number("SELECT 1 FROM sighting WHERE package = ? LIMIT 1", package) != nil else { return }
        let query = try database.cachedStatement(
            sql: """
                SELECT source_kind, source_path, names, modified, received FROM sighting
                WHERE package = ? ORDER BY seq DESC LIMIT ?
                """)
        let rows = try Row.fetchAll(query, arguments: [package, Receipt.sightingLimit])
        guard !rows.isEmpty else { return }
        let sightings = try rows.reversed().compactMap { row in
            try ContainerError.unlessUnreadable { try Receipt.Sighting(row) }
        }
        try set(sightings, in: &receipt, package: package, database)
    }

    /// The limits of the arrivals in a receipt of a bag: their number, and the bytes of their paths and names. So a
    /// page of an export fits into memory, and an ingest takes the receipt.
    private static let (bagLimit, bagBytes) = (10_000, 4 << 20)

    /// Replaces the arrivals in a receipt by those for a bag: all of them within the limits, with their machines.
    package static func addAll(_ database: Database, to receipt: inout Receipt, package: Int64) throws {
        guard receipt.sightings != nil else { return }
        let query = try database.cachedStatement(
            sql: """
                SELECT source_kind, source_path, names, modified, received, machine FROM sighting
                WHERE package = ? ORDER BY seq DESC LIMIT ?
                """)
        let rows = try Row.fetchCursor(query, arguments: [package, bagLimit])
        var sightings: [Receipt.Sighting] = []
        var bytes = 0
        while let row = try rows.next() {
            let read = try ContainerError.unlessUnreadable {
                var sighting = try Receipt.Sighting(row)
                sighting.source.machine = try MachineRow.identifier(database, row.value("machine"))
                return sighting
            }
            guard let sighting = read else { continue }
            bytes += sighting.source.path.utf8.count + (sighting.names ?? []).reduce(0) { $0 + $1.utf8.count }
            guard bytes <= bagBytes else { break }
            sightings.append(sighting)
        }
        try set(sightings.reversed(), in: &receipt, package: package, database)
    }

    private static func set(
        _ sightings: [Receipt.Sighting], in receipt: inout Receipt, package: Int64, _ database: Database
    ) throws {
        receipt.sightings = sightings
        let count = Int(try database.number("SELECT count(*) FROM sighting WHERE package = ?", package) ?? 0)
        receipt.moreSightings = count > sightings.count ? count - sightings.count : nil
    }
}

extension Receipt.Sighting {
    fileprivate init(_ row: Row) throws {
        try self.init(
            source: Receipt.Source(
                kind: CatalogJSON.word(row.value("source_kind")), path: FilePath(blob: row.value("source_path")) ?? "-"),
            names: (row.value("names") as String?).map(PackageSighting.names(in:)),
            modified: (row.value("modified") as Int64?).map(Timestamp.init(nanoseconds:)),
            received: row.value("received"))
    }
}
