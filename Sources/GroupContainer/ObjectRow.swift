internal import GRDB
internal import ShareModel

/// A row of the table `object`: what vouches for the bytes under an object's final name.
enum ObjectRow {
    /// Names an object; whether no row did before.
    @discardableResult
    static func insert(_ database: Database, _ digest: Digest, _ size: Int64) throws -> Bool {
        let insert = try database.cachedStatement(sql: "INSERT OR IGNORE INTO object (sha256, size) VALUES (?, ?)")
        try insert.execute(arguments: [digest.description, size])
        return database.changesCount > 0
    }
}
