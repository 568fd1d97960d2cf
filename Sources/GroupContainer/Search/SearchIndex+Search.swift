internal import GRDB
internal import ShareModel

extension SearchIndex {
    /// The number of packages that a search ranks. If more match, those with a hit in a title, a name or a tag come first,
    /// and then the newest, because ranking computes a score for every match.
    public static let rankLimit = 10_000

    /// The order of the results.
    public enum Order: String, Sendable, CaseIterable {
        /// The best hits first, and the newest of equal ones first.
        case best
        /// The newest content first, by ``SearchHit/date``.
        case newest
        /// The oldest content first.
        case oldest
    }

    /// Calls `body` for each package that matches, for at most `limit`. No read stays open while `body` runs.
    ///
    /// - Parameter unreadable: called for each package whose record cannot be read; by default it throws the error.
    /// - Throws: ``ContainerError`` if the index or the catalog fails; an error of `body` or `unreadable`, which ends the
    ///   search.
    public func search(
        _ query: SearchQuery, order: Order = .best, limit: Int,
        unreadable: (ContainerError) throws -> Void = { throw $0 }, _ body: (SearchHit) throws -> Void
    ) throws {
        let matches = try Self.converting(reader.layout) {
            try file.queue.read { try Self.matches($0, query, order, limit: limit) }
        }
        for package in matches {
            switch try hit(package, query) {
            case .success(let hit): try body(hit)
            case .failure(let error): try unreadable(error)
            case nil: continue
            }
        }
    }

    /// `nil` if the package was forgotten meanwhile.
    private func hit(_ package: Int64, _ query: SearchQuery) throws -> Result<SearchHit, ContainerError>? {
        let found = try Self.converting(reader.layout) {
            try file.queue.read { try Found($0, package: package, query.match()) }
        }
        return try reader.catalog.database.read { database in
            let query = try database.cachedStatement(
                sql: "SELECT \(PackageEntry.columns) FROM package WHERE seq = ?")
            guard let row = try Row.fetchOne(query, arguments: [package]) else { return nil }
            return try ContainerError.reading(packageOf: row) {
                SearchHit(
                    entry: try PackageEntry(database, row, found: found.name), type: found.type,
                    kind: found.type.map(KindWords.word), date: found.date, snippet: found.snippet)
            }
        }
    }

    /// What the index has of a hit.
    private struct Found {
        var type: MediaType?
        var date = ""
        /// The name with the most hits; the earliest of equals.
        var name: String?
        var snippet: SearchHit.Snippet?

        private static let columns: [SearchColumn] = [.text, .author, .people, .tags, .folder]

        init(_ database: Database, package: Int64, _ match: String?) throws {
            let facts = try database.cachedStatement(sql: "SELECT date, type FROM entry WHERE package = ?")
            if let row = try Row.fetchOne(facts, arguments: [package]) {
                date = row.readable("date") ?? ""
                type = (row.readable("type") as String?).flatMap { MediaType($0) }
            }
            guard let match else { return }
            let marked = ([.names] + Self.columns).map { "highlight(words, \($0.index), char(1), char(2))" }
            let texts = try database.cachedStatement(
                sql: "SELECT \(marked.joined(separator: ", ")) FROM words WHERE words MATCH ? AND rowid = ?")
            guard let row = try Row.fetchOne(texts, arguments: [match, package]) else { return }
            name = Self.name(row[0] ?? "")
            for (index, column) in Self.columns.enumerated() where snippet == nil {
                snippet = SnippetFinder.find(row[index + 1] ?? "", source: column)
            }
        }

        private static func name(_ marked: String) -> String? {
            let names = marked.unicodeScalars.split(separator: "\n").map { name in
                (hits: name.count(where: { $0 == "\u{1}" }), name: name)
            }
            guard let most = names.map(\.hits).max(), most > 0, let best = names.first(where: { $0.hits == most })
            else { return nil }
            var name = String.UnicodeScalarView()
            name.append(contentsOf: best.name.filter { $0 != "\u{1}" && $0 != "\u{2}" })
            return IndexedText.restore(String(name))
        }
    }

    private static func matches(_ database: Database, _ query: SearchQuery, _ order: Order, limit: Int) throws
        -> [Int64]
    {
        var conditions: [String] = []
        var arguments: [any DatabaseValueConvertible] = []
        if let match = query.match() {
            conditions.append("words MATCH ?")
            arguments.append(match)
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
        let hasDates = query.after != nil || query.before != nil
        let table =
            query.match() == nil
            ? "entry" : hasDates || order != .best ? "words JOIN entry ON package = words.rowid" : "words"
        let number = query.match() == nil ? "package" : "words.rowid"
        let select = "SELECT \(number) FROM \(table) WHERE \(conditions.joined(separator: " AND "))"
        func fetch(_ ending: String, _ more: Int) throws -> [Int64] {
            try Int64.fetchAll(
                database.cachedStatement(sql: "\(select) \(ending) LIMIT ?"),
                arguments: StatementArguments(arguments + [more]))
        }
        switch order {
        case .newest: return try fetch("ORDER BY entry.date DESC, \(number) DESC", limit)
        case .oldest: return try fetch("ORDER BY entry.date, \(number)", limit)
        case .best where query.match() == nil: return try fetch("ORDER BY entry.date DESC, package DESC", limit)
        case .best: break
        }
        let newest = try fetch("ORDER BY words.rowid DESC", rankLimit + 1)
        guard newest.count > rankLimit else { return try fetch("ORDER BY \(score), words.rowid DESC", limit) }
        guard let strong = query.match(in: [.title, .names, .author, .tags]) else { return newest }
        arguments[0] = strong
        let first = try fetch("ORDER BY words.rowid DESC", rankLimit + 1)
        let best = first.count > rankLimit ? first : try fetch("ORDER BY \(score), words.rowid DESC", limit)
        var known: Set<Int64> = []
        return Array((best + newest).lazy.filter { known.insert($0).inserted }.prefix(limit))
    }

    private static let score = "bm25(words, \(SearchColumn.allCases.map { String($0.weight) }.joined(separator: ", ")))"
}

extension PackageEntry {
    /// The columns of `package` that ``init(_:_:found:)`` reads.
    static let columns = """
        seq, id, outcome, source_kind, source_path, received, bytes, title, superseded_by, reason,
        \(LostObjects.count) AS lost, \(LeadName.sql) AS lead_name,
        EXISTS (SELECT 1 FROM sighting WHERE sighting.package = package.seq) AS is_sighted,
        EXISTS (SELECT 1 FROM tag WHERE tag.package = package.seq) AS is_tagged
        """
}
