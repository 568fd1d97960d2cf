internal import GRDB

/// A row of the table `meta`: a fact about the catalog itself.
enum MetaRow {
    /// The epoch that the numbers of the feed belong to.
    static let epoch = "epoch"
    /// The device and inode of the catalog's file. A copied or restored catalog has others.
    static let file = "file"
    /// The engines of the container that are not the local ones; see ``OtherEngines``.
    static let engines = "engines"

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

/// A row of the table `machine`: the number by which other rows name a machine.
enum MachineRow {
    /// The number of the machine that migrated the container to format 5, or else of the first machine that named itself.
    /// Packages from before format 5, and packages of a process that names no machine, have it too.
    static let first: Int64 = 1

    /// The number of a machine for a reader; 0 for a machine that has no package here.
    static func known(_ database: CatalogDatabase, _ id: String) throws -> Int64 {
        try database.read { try Int64.fetchOne($0, sql: find, arguments: [id]) } ?? 0
    }

    private static let find = "SELECT number FROM machine WHERE id = ?"

    /// The number of a machine. A new machine gets the next number.
    static func number(_ database: CatalogDatabase, _ id: String) throws -> Int64 {
        if let number = try database.read({ try Int64.fetchOne($0, sql: find, arguments: [id]) }) { return number }
        return try database.write { database in
            // Another process of the same machine may have inserted the row since the read.
            try database.execute(sql: "INSERT OR IGNORE INTO machine (id) VALUES (?)", arguments: [id])
            return try Int64.fetchOne(database, sql: find, arguments: [id]) ?? first
        }
    }
}
