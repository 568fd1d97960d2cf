internal import SQLite

extension CatalogSchema {
    /// Format 8: a delivery has the version of the sink that ended it, so that a newer one can get old content. It is
    /// `NULL` in a delivery of an earlier format, and in one that is only known from a bag.
    static func eighth(_ database: Database) throws {
        try database.execute(sql: "ALTER TABLE delivery ADD COLUMN version TEXT")
    }
}
