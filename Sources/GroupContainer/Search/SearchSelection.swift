internal import GRDB

/// The rows of the index that a query matches, as SQL.
struct SearchSelection {
    private let table: String
    private let number: String
    private var conditions: [String] = []
    private var arguments: [any DatabaseValueConvertible] = []

    /// - Parameter columns: the columns in which words without a filter are looked for.
    init(_ query: SearchQuery, in columns: [SearchColumn] = SearchColumn.ofWords) {
        if let match = query.match(in: columns) {
            (table, number) = ("words JOIN entry ON entry.package = words.rowid", "words.rowid")
            conditions.append("words MATCH ?")
            arguments.append(match)
        } else {
            (table, number) = ("entry", "entry.package")
            if let excluded = query.excludedMatch {
                conditions.append("entry.package NOT IN (SELECT rowid FROM words WHERE words MATCH ?)")
                arguments.append(excluded)
            }
        }
        // A date that is less exact than the filter, such as a year, is before all days of it.
        if let after = query.after {
            conditions.append("entry.date >= ?")
            arguments.append(after)
        }
        if let before = query.before {
            conditions.append("entry.date < ? AND entry.date <> ''")
            arguments.append(before)
        }
    }

    /// The numbers of at most `limit` packages, in the order in which they were stored if `order` is `nil`.
    func fetch(_ database: Database, _ order: String?, _ limit: Int) throws -> [Int64] {
        let query = try database.cachedStatement(
            sql: """
                SELECT \(number) FROM \(table) WHERE \(conditions.joined(separator: " AND "))
                ORDER BY \(order ?? number) LIMIT ?
                """)
        return try Int64.fetchAll(query, arguments: StatementArguments(arguments + [limit]))
    }
}
