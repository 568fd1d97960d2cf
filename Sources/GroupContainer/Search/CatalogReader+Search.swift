internal import GRDB
public import ShareModel
internal import SystemPackage

extension CatalogReader {
    /// The number of packages that a search ranks. If more match, the newest come first instead, because ranking
    /// computes a score for every match.
    public static let rankLimit = 10_000

    /// Calls `body` for each package that matches, the best first and the newest of equal ones first; for at most
    /// `limit`.
    ///
    /// - Parameter unreadable: called for each package whose record cannot be read; by default it throws the error.
    /// - Throws: ``ContainerError`` if the catalog fails; an error of `body` or `unreadable`, which ends the search.
    public func search(
        _ query: SearchQuery, limit: Int, unreadable: (ContainerError) throws -> Void = { throw $0 },
        _ body: (PackageEntry) throws -> Void
    ) throws {
        var matches = try catalog.database.read { try Self.matches($0, query, limit: limit) }[...]
        // No transaction stays open while `body` runs. A slow reader would otherwise keep the write-ahead log from
        // being truncated.
        while !matches.isEmpty {
            let page = matches.prefix(Self.pageLimit)
            matches = matches.dropFirst(Self.pageLimit)
            for entry in try entries(page, query) {
                switch entry {
                case .success(let entry): try body(entry)
                case .failure(let error): try unreadable(error)
                }
            }
        }
    }

    /// - Parameter numbers: as ``matches(_:_:limit:)`` returns them.
    private func entries(_ numbers: ArraySlice<Int64>, _ query: SearchQuery) throws
        -> [Result<PackageEntry, ContainerError>]
    {
        try catalog.database.read { database in
            let package = try database.cachedStatement(
                sql: "SELECT \(PackageEntry.columns) FROM package WHERE seq = ?")
            return try numbers.compactMap { number in
                guard let row = try Row.fetchOne(package, arguments: [abs(number)]) else { return nil }
                let found = number < 0 ? try Self.laterName(database, query, row: number) : nil
                return try ContainerError.reading(packageOf: row) { try PackageEntry(database, row, found: found) }
            }
        }
    }

    /// The name in a row of later names that has most of the words; `nil` if only the title has any.
    private static func laterName(_ database: Database, _ query: SearchQuery, row: Int64) throws -> String? {
        let marked = try String.fetchOne(
            database,
            sql: "SELECT highlight(words, 1, char(1), char(2)) FROM words WHERE words MATCH ? AND rowid = ?",
            arguments: [query.words.joined(separator: " OR "), row])
        let names = (marked ?? "").unicodeScalars.split(separator: "\n").map { name in
            (hits: name.count(where: { $0 == "\u{1}" }), name: name)
        }
        // The earliest of equals.
        guard let most = names.map({ $0.hits }).max(), most > 0, let best = names.first(where: { $0.hits == most })
        else { return nil }
        var name = String.UnicodeScalarView()
        name.append(contentsOf: best.name.filter { $0 != "\u{1}" && $0 != "\u{2}" })
        return String(name)
    }

    /// The numbers of the packages, with a minus where only the row of later names has all words, or is needed for them.
    private static func matches(_ database: Database, _ query: SearchQuery, limit: Int) throws -> [Int64] {
        let rows = try rows(database, query, limit: limit)
        return packages(try rows + rowsInPairs(database, query, limit: limit), limit)
    }

    /// The rows that have all words.
    private static func rows(_ database: Database, _ query: SearchQuery, limit: Int) throws -> [Int64] {
        // A row of later names has the number of its package with a minus. Both queries read in the order of the index.
        let newest = try ["> 0 ORDER BY rowid DESC", "< 0 ORDER BY rowid"].flatMap { half in
            try Int64.fetchAll(
                database, sql: "SELECT rowid FROM words WHERE words MATCH ? AND rowid \(half) LIMIT ?",
                arguments: [query.match, rankLimit + 1])
        }
        guard newest.count <= rankLimit else { return newest.sorted { abs($0) > abs($1) } }
        // The weights of the columns: a match in the title ranks above one in a name, and that above one in a text. A
        // package has at most two rows.
        return try Int64.fetchAll(
            database,
            sql: "SELECT rowid FROM words WHERE words MATCH ? ORDER BY bm25(words, 8, 4, 1), rowid DESC LIMIT ?",
            arguments: [query.match, limit > rankLimit ? rankLimit : 2 * limit])
    }

    /// The number of rows of later names above which a word is too common to look for pairs.
    private static let pairLimit = 1_000

    /// The rows of later names that have all words together with their package's own row, the newest package first.
    private static func rowsInPairs(_ database: Database, _ query: SearchQuery, limit: Int) throws -> [Int64] {
        guard query.words.count > 1 else { return [] }
        let later = try database.cachedStatement(
            sql: "SELECT rowid FROM words WHERE words MATCH ? AND rowid < 0 LIMIT \(pairLimit + 1)")
        let pair = try database.cachedStatement(sql: "SELECT 1 FROM words WHERE words MATCH ? AND rowid IN (?, ?)")
        let found = try query.words.map { try Int64.fetchAll(later, arguments: [$0]) }.filter { $0.count <= pairLimit }
        var pairs: [Int64] = []
        // The numbers are negative, so the newest package comes first.
        for row in Set(found.joined()).sorted() where pairs.count < limit {
            let hasAll = try query.words.allSatisfy { try Int.fetchOne(pair, arguments: [$0, row, -row]) != nil }
            if hasAll { pairs.append(row) }
        }
        return pairs
    }

    /// The packages of rows, each once, with a minus if its own row is not among them. A row with a negative number has
    /// the names of a package's later arrivals.
    private static func packages(_ rows: [Int64], _ limit: Int) -> [Int64] {
        let own = Set(rows.filter { $0 > 0 })
        var known: Set<Int64> = []
        let packages = rows.filter { known.insert(abs($0)).inserted }.prefix(limit)
        return packages.map { own.contains(abs($0)) ? abs($0) : $0 }
    }
}

extension PackageEntry {
    /// The columns of `package` that ``init(_:_:found:)`` reads.
    static let columns = """
        seq, id, outcome, source_kind, source_path, received, bytes, title, superseded_by, reason,
        \(LostObjects.count) AS lost, \(LeadName.sql) AS lead_name,
        EXISTS (SELECT 1 FROM sighting WHERE sighting.package = package.seq) AS is_sighted
        """
}
