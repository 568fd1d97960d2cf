internal import GRDB
internal import ShareModel

/// A row of the table `object`: what vouches for the bytes under an object's final name.
enum ObjectRow {
    /// The number of the object's row, which is made where there is none; whether it was.
    ///
    /// - Parameter isAbsent: whether it is known that there is none.
    static func insert(_ database: Database, _ digest: Digest, _ size: Int64, isAbsent: Bool = false) throws -> (
        seq: Int64, isNew: Bool
    ) {
        if !isAbsent, let seq = try seq(database, digest) { return (seq, false) }
        try database.run("INSERT INTO object (sha256, size) VALUES (?, ?)", digest.blob, size)
        let seq = database.lastInsertedRowID
        if seq % newRows == 0 { try database.run(merging) }
        return (seq, true)
    }

    /// How many rows come in before their digests move from the index of new ones to that of all others. In a large
    /// container each falls on a page of its own: 32 MiB, for which the standard reserve has room.
    private static let newRows: Int64 = 8_192

    /// Never by reading the rows of all objects.
    static let merging = "UPDATE object INDEXED BY object_new SET merged = 1 WHERE merged IS NULL"

    /// Whether a row vouches for the object's bytes: there is one, and they are not known to be lost.
    static func isWhole(_ database: Database, _ digest: Digest) throws -> Bool {
        try database.number(isWholeQuery, digest.blob) == 1
    }

    private static let isWholeQuery = IdentifierSearch.object("lost IS NULL")

    static func delete(_ database: Database, seq: Int64) throws {
        let delete = try database.cachedStatement(sql: "DELETE FROM object WHERE seq = ?")
        try delete.execute(arguments: [seq])
    }

    static func count(_ database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "SELECT count(*) FROM object") ?? 0
    }

    static func seq(_ database: Database, _ digest: Digest) throws -> Int64? {
        try database.number(seqQuery, digest.blob)
    }

    private static let seqQuery = IdentifierSearch.object("seq")
}
