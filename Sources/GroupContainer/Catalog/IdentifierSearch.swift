internal import GRDB

/// How rows are found by what is nobody's choice, a digest or an identifier made of digests: by the first 32 bits, which
/// indexes hold, and then as a whole. In statements `?1` is what is looked for.
enum IdentifierSearch {
    /// Finds the row of `object` that has a digest: among those whose digests are not merged yet, then among all others.
    ///
    /// - Parameter condition: what it has to fulfill besides.
    static func object(_ columns: String, where condition: String = "TRUE") -> String {
        // The plus keeps SQLite from putting `?1` for the column in the first term too, which then fits no index.
        """
        SELECT \(columns) FROM object
        WHERE merged IS NULL AND substr(sha256, 1, 4) = substr(?1, 1, 4) AND +sha256 = ?1 AND \(condition)
        UNION ALL SELECT \(columns) FROM object
        WHERE merged = 1 AND substr(sha256, 1, 4) = substr(?1, 1, 4) AND +sha256 = ?1 AND \(condition)
        """
    }

    /// Finds the row of `package` that has an identifier.
    static func package(_ columns: String) -> String {
        inParts(columns, where: "substr(id, 1, 8) = substr(?1, 1, 8) AND +id = ?1") + " LIMIT 1"
    }

    /// Finds at most two of the rows of `package` whose identifier is `?1` or comes after it, and is less than `?2`.
    static func packageRange(_ columns: String) -> String {
        inParts(
            columns, where: "substr(id, 1, 8) BETWEEN substr(?1, 1, 8) AND substr(?2, 1, 8) AND id >= ?1 AND id < ?2")
            + " LIMIT 2"
    }

    /// Asks the parts of the index one after the other, the newest first.
    private static func inParts(_ columns: String, where condition: String) -> String {
        """
        WITH RECURSIVE part (number) AS (
            SELECT (SELECT max(seq) FROM package) >> 15 UNION ALL SELECT number - 1 FROM part WHERE number > 0)
        SELECT \(columns) FROM part CROSS JOIN package ON seq >> 15 = number AND \(condition)
        """
    }

    /// At most two of the packages whose identifier begins so.
    static func packages(_ database: Database, _ columns: String, beginning prefix: String) throws -> [Row] {
        try rows(database, packageRange(columns), beginning: prefix)
    }

    /// At most two of the deliveries whose identifier begins so; reads all that there are.
    static func deliveries(_ database: Database, _ columns: String, beginning prefix: String) throws -> [Row] {
        try rows(
            database, "SELECT \(columns) FROM delivery WHERE id >= ?1 AND id < ?2 LIMIT 2", beginning: prefix)
    }

    private static func rows(_ database: Database, _ sql: String, beginning prefix: String) throws -> [Row] {
        guard !prefix.isEmpty else { return [] }
        // Identifiers are letters and digits, which the tilde comes after.
        return try Row.fetchAll(database, sql: sql, arguments: [prefix, prefix + "~"])
    }
}
