internal import SQLite

extension CatalogSchema {
    /// Format 3: retries of deliveries, and indexes in which new rows lie close together.
    static func third(_ database: Database) throws {
        // Unreleased programs between formats 2 and 3 made catalogs that have these already.
        if try !database.hasTable("held_sink") { try database.execute(sql: retries) }
        try database.execute(sql: objects + changes + packages + deliveries)
    }

    private static let retries = """
        ALTER TABLE delivery ADD COLUMN unanswered INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE delivery ADD COLUMN failures INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE delivery ADD COLUMN due INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE delivery ADD COLUMN containment TEXT;
        CREATE TABLE held_sink (
            sink TEXT PRIMARY KEY NOT NULL,
            failures INTEGER NOT NULL,
            due INTEGER NOT NULL,
            why TEXT NOT NULL
        ) WITHOUT ROWID;

        """

    /// A new digest falls anywhere in an index over digests, and each batch rewrites every page that it touches.
    /// Therefore few tables have such an index. It holds the first 32 bits alone, and the row decides.
    private static let objects = """
        CREATE TABLE object_3 (
            seq INTEGER PRIMARY KEY,
            sha256 BLOB NOT NULL,
            size INTEGER NOT NULL,
            lost TEXT
        );
        INSERT INTO object_3 SELECT seq, sha256, size, lost FROM object ORDER BY seq;
        DROP TABLE object;
        ALTER TABLE object_3 RENAME TO object;
        CREATE INDEX object_head ON object (substr(sha256, 1, 4));
        CREATE INDEX object_lost ON object (sha256) WHERE lost IS NOT NULL;

        """

    /// `package_trouble` lets a list of failed packages skip all others. The numbers continue in `sqlite_sequence`,
    /// because the number of a package is never used again.
    private static let packages = """
        CREATE TABLE package_3 (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL,
            sender_id TEXT,
            source_kind TEXT NOT NULL,
            source_path BLOB,
            outcome TEXT NOT NULL,
            reason TEXT,
            title TEXT,
            bytes INTEGER NOT NULL,
            received TEXT NOT NULL,
            run TEXT NOT NULL,
            supersedes TEXT,
            superseded_by TEXT,
            receipt TEXT NOT NULL
        );
        INSERT INTO package_3
            SELECT seq, id, sender_id, source_kind, source_path, outcome, reason, title, bytes, received, run, supersedes,
                superseded_by, receipt
            FROM package ORDER BY seq;
        DELETE FROM sqlite_sequence WHERE name = 'package_3';
        INSERT INTO sqlite_sequence (name, seq) SELECT 'package_3', seq FROM sqlite_sequence WHERE name = 'package';
        DROP TABLE package;
        ALTER TABLE package_3 RENAME TO package;
        CREATE INDEX package_head ON package (substr(id, 1, 8));
        CREATE INDEX package_source ON package (source_path) WHERE source_path IS NOT NULL;
        CREATE INDEX package_sender ON package (sender_id) WHERE sender_id IS NOT NULL;
        CREATE INDEX package_trouble ON package (outcome, seq) WHERE outcome IN ('failed', 'partial');

        """

    /// A change names the row of its subject, as long as that row exists.
    private static let changes = """
        ALTER TABLE change ADD COLUMN row INTEGER;
        UPDATE change SET row = CASE kind
            WHEN 'forgotten' THEN NULL
            WHEN 'delivery' THEN (SELECT seq FROM delivery WHERE id = subject)
            ELSE (SELECT seq FROM package WHERE id = subject) END;

        """

    /// Deliveries are found by their package, and deliveries with the same key by their leading object. Keys are
    /// random; the numbers of objects grow with the rows, so their index grows at its end.
    private static let deliveries = """
        CREATE TABLE delivery_3 (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL,
            key TEXT NOT NULL,
            sink TEXT NOT NULL,
            package INTEGER NOT NULL REFERENCES package (seq) ON DELETE CASCADE,
            lead INTEGER NOT NULL,
            object INTEGER,
            payload TEXT NOT NULL,
            outcome TEXT NOT NULL,
            why TEXT,
            metadata TEXT,
            attempts INTEGER NOT NULL DEFAULT 0,
            deaths INTEGER NOT NULL DEFAULT 0,
            unanswered INTEGER NOT NULL DEFAULT 0,
            failures INTEGER NOT NULL DEFAULT 0,
            due INTEGER NOT NULL DEFAULT 0,
            containment TEXT
        );
        INSERT INTO delivery_3
            SELECT seq, id, key, sink, delivery.package, lead, provider.object, payload, delivery.outcome, why, metadata,
                attempts, deaths, unanswered, failures, due, containment
            FROM delivery LEFT JOIN provider ON provider.package = delivery.package AND provider.place = delivery.lead
            ORDER BY seq;
        DELETE FROM sqlite_sequence WHERE name = 'delivery_3';
        INSERT INTO sqlite_sequence (name, seq) SELECT 'delivery_3', seq FROM sqlite_sequence WHERE name = 'delivery';
        DROP TABLE delivery;
        ALTER TABLE delivery_3 RENAME TO delivery;
        CREATE INDEX delivery_package ON delivery (package);
        CREATE INDEX delivery_content ON delivery (object, sink);
        CREATE INDEX delivery_open ON delivery (sink, due) WHERE outcome = 'pending';
        CREATE INDEX delivery_trouble ON delivery (outcome, seq) WHERE outcome IN ('failed', 'quarantined');
        """
}
