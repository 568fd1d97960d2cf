internal import FoundationEssentials
internal import SQLite
internal import ShareModel
internal import SystemPackage

/// What the index has of one package.
struct SearchRow {
    /// The number of bytes of all texts of one package that are indexed.
    static let textLimit = 8 << 20
    /// The number of bytes in each other column.
    static let columnLimit = 64 << 10
    /// The number of bytes of plain spellings.
    static let spellingsLimit = 1 << 20
    /// A word of its own, so that no phrase reaches over it. The tokenizer takes characters for private use as letters.
    static let spellingSeparator = " \u{E000} "
    /// Stands between two texts of a package.
    static let textSeparator = "\u{1C}"

    let package: Int64
    let id: String
    let seen: Int64
    var date = ""
    var type: String?
    private var columns = [SearchColumn: IndexedLines]()

    /// The number of bytes of all words.
    var size: Int { columns.values.reduce(0) { $0 + $1.text.utf8.count } }

    /// - Parameters:
    ///   - seen: the number of the last change of the container.
    ///   - description: the object with the package's description; `nil` for a plain file.
    ///   - text: the text in an object, at most as many bytes as the second value.
    init(
        _ receipt: Receipt, package: Int64, seen: Int64, description: Receipt.KeptInput? = nil,
        text: (Digest, Int) -> String?
    ) {
        self.package = package
        self.seen = seen
        id = receipt.id
        type = receipt.leadType?.description
        let deliveries = receipt.providers.flatMap(\.deliveries).filter { SinkWords.count(in: $0.outcome) }
        let findings = deliveries.map { SinkWords($0.metadata) }
        addNames(receipt)
        add(.tags, receipt.tags ?? [])
        for finding in findings {
            for (column, words) in finding.words { add(column, words) }
        }
        add(.sinks, receipt.providers.flatMap(\.deliveries).map(\.sink))
        add(
            .kind,
            receipt.providers.compactMap(\.type).map(KindWords.of)
                + receipt.providers.compactMap { KindWords.ending($0.name) }.map(KindWords.words(ofEnding:)))
        addTexts(receipt, deliveries, findings, description, text)
        let found = findings.lazy.compactMap(\.date).first
        // A person remembers the month of a photo, and types it as a word.
        if let found { add(.kind, SearchDate.words(found)) }
        date = SearchDate.of(receipt, found)
        addSpellings()
    }

    /// A package whose record cannot be read is found by its title and its path alone.
    init(damaged id: String, package: Int64, seen: Int64, title: String?, path: FilePath?, received: String?) {
        self.package = package
        self.seen = seen
        self.id = id
        add(.title, [title].compactMap(\.self))
        addPath(path.map { String(decoding: $0.bytes, as: UTF8.self) } ?? "")
        addSpellings()
        date = received.flatMap(SearchDate.local) ?? ""
    }

    private mutating func addNames(_ receipt: Receipt) {
        add(.title, ([receipt.item] + receipt.alternatives).compactMap { $0?.title })
        if receipt.source.kind.hasPath { addPath(receipt.source.path) }
        add(.names, receipt.providers.flatMap { [$0.name, $0.suggestedName].compactMap(\.self) })
        for sighting in receipt.sightings ?? [] {
            if sighting.source.kind.hasPath { addPath(sighting.source.path) }
            add(.names, sighting.names ?? [])
        }
    }

    private mutating func addPath(_ path: String) {
        var folders = path.split(separator: "/").map(String.init)
        guard let name = folders.popLast() else { return }
        add(.names, [name])
        add(
            .folder, [folders.dropFirst(Self.homeFolders(folders)).suffix(SearchHit.folderCount).joined(separator: "/")]
        )
        add(.path, [folders.joined(separator: "/")])
    }

    /// The number of first folders that lead to the home of a person, which all of their files have.
    private static func homeFolders(_ folders: [String]) -> Int {
        switch folders.first {
        case "home", "Users": 2
        case "root": 1
        default: 0
        }
    }

    private mutating func addTexts(
        _ receipt: Receipt, _ deliveries: [DeliveryRecord], _ findings: [SinkWords],
        _ description: Receipt.KeptInput?, _ text: (Digest, Int) -> String?
    ) {
        var lines = IndexedLines(limit: Self.textLimit, separator: Self.textSeparator)
        // Products first, so that a page is counted from the beginning of its document.
        let products = deliveries.flatMap(\.products).filter(\.isOfWords)
        let given = receipt.providers.filter(\.isText).compactMap(\.sha256)
        let links = Set(receipt.providers.filter { $0.type == .uriList }.compactMap(\.sha256))
        var seen: Set<Digest> = []
        for digest in products.map(\.sha256) + given where lines.room > 0 && seen.insert(digest).inserted {
            guard let text = text(digest, lines.room) else { continue }
            lines.add(links.contains(digest) ? Self.withoutPasswords(text) : text)
        }
        for text in ([receipt.item] + receipt.alternatives).compactMap({ $0?.text }) { lines.add(text) }
        if let description, let item = receipt.item, description.size <= DescriptionTexts.limit,
            let bytes = text(description.sha256, DescriptionTexts.limit)
        {
            for text in DescriptionTexts.find(in: bytes, item: item.index) { lines.add(text) }
        }
        for text in findings.flatMap(\.others) { lines.add(text) }
        columns[.text] = lines
    }

    /// Links, one in each line, without the passwords of their addresses, which no search should show.
    private static func withoutPasswords(_ links: String) -> String {
        links.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).withoutPassword }
            .joined(separator: "\n")
    }

    /// Adds the plain spellings of the words that a search without a filter finds.
    private mutating func addSpellings() {
        var lines = IndexedLines(limit: Self.spellingsLimit, separator: Self.spellingSeparator)
        for column in SearchColumn.ofWords {
            PlainSpelling.forEachWord(in: columns[column]?.text ?? "") { lines.add($0) }
        }
        columns[.spellings] = lines
    }

    private mutating func add(_ column: SearchColumn, _ words: [String]) {
        var lines = columns[column] ?? IndexedLines(limit: Self.columnLimit, separator: "\n")
        for word in words { lines.add(word) }
        columns[column] = lines
    }

    /// Replaces what the index has of the package.
    func write(_ database: Database) throws {
        if try database.number("SELECT 1 FROM entry WHERE package = ?", package) != nil {
            try database.run("DELETE FROM words WHERE rowid = ?", package)
        }
        try database.run(
            // REPLACE would begin a savepoint, and FTS5 then writes its words after each document.
            """
            INSERT INTO entry (package, id, seen, date, type) VALUES (?, ?, ?, ?, ?) ON CONFLICT (package) DO UPDATE
            SET id = excluded.id, seen = excluded.seen, date = excluded.date, type = excluded.type
            """, package, id, seen, date, type)
        let places = SearchColumn.allCases.map { _ in "?" }.joined(separator: ", ")
        let values = [.integer(package)] + SearchColumn.allCases.map { DatabaseValue.text(columns[$0]?.text ?? "") }
        let insert = try database.cachedStatement(
            sql: "INSERT INTO words (rowid, \(SearchColumn.list)) VALUES (?, \(places))")
        try insert.execute(arguments: StatementArguments(values))
    }
}

/// Texts of one column, each once, as far as there is room.
struct IndexedLines {
    private(set) var text = ""
    private let limit: Int
    private let separator: String
    private var known: Set<String> = []

    init(limit: Int, separator: String) {
        self.limit = limit
        self.separator = separator
    }

    /// The number of bytes that still have room.
    var room: Int { max(0, limit - text.utf8.count) }

    mutating func add(_ line: String) {
        guard room > 0, !line.isEmpty, known.insert(line).inserted else { return }
        let next = IndexedText.prepare(line.utf8.count > room ? line.cut(toBytes: room) : line)
        text += text.isEmpty ? next : separator + next
        if text.utf8.count > limit { text = text.cut(toBytes: limit) }
    }
}

extension Receipt {
    /// The type of the first part with content.
    var leadType: MediaType? { providers.lazy.compactMap(\.type).first }
}

extension Receipt.Provider {
    /// Whether the chosen representation was text or a link.
    fileprivate var isText: Bool { tried.contains { $0.outcome == .chosen && ($0.form == .text || $0.form == .link) } }
}

extension PackageSource.Kind {
    /// Whether the path of such a source is one on a disk, or a web address. That of standard input is only a
    /// placeholder.
    fileprivate var hasPath: Bool { self != .standardInput }
}

extension DeliveryRecord.Product {
    /// Whether it is text. One that begins as a mail does is concluded to be a mail.
    /// The markup of a page is no text, and its words are in another product.
    fileprivate var isOfWords: Bool { role == "text" || type.type == "text" && type != Self.page }

    private static let page = MediaType("text/html")
}
