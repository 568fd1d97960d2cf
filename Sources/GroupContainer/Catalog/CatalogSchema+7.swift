internal import SQLite

extension CatalogSchema {
    /// Format 7: the words for searches are in a file of their own, and packages have tags.
    static func seventh(_ database: Database) throws {
        try database.execute(
            sql: """
                DROP TABLE words;
                CREATE TABLE tag (
                    package INTEGER NOT NULL REFERENCES package (seq) ON DELETE CASCADE,
                    word TEXT NOT NULL,
                    PRIMARY KEY (package, word)
                ) WITHOUT ROWID;
                CREATE INDEX tag_word ON tag (word);
                """)
    }
}
