internal import GRDB
public import ShareModel
internal import SystemPackage

extension CatalogReader {
    /// How many packages are ranked; where more match, the newest of all come first instead.
    public static let rankLimit = 10_000

    /// The packages that match, best first and the newest of equals before; at most `limit`.
    public func search(_ query: SearchQuery, limit: Int, _ body: (PackageEntry) throws -> Void) throws {
        try catalog.database.read { database in
            let count = try Int.fetchOne(
                database,
                sql: "SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)",
                arguments: [query.match, Self.rankLimit + 1])
            // A title says more than a name, and a name more than a text.
            let order = count ?? 0 > Self.rankLimit ? "words.rowid DESC" : "bm25(words, 8, 4, 1), words.rowid DESC"
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT \(PackageEntry.columns)
                    FROM (SELECT words.rowid AS found FROM words WHERE words MATCH ? ORDER BY \(order) LIMIT ?)
                        JOIN package ON package.seq = found
                    """, arguments: [query.match, limit])
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
    static let columns = """
        id, outcome, source_kind, source_path, received, bytes, title, superseded_by, reason
        """
}
