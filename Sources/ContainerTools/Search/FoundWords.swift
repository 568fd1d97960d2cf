internal import SQLite
internal import ShareModel

/// What the index has of a hit.
struct FoundWords {
    var type: MediaType?
    var date = ""
    /// The name with the most hits; the earliest of equals.
    var name: String?
    var snippet: SearchHit.Snippet?
    /// The first title.
    var title: String?

    private static let columns: [SearchColumn] = [.text, .author, .people, .tags, .folder]

    /// - Parameter match: the expression of the full-text index; `nil` if no word is looked for.
    static func fetch(_ database: Database, _ packages: [Int64], _ match: String?) throws -> [Int64: FoundWords] {
        var found: [Int64: FoundWords] = [:]
        let list = packages.map(String.init).joined(separator: ", ")
        let facts = try Row.fetchCursor(
            database, sql: "SELECT package, date, type FROM entry WHERE package IN (\(list))")
        while let row = try facts.next() {
            var words = FoundWords()
            words.date = row.readable("date") ?? ""
            words.type = (row.readable("type") as String?).flatMap { MediaType($0) }
            found[try row.value("package")] = words
        }
        let titles = try Row.fetchCursor(database, sql: "SELECT rowid, title FROM words WHERE rowid IN (\(list))")
        while let row = try titles.next() {
            let package: Int64 = try row.value("rowid")
            let first = (row.readable("title") as String?)?.split(separator: "\n").first
            found[package]?.title = first.map { IndexedText.restore($0) }
        }
        guard let match else { return found }
        let marked = ([.names] + columns).map { "highlight(words, \($0.index), char(1), char(2))" }
        // One query for all of them, because the beginnings of words are looked for again in each. Row by row, because
        // a text may be long.
        let texts = try Row.fetchCursor(
            database,
            sql:
                "SELECT rowid, \(marked.joined(separator: ", ")) FROM words WHERE words MATCH ? AND rowid IN (\(list))",
            arguments: [match])
        while let row = try texts.next() {
            let package: Int64 = try row.value("rowid")
            found[package]?.name = (try? String(databaseValue: row[1])).flatMap(name)
            for (index, column) in columns.enumerated() where found[package]?.snippet == nil {
                let text = try? String(databaseValue: row[index + 2])
                found[package]?.snippet = text.flatMap { SnippetFinder.find($0, source: column) }
            }
        }
        return found
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

extension SearchHit {
    init(_ entry: PackageEntry, _ found: FoundWords) {
        self.init(
            entry: entry, type: found.type, kind: found.type.map(KindWords.word), foundTitle: found.title,
            date: found.date, snippet: found.snippet)
    }
}
