internal import GRDB

extension CatalogSchema {
    /// Indexes over digests and identifiers whose newest entries lie together.
    ///
    /// A new one falls anywhere among all of them, and every page that it falls on is written again with its batch. So the
    /// newest have a small part of their own, whose pages a batch shares, however much is there.
    static func fourth(_ database: Database) throws { try database.execute(sql: mergedObjects + packagesInParts) }

    /// Every object that comes in is looked for. So there are two parts alone: ``ObjectRow`` merges the newer one with the
    /// other from time to time.
    private static let mergedObjects = """
        ALTER TABLE object ADD COLUMN merged INTEGER CHECK (merged = 1);
        UPDATE object SET merged = 1;
        DROP INDEX object_head;
        CREATE INDEX object_head ON object (substr(sha256, 1, 4)) WHERE merged = 1;
        CREATE INDEX object_new ON object (substr(sha256, 1, 4)) WHERE merged IS NULL;

        """

    /// A package whose first content is new is not looked for, nor one that is what its source yields already. So there may
    /// be many parts, of 32,768 packages each, and nothing is ever moved: a row of `package` is too wide for that.
    private static let packagesInParts = """
        DROP INDEX package_head;
        CREATE INDEX package_head ON package (seq >> 15, substr(id, 1, 8));

        """
}
