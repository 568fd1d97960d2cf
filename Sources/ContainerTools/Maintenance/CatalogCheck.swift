internal import GroupContainer
internal import SQLite
internal import ShareModel

/// Looks for faults in the rows alone, without reading an object.
struct CatalogCheck {
    /// The number of faults of SQLite's file that are reported.
    private static let faultLimit = 20
    static let restore = "restore the container from a backup"

    let database: Database

    /// The faults, in a fixed order. If SQLite cannot read a page, that is the only finding.
    func findings() throws -> [CareFinding] {
        do {
            let faults = try faults("integrity_check", "\(Self.faultLimit)")
            if !faults.isEmpty {
                // `quick_check` leaves out the comparison of each index with its table. So it tells the two kinds apart.
                let grave = try self.faults("quick_check", "\(Self.faultLimit)")
                // The other checks could give wrong results on a damaged file.
                guard grave.isEmpty else {
                    return grave.map { CareFinding(.catalog, "catalog.sqlite: \($0)", remedy: Self.restore) }
                }
            }
            let indexes = faults.map { fault in
                let action = Remedy.repairIndex
                return CareFinding(.index, "catalog.sqlite: \(fault)", remedy: action.description, action: action)
            }
            return try indexes + foreignKeys() + doubles() + contents() + feed()
                + RecordCheck(database: database).findings()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            let words = error.message ?? "it is malformed"
            return [CareFinding(.catalog, "catalog.sqlite: \(words)", remedy: Self.restore)]
        }
    }

    /// The tables by which a removal finds out that no row names an object. An entry that is missing from one of their
    /// indexes would cost a live object.
    static let references = ["object", "provider", "record", "product"]

    /// Checks a table with its indexes.
    ///
    /// - Throws: `ContainerError` if it has a fault.
    func requireSound(_ table: String) throws {
        guard let fault = try faults("integrity_check", table).first else { return }
        throw ContainerError(
            .catalog, "nothing was removed, because the catalog is damaged: \(fault)", remedy: .repairIndex)
    }

    /// Checks that the name of each object can be read. The file of another one would look unused.
    ///
    /// - Throws: `ContainerError` if one cannot.
    func requireNamesOfObjects() throws {
        guard try database.number("SELECT 1 FROM object WHERE \(RecordCheck.isNoDigest("sha256")) LIMIT 1") != nil
        else {
            return
        }
        throw ContainerError(
            .catalog, "nothing was removed, because the name of an object cannot be read", remedy: .verify)
    }

    /// The names of all indexes that can be built again from their tables.
    func indexes() throws -> [String] {
        try String.fetchAll(database, sql: "SELECT name FROM sqlite_schema WHERE type = 'index' ORDER BY name")
    }

    /// The lines of one of SQLite's checks; none for a sound file.
    private func faults(_ check: String, _ argument: String) throws -> [Substring] {
        // One row may hold many lines.
        let rows = try String.fetchAll(database, sql: "PRAGMA \(check)(\(argument))")
        let lines: [Substring] = rows.flatMap { $0.split(separator: "\n") }
        return Array(lines.filter { $0 != "ok" }.prefix(Self.faultLimit))
    }

    private func foreignKeys() throws -> [CareFinding] {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT "table" AS child, parent, count(*) AS number FROM pragma_foreign_key_check
                GROUP BY child, parent ORDER BY child, parent
                """)
        return try rows.map { row in
            let (child, parent): (String, String) = try (row.value("child"), row.value("parent"))
            let number: Int = try row.value("number")
            let rows = number == 1 ? "row of \(child) names" : "rows of \(child) name"
            return CareFinding(
                .row, "\(number) \(rows) a missing row of \(parent)",
                remedy: Self.restore)
        }
    }

    /// Finds rows that exist twice. Writers look before they insert, but no index forbids a second row.
    private func doubles() throws -> [CareFinding] {
        try [("object", "sha256"), ("package", "id"), ("delivery", "id")].compactMap { table, column in
            let sql = "SELECT count(*) - count(DISTINCT \(column)) FROM \(table)"
            guard let number = try Int.fetchOne(database, sql: sql), number > 0 else { return nil }
            let rows = number == 1 ? "row of \(table) exists" : "rows of \(table) exist"
            return CareFinding(.row, "\(number) \(rows) twice", remedy: Self.restore)
        }
    }

    /// Finds providers that were stored but name no object.
    private func contents() throws -> [CareFinding] {
        let lacking = "provider.object IS NULL AND provider.outcome <> 'failed'"
        let (packages, more) = try ObjectHolders.packages(
            database, where: "seq IN (SELECT package FROM provider WHERE \(lacking))")
        guard !packages.isEmpty else { return [] }
        return [
            CareFinding(
                .row, "providers that are recorded as stored name no object", packages: packages, morePackages: more,
                remedy: "forget these packages and take their sources in again, or \(Self.restore)")
        ]
    }

    /// Finds gaps in the feed. Changes are never removed, so their numbers have none.
    private func feed() throws -> [CareFinding] {
        let row = try Row.fetchOne(
            database, sql: "SELECT count(*) AS number, min(seq) AS first, max(seq) AS last FROM change")
        guard let row, let first: Int = try row.value("first"), let last: Int = try row.value("last") else { return [] }
        guard first > 0 else {
            return [
                CareFinding(
                    .feed, "the changes begin with number \(first), and the first number is 1",
                    remedy: "observers must fetch everything again; \(Self.restore) if you have one from before")
            ]
        }
        let missing = try last - first + 1 - row.value("number")
        guard missing != 0 else { return [] }
        return [
            CareFinding(
                .feed, "\(missing) of the changes between \(first) and \(last) \(missing == 1 ? "is" : "are") missing",
                remedy: "observers must fetch everything again; \(Self.restore) if you have one from before")
        ]
    }
}

extension ContainerMaintenance {
    /// Checks tables with their indexes before a removal.
    ///
    /// - Parameter isStopped: looked at before each table.
    /// - Throws: `ContainerError` if one has a fault.
    func requireSound(_ tables: [String], isStopped: () -> Bool = { false }) throws {
        // A transaction for each table: a long one would keep the log from being written back.
        for table in tables {
            guard !isStopped() else { throw CancellationError() }
            try database.read { try CatalogCheck(database: $0).requireSound(table) }
        }
    }
}
