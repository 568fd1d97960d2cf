internal import GRDB
internal import ShareModel

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A row of the table `shelf`: which path below `library` is ours, and for what. `shelf_next` has those of a library that
/// is being built.
enum ShelfRow {
    /// Which of the two tables.
    enum Table: String {
        case current = "shelf"
        case next = "shelf_next"
    }

    static func path(_ database: Database, _ table: Table, _ piece: LibraryPiece) throws -> String? {
        try String.fetchOne(
            database.cachedStatement(sql: "SELECT path FROM \(table.rawValue) WHERE package = ? AND place = ?"),
            arguments: [piece.package, piece.place])
    }

    /// Takes a path where no row has one that is the same to some file system.
    static func insert(_ database: Database, _ table: Table, key: String, path: String, _ piece: LibraryPiece) throws
        -> Bool
    {
        let insert = try database.cachedStatement(
            sql: "INSERT INTO \(table.rawValue) (key, path, package, place) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING")
        try insert.execute(arguments: [key, path, piece.package, piece.place])
        return database.changesCount > 0
    }

    /// The paths of those among the packages that were replaced.
    static func stale(_ database: Database, packages: [String]) throws -> [String] {
        let query = try database.cachedStatement(
            sql: """
                SELECT shelf.path FROM package JOIN shelf ON shelf.package = package.seq
                WHERE package.id = ? AND package.superseded_by IS NOT NULL
                """)
        return try packages.flatMap { try String.fetchAll(query, arguments: [$0]) }
    }

    static func remove(_ database: Database, _ paths: [String]) throws {
        let delete = try database.cachedStatement(sql: "DELETE FROM shelf WHERE path = ?")
        for path in paths { try delete.execute(arguments: [path]) }
    }

    /// The content of packages that belong into the library, in the order in which they came.
    static func pieces(_ database: Database, where condition: String, _ arguments: StatementArguments) throws
        -> [LibraryPiece]
    {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT package.seq, provider.place, package.received, provider.name, provider.type, object.sha256
                FROM package JOIN provider ON provider.package = package.seq
                    JOIN object ON object.seq = provider.object
                WHERE package.superseded_by IS NULL AND object.lost IS NULL AND \(condition)
                ORDER BY package.seq, provider.place
                """, arguments: arguments)
        return try rows.map { row in
            LibraryPiece(
                package: row["seq"], place: row["place"], received: row["received"], name: row["name"],
                type: (row["type"] as String?).flatMap(MediaType.init) ?? .unknown,
                digest: try Digest(blob: row["sha256"] as Data))
        }
    }
}
