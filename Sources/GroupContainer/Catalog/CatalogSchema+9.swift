internal import SQLite

extension CatalogSchema {
    /// Format 9: a delivery has the login under which it goes out. Both columns are `NULL` in one that needs none, or that came in
    /// before the first login.
    static func ninth(_ database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE delivery ADD COLUMN account TEXT;
                ALTER TABLE delivery ADD COLUMN user TEXT;
                DROP INDEX delivery_content;
                CREATE INDEX delivery_content ON delivery (object, sink, key, outcome, user);
                """)
    }
}
