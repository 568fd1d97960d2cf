internal import GRDB

/// How rows are found by what is nobody's choice, a digest or an identifier made of digests: by the first 32 bits, which
/// an index holds, and then as a whole. In statements `?1` is what is looked for.
enum IdentifierSearch {
    // The plus keeps SQLite from putting `?1` for the column in the first term too, which then fits no index.
    static let byDigest = "substr(sha256, 1, 4) = substr(?1, 1, 4) AND +sha256 = ?1"
    static let byIdentifier = "substr(id, 1, 8) = substr(?1, 1, 8) AND +id = ?1"

    /// At most two of the rows of `table` whose identifier begins so.
    static func rows(_ database: Database, _ columns: String, of table: String, beginning prefix: String) throws
        -> [Row]
    {
        guard !prefix.isEmpty else { return [] }
        // Identifiers are letters and digits, which the tilde comes after.
        return try Row.fetchAll(
            database,
            sql: """
                SELECT \(columns) FROM \(table)
                WHERE substr(id, 1, 8) BETWEEN substr(?1, 1, 8) AND substr(?2, 1, 8) AND id >= ?1 AND id < ?2 LIMIT 2
                """, arguments: [prefix, prefix + "~"])
    }
}
