internal import GRDB

/// A row of the table `tag`: a word that a person gave a package.
enum TagRow {
    /// The tags of a package, in the order of their letters.
    static func fetch(_ database: Database, package: Int64) throws -> [String] {
        let query = try database.cachedStatement(sql: "SELECT word FROM tag WHERE package = ? ORDER BY word")
        return try String.fetchAll(query, arguments: [package])
    }
}
