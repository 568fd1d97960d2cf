package import SQLite
package import ShareModel

/// A row of the table `object`. Only this row vouches for the bytes at an object's final name.
package enum ObjectRow {
    /// The number of the object's row. Inserts the row if it is absent.
    ///
    /// - Parameter isAbsent: whether the caller knows that the row is absent; the lookup is skipped then.
    static func insert(_ database: Database, _ digest: Digest, _ size: Int64, isAbsent: Bool = false) throws -> (
        seq: Int64, isNew: Bool
    ) {
        // No index enforces that digests are unique, so the writer looks first, in the same transaction.
        if !isAbsent, let seq = try seq(database, digest) { return (seq, false) }
        try database.run("INSERT INTO object (sha256, size) VALUES (?, ?)", digest.blob, size)
        let seq = database.lastInsertedRowID
        if seq % newRows == 0 { try database.run(merging) }
        return (seq, true)
    }

    /// The number of new rows after which their digests move from the small index to the large one. In a large
    /// container each of them changes a page of its own. Those are 32 MiB, for which the standard reserve has room.
    private static let newRows: Int64 = 8_192

    /// Moves the new rows to the large index. `INDEXED BY` makes SQLite fail rather than read the rows of all objects.
    static let merging = "UPDATE object INDEXED BY object_new SET merged = 1 WHERE merged IS NULL"

    /// Whether a row vouches for the object's bytes: the row exists, and does not record a loss.
    static func isWhole(_ database: Database, _ digest: Digest) throws -> Bool {
        try database.number(isWholeQuery, digest.blob) == 1
    }

    private static let isWholeQuery = IdentifierSearch.object("lost IS NULL")

    /// Corrects the size in the row of an object.
    package static func setSize(_ database: Database, _ digest: Digest, _ size: Int64) throws {
        guard let seq = try seq(database, digest) else { return }
        try database.run("UPDATE object SET size = ? WHERE seq = ?", size, seq)
    }

    package static func delete(_ database: Database, seq: Int64) throws {
        let delete = try database.cachedStatement(sql: "DELETE FROM object WHERE seq = ?")
        try delete.execute(arguments: [seq])
    }

    package static func count(_ database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "SELECT count(*) FROM object") ?? 0
    }

    package static func seq(_ database: Database, _ digest: Digest) throws -> Int64? {
        try database.number(seqQuery, digest.blob)
    }

    private static let seqQuery = IdentifierSearch.object("seq")

    /// SQL for a row of `package`: whether the object with the number `:object` belongs to it, as content, as a record, or as a
    /// product.
    package static let isHeld = """
        seq IN (SELECT package FROM provider WHERE object = :object
                UNION SELECT package FROM record WHERE object = :object
                UNION SELECT delivery.package FROM product JOIN delivery ON delivery.seq = product.delivery
                      WHERE product.object = :object)
        """

    /// The identifiers and numbers of all packages that have the object, in the order in which they came in.
    static func holders(_ database: Database, _ object: Int64) throws -> [(id: String, seq: Int64)] {
        let sql = "SELECT id, seq FROM package WHERE \(isHeld) ORDER BY seq"
        return try Row.fetchAll(database, sql: sql, arguments: ["object": object]).map { row in
            try (row.value("id"), row.value("seq"))
        }
    }
}
