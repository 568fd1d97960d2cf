internal import GRDB

/// A row of the table `meta`: what the catalog knows of itself.
enum MetaRow {
    /// What the numbers of the feed belong to.
    static let epoch = "epoch"
    /// The device and inode of the catalog's file, by which a copy is told.
    static let file = "file"

    static func fetch(_ database: Database, _ name: String) throws -> String? {
        try String.fetchOne(database, sql: "SELECT value FROM meta WHERE name = ?", arguments: [name])
    }

    static func set(_ database: Database, _ name: String, _ value: String) throws {
        try database.execute(
            sql: "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
            arguments: [name, value])
    }

    static func remove(_ database: Database, _ name: String) throws {
        try database.execute(sql: "DELETE FROM meta WHERE name = ?", arguments: [name])
    }
}
