internal import SQLite

/// The rows of the index that a query matches, as SQL.
struct SearchSelection {
    private let isOfWords: Bool
    private let number: String
    private var conditions: [String] = []
    private var arguments: [DatabaseValue] = []

    /// - Parameter columns: the columns in which words without a filter are looked for.
    init(_ query: SearchQuery, in columns: [SearchColumn] = SearchColumn.ofWords) {
        if let match = query.match(in: columns) {
            (isOfWords, number) = (true, "words.rowid")
            conditions.append("words MATCH ?")
            arguments.append(.text(match))
        } else {
            (isOfWords, number) = (false, "entry.package")
            if let excluded = query.excludedMatch {
                conditions.append("entry.package NOT IN (SELECT rowid FROM words WHERE words MATCH ?)")
                arguments.append(.text(excluded))
            }
        }
        // A date that is less exact than the filter, such as a year, is before all days of it.
        if let after = query.after {
            conditions.append("entry.date >= ?")
            arguments.append(.text(after))
        }
        if let before = query.before {
            conditions.append("entry.date < ? AND entry.date <> ''")
            arguments.append(.text(before))
        }
    }

    /// The numbers of at most `limit` packages, in the order in which they were stored if `order` is `nil`.
    func fetch(_ database: Database, _ order: String?, _ limit: Int) throws -> [Int64] {
        let condition = conditions.joined(separator: " AND ")
        let order = order ?? number
        // A join for each of thousands of words costs as much as finding them.
        let isJoined = isOfWords && (condition + order).contains("entry.")
        let table = isJoined ? "words JOIN entry ON entry.package = words.rowid" : isOfWords ? "words" : "entry"
        let query = try database.cachedStatement(
            sql: "SELECT \(number) FROM \(table) WHERE \(condition) ORDER BY \(order) LIMIT ?")
        return try Int64.fetchAll(query, arguments: StatementArguments(arguments + [.integer(Int64(limit))]))
    }
}
