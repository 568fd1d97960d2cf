internal import SQLite
internal import ShareModel

extension CatalogSchema {
    /// Format 2: digests as bytes, numbered objects, stamps of sources, observers of the feed, full text, readable
    /// names.
    static func second(_ database: Database) throws {
        try database.add(function: "digest_bytes") { Digest($0)?.blob }
        try database.execute(sql: objects + packages + deliveries + additions)
    }

    /// Other tables name an object by a number instead of its digest. An index over numbers grows at its end; an index
    /// over digests changes everywhere.
    private static let objects = """
        ALTER TABLE object RENAME TO object_1;
        CREATE TABLE object (
            seq INTEGER PRIMARY KEY,
            sha256 BLOB UNIQUE NOT NULL,
            size INTEGER NOT NULL,
            lost TEXT
        );
        INSERT INTO object (sha256, size) SELECT digest_bytes(sha256), size FROM object_1 ORDER BY sha256;
        CREATE INDEX object_lost ON object (sha256) WHERE lost IS NOT NULL;

        """

    private static let packages = """
        CREATE TABLE record (
            package INTEGER NOT NULL REFERENCES package (seq) ON DELETE CASCADE,
            place INTEGER NOT NULL,
            object INTEGER NOT NULL REFERENCES object (seq),
            PRIMARY KEY (package, place)
        ) WITHOUT ROWID;
        CREATE INDEX record_object ON record (object);
        INSERT INTO record (package, place, object)
            SELECT package.seq, 0, object.seq FROM package JOIN object ON object.sha256 = digest_bytes(package.manifest);

        CREATE TABLE provider_2 (
            package INTEGER NOT NULL REFERENCES package (seq) ON DELETE CASCADE,
            place INTEGER NOT NULL,
            outcome TEXT NOT NULL,
            name TEXT NOT NULL,
            type TEXT,
            object INTEGER REFERENCES object (seq),
            PRIMARY KEY (package, place)
        ) WITHOUT ROWID;
        INSERT INTO provider_2
            SELECT package, place, outcome, name, type, object.seq
            FROM provider LEFT JOIN object ON object.sha256 = digest_bytes(provider.object);
        DROP TABLE provider;
        ALTER TABLE provider_2 RENAME TO provider;
        CREATE INDEX provider_object ON provider (object) WHERE object IS NOT NULL;

        ALTER TABLE package DROP COLUMN manifest;
        CREATE INDEX package_trouble ON package (outcome, seq) WHERE outcome IN ('failed', 'partial');

        """

    /// The payload shrinks to the roles of the parts, because the receipt holds the rest.
    private static let deliveries = """
        UPDATE delivery SET payload = coalesce(
            (SELECT group_concat(value ->> 'role', ' ') FROM json_each(payload, '$.parts')), '')
            WHERE json_valid(payload);
        CREATE INDEX delivery_trouble ON delivery (outcome, seq) WHERE outcome IN ('failed', 'quarantined');

        CREATE TABLE product_2 (
            delivery INTEGER NOT NULL REFERENCES delivery (seq) ON DELETE CASCADE,
            place INTEGER NOT NULL,
            role TEXT NOT NULL,
            name TEXT NOT NULL,
            type TEXT NOT NULL,
            object INTEGER NOT NULL REFERENCES object (seq),
            PRIMARY KEY (delivery, place)
        ) WITHOUT ROWID;
        INSERT INTO product_2
            SELECT delivery, place, role, name, type, object.seq
            FROM product JOIN object ON object.sha256 = digest_bytes(product.object);
        DROP TABLE product;
        ALTER TABLE product_2 RENAME TO product;
        CREATE INDEX product_object ON product (object);
        DROP TABLE object_1;

        """

    private static let additions = """
        CREATE TABLE source (
            path BLOB PRIMARY KEY NOT NULL,
            package INTEGER NOT NULL REFERENCES package (seq) ON DELETE CASCADE,
            device INTEGER NOT NULL,
            inode INTEGER NOT NULL,
            size INTEGER NOT NULL,
            modified INTEGER NOT NULL,
            changed INTEGER NOT NULL
        ) WITHOUT ROWID;

        CREATE TABLE meta (
            name TEXT PRIMARY KEY NOT NULL,
            value TEXT NOT NULL
        ) WITHOUT ROWID;

        CREATE TABLE observer (
            name TEXT PRIMARY KEY NOT NULL,
            epoch TEXT NOT NULL,
            seen INTEGER NOT NULL
        ) WITHOUT ROWID;

        CREATE TABLE shelf (
            key TEXT PRIMARY KEY NOT NULL,
            path TEXT NOT NULL,
            package INTEGER NOT NULL,
            place INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX shelf_package ON shelf (package, place);
        CREATE INDEX shelf_path ON shelf (path);

        CREATE VIRTUAL TABLE words USING fts5 (title, names, body, tokenize = "unicode61 remove_diacritics 2");
        """
}
