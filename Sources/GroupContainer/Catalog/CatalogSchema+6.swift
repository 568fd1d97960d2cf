internal import SQLite

extension CatalogSchema {
    /// Format 6: sightings of packages, duplicates that follow a delivery, and tombstones of forgotten packages.
    static func sixth(_ database: Database) throws {
        try database.execute(sql: followers + sightings + tombstones + unreadable)
    }

    /// A duplicate names the delivery that it follows. Earlier formats kept only a sentence with the beginning of its
    /// identifier. A duplicate that a sink answered has attempts, and follows none.
    ///
    /// The index over the leading objects has the key and the outcome too. One link that was shared often, with other
    /// captions each time, leads many deliveries with other keys.
    private static let followers = """
        DROP INDEX delivery_content;
        CREATE INDEX delivery_content ON delivery (object, sink, key, outcome);
        ALTER TABLE delivery ADD COLUMN leader INTEGER;
        UPDATE delivery SET leader = (
            SELECT seq FROM delivery AS other
            WHERE other.object IS delivery.object AND other.sink = delivery.sink AND other.key = delivery.key
                AND other.outcome IN ('delivered', 'pending', 'failed', 'quarantined', 'declined')
            ORDER BY other.outcome = 'delivered' DESC, seq LIMIT 1)
            WHERE outcome = 'duplicate' AND attempts = 0;
        UPDATE delivery SET why = NULL WHERE leader IS NOT NULL;
        CREATE INDEX delivery_leader ON delivery (leader) WHERE leader IS NOT NULL;

        """

    /// The first arrival of a package is in its own row, so `package` has only the key of it. `NULL` stands for a
    /// package of an earlier format. `modified` is in nanoseconds since 1970, and `NULL` if it is unknown.
    private static let sightings = """
        ALTER TABLE package ADD COLUMN sighting INTEGER;
        CREATE TABLE sighting (
            seq INTEGER PRIMARY KEY,
            package INTEGER NOT NULL REFERENCES package (seq) ON DELETE CASCADE,
            key INTEGER NOT NULL,
            source_kind TEXT NOT NULL,
            source_path BLOB NOT NULL,
            names TEXT,
            modified INTEGER,
            received TEXT NOT NULL,
            machine INTEGER NOT NULL
        );
        CREATE UNIQUE INDEX sighting_key ON sighting (package, key);
        ALTER TABLE provider ADD COLUMN modified INTEGER;

        """

    /// The changes of the kind `forgotten` are the tombstones. A stamp lets a walk skip a forgotten file without
    /// reading it. It has neither a name nor a digest of content; `package` is the identifier in the change.
    private static let tombstones = """
        CREATE INDEX change_forgotten ON change (subject) WHERE kind = 'forgotten';
        CREATE TABLE forgotten_source (
            machine INTEGER NOT NULL,
            device INTEGER NOT NULL,
            inode INTEGER NOT NULL,
            size INTEGER NOT NULL,
            modified INTEGER NOT NULL,
            changed INTEGER NOT NULL,
            package TEXT NOT NULL,
            PRIMARY KEY (machine, device, inode)
        ) WITHOUT ROWID;

        """

    /// Folders and bags that could not be read. A package that comes from within one shows that it is mended. The index
    /// is nearly always empty.
    private static let unreadable = """
        CREATE INDEX package_unreadable ON package (source_path)
            WHERE outcome = 'failed' AND source_kind = 'other' AND superseded_by IS NULL;

        """
}
