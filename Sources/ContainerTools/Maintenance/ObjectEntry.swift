internal import FoundationEssentials
internal import GroupContainer
internal import SQLite
internal import ShareModel

/// A row of the table `object`, as maintenance needs it.
struct ObjectEntry: Sendable {
    let digest: Digest
    let size: Int64
    /// Since when and why its bytes are gone; `nil` unless a repair recorded a loss.
    let lost: String?

    private static let columns = "sha256, size, lost"
    private static let byDigest = IdentifierSearch.object(columns)

    private init(_ row: Row) throws {
        digest = try Digest(blob: row.value("sha256"))
        size = try row.value("size")
        lost = try row.value("lost")
    }

    /// The next rows of one folder of the store, in the order of their digests. Those that cannot be read are left out.
    ///
    /// - Parameter shard: the first byte of the digests.
    static func page(_ database: Database, shard: UInt8, after last: Digest?, limit: Int) throws -> [ObjectEntry] {
        // 33 bytes: more than every digest of the folder, and less than those of the next.
        let end = Data([shard]) + Data(repeating: 0xFF, count: 32)
        let query = try database.cachedStatement(sql: pageQuery)
        return try Row.fetchAll(query, arguments: [last?.blob ?? Data([shard]), end, limit]).map(ObjectEntry.init)
    }

    /// One query on each of the two indexes, merged in the order of the digests.
    static let pageQuery =
        part("merged IS NULL") + " UNION ALL " + part("merged = 1") + " ORDER BY head, sha256 LIMIT ?3"

    private static let lostIsReadable = "typeof(lost) IN ('text', 'null')"

    private static func part(_ part: String) -> String {
        """
        SELECT \(columns), substr(sha256, 1, 4) AS head FROM object
        WHERE \(part) AND substr(sha256, 1, 4) BETWEEN substr(?1, 1, 4) AND substr(?2, 1, 4)
        AND sha256 > ?1 AND sha256 < ?2 AND length(sha256) = 32 AND typeof(size) = 'integer' AND \(lostIsReadable)
        """
    }

    static func fetch(_ database: Database, _ digest: Digest) throws -> ObjectEntry? {
        let query = try database.cachedStatement(sql: byDigest)
        return try Row.fetchOne(query, arguments: [digest.blob]).map(ObjectEntry.init)
    }

    /// The digests that have a row.
    static func known(_ database: Database, among digests: [Digest]) throws -> Set<Digest> {
        Set(try digests.filter { try ObjectRow.seq(database, $0) != nil })
    }
}
