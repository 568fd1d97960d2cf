internal import GRDB
public import ShareModel
internal import SystemPackage

extension CatalogReader {
    /// How many packages are ranked; where more match, the newest of all come first instead.
    public static let rankLimit = 10_000

    /// The packages that match, best first and the newest of equals before; at most `limit`.
    public func search(_ query: SearchQuery, limit: Int, _ body: (PackageEntry) throws -> Void) throws {
        try catalog.database.read { database in
            let package = try database.cachedStatement(
                sql: "SELECT \(PackageEntry.columns) FROM package WHERE seq = ?")
            for seq in try Self.matches(database, query, limit: limit) {
                if let row = try Row.fetchOne(package, arguments: [seq]) { try body(PackageEntry(row)) }
            }
        }
    }

    private static func matches(_ database: Database, _ query: SearchQuery, limit: Int) throws -> [Int64] {
        let newest = try Int64.fetchAll(
            database, sql: "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT ?",
            arguments: [query.match, rankLimit + 1])
        guard newest.count <= rankLimit else { return Array(newest.prefix(limit)) }
        // A title says more than a name, and a name more than a text.
        return try Int64.fetchAll(
            database,
            sql: "SELECT rowid FROM words WHERE words MATCH ? ORDER BY bm25(words, 8, 4, 1), rowid DESC LIMIT ?",
            arguments: [query.match, limit])
    }

    /// The packages that failed, wholly or in part, and were not replaced since, and those with lost content; oldest first.
    public func forEachTroubledPackage(_ body: (PackageEntry) throws -> Void) throws {
        try catalog.database.read { database in
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT \(PackageEntry.columns) FROM package WHERE seq IN (
                        SELECT seq FROM package WHERE outcome IN ('failed', 'partial') AND superseded_by IS NULL
                        UNION \(LostObjects.packages))
                    ORDER BY seq
                    """)
            while let row = try rows.next() { try body(PackageEntry(row)) }
        }
    }

    /// The packages with a delivery that failed or was quarantined, oldest first.
    public func forEachTroubledDelivery(_ body: (PackageEntry) throws -> Void) throws {
        try catalog.database.read { database in
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT \(PackageEntry.columns) FROM package
                    WHERE seq IN (SELECT package FROM delivery WHERE outcome IN ('failed', 'quarantined')) ORDER BY seq
                    """)
            while let row = try rows.next() { try body(PackageEntry(row)) }
        }
    }
}

extension PackageEntry {
    /// For rows of `package`.
    static let columns = """
        id, outcome, source_kind, source_path, received, bytes, title, superseded_by, reason,
        \(LostObjects.count) AS lost
        """
}
