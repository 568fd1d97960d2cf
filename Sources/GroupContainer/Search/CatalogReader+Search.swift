internal import GRDB
package import ShareModel
internal import SystemPackage

extension CatalogReader {
    /// How many packages are ranked; where more match, the newest of all come first instead.
    package static let rankLimit = 10_000

    /// The packages that match, best first and the newest of equals before; at most `limit`.
    package func search(_ query: SearchQuery, limit: Int, _ body: (PackageEntry) throws -> Void) throws {
        var matches = try catalog.database.read { try Self.matches($0, query, limit: limit) }[...]
        // The packages are read a page at a time, and not while `body` runs.
        while !matches.isEmpty {
            let page = matches.prefix(Self.pageLimit)
            matches = matches.dropFirst(Self.pageLimit)
            for entry in try entries(page) { try body(entry) }
        }
    }

    private func entries(_ numbers: ArraySlice<Int64>) throws -> [PackageEntry] {
        try catalog.database.read { database in
            let package = try database.cachedStatement(
                sql: "SELECT \(PackageEntry.columns) FROM package WHERE seq = ?")
            return try numbers.compactMap { try Row.fetchOne(package, arguments: [$0]).map(PackageEntry.init) }
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
}

extension PackageEntry {
    /// For rows of `package`.
    static let columns = """
        id, outcome, source_kind, source_path, received, bytes, title, superseded_by, reason,
        \(LostObjects.count) AS lost
        """
}
