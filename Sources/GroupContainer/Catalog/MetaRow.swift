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

/// A row of the table `machine`: the number that rows name a machine by.
enum MachineRow {
    /// The number of the machine that named itself first. Packages of before, and those of a process that names none,
    /// come from it too.
    static let first: Int64 = 1

    /// The number of a machine, which is given where it has none.
    static func number(_ database: CatalogDatabase, _ id: String) throws -> Int64 {
        let query = "SELECT number FROM machine WHERE id = ?"
        if let number = try database.read({ try Int64.fetchOne($0, sql: query, arguments: [id]) }) { return number }
        return try database.write { database in
            try database.execute(sql: "INSERT OR IGNORE INTO machine (id) VALUES (?)", arguments: [id])
            return try Int64.fetchOne(database, sql: query, arguments: [id]) ?? first
        }
    }
}
