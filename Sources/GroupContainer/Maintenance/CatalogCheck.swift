internal import GRDB
internal import ShareModel

/// What can be wrong with the rows alone.
struct CatalogCheck {
    /// How many faults of SQLite's file are named.
    private static let faultLimit = 20
    static let restore = "restore the container from a backup"

    let database: Database

    /// In a fixed order; what SQLite cannot read ends it with a finding of its own.
    func findings() throws -> [CareFinding] {
        do {
            // One row may hold many lines.
            let faults = try String.fetchAll(database, sql: "PRAGMA quick_check(\(Self.faultLimit))")
                .flatMap { $0.split(separator: "\n") }.filter { $0 != "ok" }.prefix(Self.faultLimit)
            guard faults.isEmpty else {
                return faults.map { CareFinding(.catalog, "catalog.sqlite: \($0)", remedy: Self.restore) }
            }
            return try foreignKeys() + doubles() + contents() + feed()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            let words = error.message ?? "it is malformed"
            return [CareFinding(.catalog, "catalog.sqlite: \(words)", remedy: Self.restore)]
        }
    }

    private func foreignKeys() throws -> [CareFinding] {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT "table" AS child, parent, count(*) AS number FROM pragma_foreign_key_check
                GROUP BY child, parent ORDER BY child, parent
                """)
        return rows.map { row in
            let (child, parent, number): (String, String, Int) = (row["child"], row["parent"], row["number"])
            return CareFinding(
                .row, "\(number) of the rows of \(child) name a row of \(parent) that is not there",
                remedy: Self.restore)
        }
    }

    /// Whoever inserts a row looks first whether it is there; no index forbids a second one.
    private func doubles() throws -> [CareFinding] {
        try [("object", "sha256"), ("package", "id"), ("delivery", "id")].compactMap { table, column in
            let sql = "SELECT count(*) - count(DISTINCT \(column)) FROM \(table)"
            guard let number = try Int.fetchOne(database, sql: sql), number > 0 else { return nil }
            return CareFinding(.row, "\(number) of the rows of \(table) stand there twice", remedy: Self.restore)
        }
    }

    /// A provider that is in has an object.
    private func contents() throws -> [CareFinding] {
        let lacking = "provider.object IS NULL AND provider.outcome <> 'failed'"
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT id, title, source_path FROM package
                WHERE seq IN (SELECT package FROM provider WHERE \(lacking)) ORDER BY seq
                LIMIT \(ObjectHolders.limit + 1)
                """)
        guard !rows.isEmpty else { return [] }
        return [
            CareFinding(
                .row, "providers that are said to be in name no object",
                packages: rows.prefix(ObjectHolders.limit).map(PackageName.init),
                morePackages: max(0, rows.count - ObjectHolders.limit),
                remedy: "forget these packages and take their sources in again, or \(Self.restore)")
        ]
    }

    private func feed() throws -> [CareFinding] {
        let row = try Row.fetchOne(
            database, sql: "SELECT count(*) AS number, min(seq) AS first, max(seq) AS last FROM change")
        guard let row, let first: Int = row["first"], let last: Int = row["last"] else { return [] }
        let missing = last - first + 1 - (row["number"] as Int)
        guard missing != 0 else { return [] }
        return [
            CareFinding(
                .feed, "\(missing) of the changes between \(first) and \(last) are not there",
                remedy: "observers must fetch everything again; \(Self.restore) if you have one from before")
        ]
    }
}
