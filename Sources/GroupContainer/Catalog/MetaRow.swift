package import SQLite
internal import ShareModel

/// A row of the table `meta`: a fact about the catalog itself.
package enum MetaRow {
    /// The epoch that the numbers of the feed belong to.
    package static let epoch = "epoch"
    /// The identity of the catalog's file. A copied or restored catalog has another.
    static let file = "file"
    /// The engines of the container that are not the local ones; see ``OtherEngines``.
    static let engines = "engines"

    /// The layout of the folder `library`, as `LibraryLayout` has it. Without a row it is the first one.
    package static let layout = "layout"

    package static func fetch(_ database: Database, _ name: String) throws -> String? {
        try String.fetchOne(database, sql: "SELECT value FROM meta WHERE name = ?", arguments: [name])
    }

    package static func set(_ database: Database, _ name: String, _ value: String) throws {
        try database.execute(
            sql: "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
            arguments: [name, value])
    }

    /// Changes the table within a transaction, and leaves it as it was, so that something is written.
    static func touch(_ database: Database) throws {
        let name = "touched"
        try set(database, name, "")
        try remove(database, name)
    }

    static func remove(_ database: Database, _ name: String) throws {
        try database.execute(sql: "DELETE FROM meta WHERE name = ?", arguments: [name])
    }
}

/// A row of the table `machine`: the number by which other rows name a machine.
package enum MachineRow {
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
            // A bag may have brought other machines before the first one named itself.
            try database.execute(
                sql: """
                    INSERT OR IGNORE INTO machine (number, id)
                    SELECT iif(count(*) = 0, \(first), NULL), ? FROM machine WHERE number = \(first)
                    """, arguments: [id])
            return try Int64.fetchOne(database, sql: find, arguments: [id]) ?? first
        }
    }

    /// The number for the paths of a bag that does not name their machine. No process has it.
    static let unknown: Int64 = 0

    /// The number of the machine that a path is on; `nil` if it has no number yet.
    ///
    /// - Parameter this: the number of this process's machine.
    static func known(_ database: Database, _ machine: SourceMachine, this: Int64) throws -> Int64? {
        switch machine {
        case .this: this
        case .unknown: unknown
        case .named(let id): try Int64.fetchOne(database, sql: find, arguments: [id.storable])
        }
    }

    /// The number of the machine that a path is on. A new machine gets the next number.
    static func number(_ database: Database, _ machine: SourceMachine, this: Int64) throws -> Int64 {
        if let number = try known(database, machine, this: this) { return number }
        guard case .named(let id) = machine else { return unknown }
        // The first number is kept for the packages of this container, even if none has come in yet.
        try database.execute(
            sql: "INSERT INTO machine (number, id) SELECT max(coalesce(max(number), 0), \(first)) + 1, ? FROM machine",
            arguments: [id.storable])
        return database.lastInsertedRowID
    }

    /// The identifier of a machine; `nil` for one that never named itself.
    package static func identifier(_ database: Database, _ number: Int64) throws -> String? {
        let query = try database.cachedStatement(sql: "SELECT id FROM machine WHERE number = ?")
        return try String.fetchOne(query, arguments: [number])
    }
}
