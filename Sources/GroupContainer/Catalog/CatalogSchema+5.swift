internal import SQLite

extension CatalogSchema {
    /// Format 5: claims with an owner and a fencing number, and the machine as a part of a source's identity.
    static func fifth(_ database: Database, _ context: MigrationContext) throws {
        try database.execute(sql: claims + machines)
        // In the same transaction, because number 1 would otherwise go to the machine that opens the container next.
        guard let machine = context.machine else { return }
        try database.execute(
            sql: "INSERT INTO machine (number, id) VALUES (?, ?)", arguments: [MachineRow.first, machine])
    }

    private static let claims = """
        ALTER TABLE delivery ADD COLUMN owner TEXT;
        ALTER TABLE delivery ADD COLUMN fence INTEGER NOT NULL DEFAULT 0;

        """

    /// Earlier packages belong to machine number 1. `DEFAULT 1` says so without rewriting the rows of `package`. That
    /// machine is the one that migrates the container, or else the first one that names itself.
    private static let machines = """
        CREATE TABLE machine (
            number INTEGER PRIMARY KEY,
            id TEXT UNIQUE NOT NULL
        );
        ALTER TABLE package ADD COLUMN machine INTEGER NOT NULL DEFAULT 1;
        CREATE TABLE source_5 (
            path BLOB NOT NULL,
            machine INTEGER NOT NULL,
            package INTEGER NOT NULL REFERENCES package (seq) ON DELETE CASCADE,
            device INTEGER NOT NULL,
            inode INTEGER NOT NULL,
            size INTEGER NOT NULL,
            modified INTEGER NOT NULL,
            changed INTEGER NOT NULL,
            PRIMARY KEY (path, machine)
        ) WITHOUT ROWID;
        INSERT INTO source_5 SELECT path, 1, package, device, inode, size, modified, changed FROM source;
        DROP TABLE source;
        ALTER TABLE source_5 RENAME TO source;
        """
}
