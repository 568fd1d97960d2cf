internal import SQLite
internal import ShareModel

/// The catalog's tables, as one migration for each format version. A released migration never changes.
enum CatalogSchema {
    private static func steps(_ context: MigrationContext) -> [Step] {
        [
            Step(name: "1", run: first), Step(name: "2", run: second), Step(name: "3", run: third),
            Step(name: "4", run: fourth), Step(name: "5") { try fifth($0, context) }, Step(name: "6", run: sixth),
            Step(name: "7", run: seventh), Step(name: "8", run: eighth),
            Step(name: "9", run: ninth),
        ]
    }

    private struct Step: Sendable {
        let name: String
        let run: @Sendable (Database) throws -> Void
    }

    /// Runs all steps that a catalog lacks in one transaction. A crash leaves the old catalog or the new one.
    static func migrate(_ database: Database, _ context: MigrationContext) throws {
        // The steps drop and rename tables that others refer to. SQLite ignores this pragma inside a transaction.
        try database.execute(sql: "PRAGMA foreign_keys = OFF")
        try database.inTransaction {
            try database.execute(
                sql: "CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
            let taken = try taken(database)
            let missing = steps(context).filter { !taken.contains($0.name) }
            for (place, step) in missing.enumerated() {
                context.report(.converting(step: place + 1, of: missing.count))
                try step.run(database)
                try database.run("INSERT INTO grdb_migrations (identifier) VALUES (?)", step.name)
            }
            guard try Row.fetchOne(database, sql: "PRAGMA foreign_key_check") == nil else {
                throw DatabaseError(resultCode: .SQLITE_CONSTRAINT_FOREIGNKEY, message: "a row names a missing one")
            }
            return .commit
        }
        try database.execute(sql: "PRAGMA foreign_keys = ON")
    }

    /// The tables of a catalog, compared with those of this program.
    enum State {
        case current
        /// It lacks a step, or all of them.
        case older
        /// It has a step that this program does not know.
        case newer
    }

    static func state(_ database: Database) throws -> State {
        let (taken, known) = (try taken(database), Set(steps(MigrationContext()).map(\.name)))
        return !taken.isSubset(of: known) ? .newer : taken == known ? .current : .older
    }

    /// The names of the steps that have run. Their table is called after the library that wrote the first formats.
    private static func taken(_ database: Database) throws -> Set<String> {
        guard try database.hasTable("grdb_migrations") else { return [] }
        return Set(try String.fetchAll(database, sql: "SELECT identifier FROM grdb_migrations"))
    }

    private static func first(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE object (
                    sha256 TEXT PRIMARY KEY NOT NULL,
                    size INTEGER NOT NULL
                ) WITHOUT ROWID;

                CREATE TABLE package (
                    seq INTEGER PRIMARY KEY AUTOINCREMENT,
                    id TEXT UNIQUE NOT NULL,
                    sender_id TEXT,
                    source_kind TEXT NOT NULL,
                    source_path BLOB,
                    outcome TEXT NOT NULL,
                    reason TEXT,
                    title TEXT,
                    bytes INTEGER NOT NULL,
                    received TEXT NOT NULL,
                    run TEXT NOT NULL,
                    manifest TEXT,
                    supersedes TEXT,
                    superseded_by TEXT,
                    receipt TEXT NOT NULL
                );
                CREATE INDEX package_source ON package (source_path) WHERE source_path IS NOT NULL;
                CREATE INDEX package_sender ON package (sender_id) WHERE sender_id IS NOT NULL;

                CREATE TABLE provider (
                    package INTEGER NOT NULL REFERENCES package (seq) ON DELETE CASCADE,
                    place INTEGER NOT NULL,
                    outcome TEXT NOT NULL,
                    name TEXT NOT NULL,
                    type TEXT,
                    object TEXT REFERENCES object (sha256),
                    PRIMARY KEY (package, place)
                ) WITHOUT ROWID;
                CREATE INDEX provider_object ON provider (object) WHERE object IS NOT NULL;

                CREATE TABLE delivery (
                    seq INTEGER PRIMARY KEY AUTOINCREMENT,
                    id TEXT UNIQUE NOT NULL,
                    key TEXT NOT NULL,
                    sink TEXT NOT NULL,
                    package INTEGER NOT NULL REFERENCES package (seq) ON DELETE CASCADE,
                    lead INTEGER NOT NULL,
                    payload TEXT NOT NULL,
                    outcome TEXT NOT NULL,
                    why TEXT,
                    metadata TEXT,
                    attempts INTEGER NOT NULL DEFAULT 0,
                    deaths INTEGER NOT NULL DEFAULT 0,
                    run TEXT
                );
                CREATE INDEX delivery_open ON delivery (sink, seq) WHERE outcome = 'pending';
                CREATE INDEX delivery_key ON delivery (key);
                CREATE INDEX delivery_package ON delivery (package);

                CREATE TABLE product (
                    delivery INTEGER NOT NULL REFERENCES delivery (seq) ON DELETE CASCADE,
                    place INTEGER NOT NULL,
                    role TEXT NOT NULL,
                    name TEXT NOT NULL,
                    type TEXT NOT NULL,
                    object TEXT NOT NULL REFERENCES object (sha256),
                    PRIMARY KEY (delivery, place)
                ) WITHOUT ROWID;
                CREATE INDEX product_object ON product (object);

                CREATE TABLE change (
                    seq INTEGER PRIMARY KEY AUTOINCREMENT,
                    kind TEXT NOT NULL,
                    subject TEXT NOT NULL
                );
                """)
    }
}

/// Access of a migration to what is not in the catalog.
struct MigrationContext: Sendable {
    /// The identifier of the machine that the packages belong to; `nil` if it is unknown.
    var machine: String?
    /// Gets the progress.
    var report: @Sendable (FormatMigration.Progress) -> Void = { _ in }
}
