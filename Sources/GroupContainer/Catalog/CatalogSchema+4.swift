internal import SQLite

extension CatalogSchema {
    /// Format 4: indexes over digests and identifiers that keep their newest entries together.
    ///
    /// A new digest falls anywhere in an index, and its batch rewrites that page. The newest entries have a small part
    /// of their own, whose pages all rows of a batch share, however large the container is.
    static func fourth(_ database: Database) throws { try database.execute(sql: mergedObjects + packagesInParts) }

    /// Writers look up many objects, and a lookup searches every part. Therefore there are only two parts:
    /// ``ObjectRow`` merges the newer one into the older one from time to time.
    private static let mergedObjects = """
        ALTER TABLE object ADD COLUMN merged INTEGER CHECK (merged = 1);
        UPDATE object SET merged = 1;
        DROP INDEX object_head;
        CREATE INDEX object_head ON object (substr(sha256, 1, 4)) WHERE merged = 1;
        CREATE INDEX object_new ON object (substr(sha256, 1, 4)) WHERE merged IS NULL;

        """

    /// Writers skip the lookup of a package if its first content is new, or if its source's current package matches. So
    /// there may be many parts, one for every 32,768 packages. No row moves from one to another, because the rows of
    /// `package` are too wide to rewrite.
    private static let packagesInParts = """
        DROP INDEX package_head;
        CREATE INDEX package_head ON package (seq >> 15, substr(id, 1, 8));

        """
}
