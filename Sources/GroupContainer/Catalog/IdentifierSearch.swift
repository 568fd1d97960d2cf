internal import SQLite

/// SQL that finds rows by a digest, or by an identifier made of digests.
///
/// The indexes hold the first 32 bits alone, which keeps them small. So each query compares those first, and then the
/// whole value. The value is `?1` in each statement.
package enum IdentifierSearch {
    /// Finds the row of `object` with the digest `?1`: first in the index of the new rows, then in that of all others.
    ///
    /// - Parameter condition: a further condition on the row.
    package static func object(_ columns: String, where condition: String = "TRUE") -> String {
        // Without the plus SQLite would put `?1` for the column in the first term too, which then fits no index.
        """
        SELECT \(columns) FROM object
        WHERE merged IS NULL AND substr(sha256, 1, 4) = substr(?1, 1, 4) AND +sha256 = ?1 AND \(condition)
        UNION ALL SELECT \(columns) FROM object
        WHERE merged = 1 AND substr(sha256, 1, 4) = substr(?1, 1, 4) AND +sha256 = ?1 AND \(condition)
        """
    }

    /// Finds the row of `package` with the identifier `?1`.
    static func package(_ columns: String) -> String {
        inParts(columns, where: "substr(id, 1, 8) = substr(?1, 1, 8) AND +id = ?1") + " LIMIT 1"
    }

    /// Finds at most two rows of `package` whose identifier is at least `?1` and less than `?2`.
    static func packageRange(_ columns: String) -> String {
        inParts(
            columns, where: "substr(id, 1, 8) BETWEEN substr(?1, 1, 8) AND substr(?2, 1, 8) AND id >= ?1 AND id < ?2")
            + " LIMIT 2"
    }

    /// Searches the parts of the index one after the other, the newest first.
    private static func inParts(_ columns: String, where condition: String) -> String {
        // `CROSS JOIN` keeps SQLite from making `package` the outer table, which would read all of its rows.
        """
        WITH RECURSIVE part (number) AS (
            SELECT (SELECT max(seq) FROM package) >> 15 UNION ALL SELECT number - 1 FROM part WHERE number > 0)
        SELECT \(columns) FROM part CROSS JOIN package ON seq >> 15 = number AND \(condition)
        """
    }

    /// At most two of the packages whose identifier begins with `prefix`: two show that the prefix is ambiguous.
    static func packages(_ database: Database, _ columns: String, beginning prefix: String) throws -> [Row] {
        try rows(database, packageRange(columns), beginning: prefix)
    }

    /// At most two of the deliveries whose identifier begins with `prefix`. Reads all deliveries, since no index has
    /// their identifiers.
    static func deliveries(_ database: Database, _ columns: String, beginning prefix: String) throws -> [Row] {
        try rows(
            database, "SELECT \(columns) FROM delivery WHERE id >= ?1 AND id < ?2 LIMIT 2", beginning: prefix)
    }

    /// The identifier of the package of the one delivery whose identifier begins with `prefix`; `nil` if no delivery or
    /// several begin so, or if a package does.
    static func owner(_ database: Database, ofDelivery prefix: String) throws -> String? {
        guard try packages(database, "1", beginning: prefix).isEmpty else { return nil }
        let found = try deliveries(
            database, "(SELECT id FROM package WHERE package.seq = delivery.package) AS owner", beginning: prefix)
        return found.count == 1 ? found[0].readable("owner") : nil
    }

    private static func rows(_ database: Database, _ sql: String, beginning prefix: String) throws -> [Row] {
        guard !prefix.isEmpty else { return [] }
        // Identifiers consist of letters and digits, and the tilde sorts after all of them.
        return try Row.fetchAll(database, sql: sql, arguments: [prefix, prefix + "~"])
    }
}
