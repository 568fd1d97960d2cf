public import GroupContainer
internal import SQLite
public import ShareModel

extension SearchIndex {
    /// The number of packages that a search ranks. If more match, those with a hit in a title, a name or a tag come first,
    /// and then the newest, because ranking computes a score for every match.
    public static let standardRankLimit = 4_000

    /// The order of the results.
    public enum Order: String, Sendable, CaseIterable {
        /// The best hits first, and the newest of equal ones first.
        case best
        /// The newest content first, by ``SearchHit/date``.
        case newest
        /// The oldest content first.
        case oldest
    }

    /// The number of hits whose passages are found at a time.
    private static let hitPage = 50
    /// The largest number of results of one search.
    public static let resultLimit = 100_000

    /// Calls `body` for each package that matches, for at most `limit`. No read stays open while `body` runs.
    ///
    /// - Parameter unreadable: called for each package whose record cannot be read; by default it throws the error.
    /// - Returns: whether there are more than `limit`.
    /// - Throws: `ContainerError` if the index or the catalog fails; an error of `body` or `unreadable`, which ends the
    ///   search.
    @discardableResult
    public func search(
        _ query: SearchQuery, order: Order = .best, limit: Int,
        unreadable: (ContainerError) throws -> Void = { throw $0 }, _ body: (SearchHit) throws -> Void
    ) throws -> Bool {
        let limit = min(limit, Self.resultLimit)
        let (query, matches) = try converting {
            try file.queue.read { try rank($0, query, order, limit: limit + 1) }
        }
        var rest = try order == .best ? newestVersionsFirst(matches.prefix(limit)) : matches.prefix(limit)
        // The first page is the best hit alone, so that a person sees it at once.
        var size = 1
        while !rest.isEmpty {
            let page = rest.prefix(size)
            let found = try converting { try file.queue.read { try FoundWords.fetch($0, Array(page), query.match()) } }
            for package in page {
                let words = found[package] ?? FoundWords()
                try read(package, found: words.name, unreadable: unreadable) { try body(SearchHit($0, words)) }
            }
            rest = rest.dropFirst(size)
            size = Self.hitPage
        }
        return matches.count > limit
    }

    /// The number of best hits among which versions of one file are put in order.
    private static let versionLimit = 1_000

    /// The packages in their order, but for replaced ones: each is behind the one that replaced it, which takes its place.
    private func newestVersionsFirst(_ packages: ArraySlice<Int64>) throws -> ArraySlice<Int64> {
        let first = packages.prefix(Self.versionLimit)
        let rows = try reader.database.read { database in
            // Few packages are replaced, so the index finds each of the others. A join would read all packages.
            try Row.fetchAll(
                database,
                sql: """
                    SELECT seq, superseded_by FROM package
                    WHERE superseded_by IS NOT NULL AND seq IN (\(first.map(String.init).joined(separator: ", ")))
                    """
            ).compactMap { row -> (Int64, Int64)? in
                guard let old: Int64 = row.readable("seq"), let id: String = row.readable("superseded_by") else {
                    return nil
                }
                return try PackageRow.number(database, id: id).map { (old, $0) }
            }
        }
        let found = Set(first)
        let newer = Dictionary(rows.filter { found.contains($0.1) }) { $1 }
        guard !newer.isEmpty else { return packages }
        var ordered: [Int64] = []
        var seen: Set<Int64> = []
        for package in first where seen.insert(package).inserted {
            var versions = [package]
            while let next = versions.last.flatMap({ newer[$0] }), seen.insert(next).inserted { versions.append(next) }
            ordered += versions.reversed()
        }
        return ordered[...] + packages.dropFirst(first.count)
    }

    /// Calls `body` with a package, unless it was forgotten meanwhile.
    ///
    /// - Parameter found: the name by which the package was found.
    private func read(
        _ package: Int64, found: String?, unreadable: (ContainerError) throws -> Void,
        _ body: (PackageEntry) throws -> Void
    ) throws {
        let entry = try reader.database.read { database -> Result<PackageEntry, ContainerError>? in
            let query = try database.cachedStatement(
                sql: "SELECT \(PackageEntry.columns) FROM package WHERE seq = ?")
            guard let row = try Row.fetchOne(query, arguments: [package]) else { return nil }
            return try ContainerError.reading(packageOf: row) { try PackageEntry(database, row, found: found) }
        }
        switch entry {
        case .success(let entry): try body(entry)
        case .failure(let error): try unreadable(error)
        case nil: break
        }
    }

    /// Calls `body` for each package that matches, in the order in which they were stored. No read stays open while `body`
    /// runs.
    ///
    /// - Parameter unreadable: called for each package whose record cannot be read.
    /// - Throws: `ContainerError` if the index or the catalog fails; an error of `body` or `unreadable`, which ends the list.
    public func forEachPackage(
        _ query: SearchQuery, unreadable: (ContainerError) throws -> Void, _ body: (PackageEntry) throws -> Void
    ) throws {
        // All numbers at once: the index would look for the words again for each page.
        for package in try packages(query) { try read(package, found: nil, unreadable: unreadable, body) }
    }

    /// The numbers of the packages that match, in the order in which they were stored.
    ///
    /// - Throws: `ContainerError` if the index fails.
    public func packages(_ query: SearchQuery) throws -> [Int64] {
        try converting { try file.queue.read { try SearchSelection(query).fetch($0, nil, .max) } }
    }

    /// The parts of a query that no package has, as they were written.
    ///
    /// - Throws: `ContainerError` if the index fails.
    public func missing(_ query: SearchQuery) throws -> [String] {
        try converting {
            try file.queue.read { database in
                try query.parts.filter { try SearchSelection($0.query).fetch(database, "words.rowid DESC", 1).isEmpty }
                    .map(\.text)
            }
        }
    }

    /// The numbers of the packages, in order, and the query that found them: the given one, or the one without longer
    /// words if that finds enough.
    private func rank(
        _ database: Database, _ query: SearchQuery, _ order: Order, limit: Int
    ) throws -> (query: SearchQuery, packages: [Int64]) {
        let all = SearchSelection(query)
        switch order {
        case .oldest: return (query, try all.fetch(database, "entry.date, entry.package", limit))
        case .best where query.hasWords: break
        // Without a word there is nothing to rank.
        case .newest, .best: return (query, try all.fetch(database, "entry.date DESC, entry.package DESC", limit))
        }
        let enough = max(limit, rankLimit + 1)
        func newest(_ selection: SearchSelection) throws -> [Int64] {
            try selection.fetch(database, "words.rowid DESC", enough)
        }
        func best(_ selection: SearchSelection, _ newest: [Int64]) throws -> [Int64] {
            let isOrdered = newest.count < 2 || newest.count > rankLimit
            return isOrdered ? newest : try selection.fetch(database, "\(Self.score), words.rowid DESC", limit)
        }
        // The index visits all words with a beginning before it gives the first package, and packages with a frequent word
        // itself would come before the others anyway.
        var (used, selection) = (query.exact ?? query, SearchSelection(query.exact ?? query))
        var found = try newest(selection)
        // The score alone would put a word in a title behind short texts that have a longer word: it falls with the length
        // of all columns.
        let strong = SearchSelection(used, in: [.title, .names, .author, .tags])
        if query.exact != nil, found.count < enough {
            (used, selection) = (query, all)
            found = try newest(all)
        }
        let ranked = try best(strong, newest(strong)) + best(selection, found)
        var known: Set<Int64> = []
        return (used, Array(ranked.filter { known.insert($0).inserted }.prefix(limit)))
    }

    private static let score = "bm25(words, \(SearchColumn.allCases.map { String($0.weight) }.joined(separator: ", ")))"
}
