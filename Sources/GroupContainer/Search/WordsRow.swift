internal import GRDB
internal import ShareModel

/// A row of the full-text table `words`: the words by which a search finds a package. Its number is the package's.
///
/// FTS5 tokenizes a whole row again when a column of it grows, so the work for a row is its size. Two limits bound it:
/// the size of each column, and one update for each package and transaction.
///
/// A transaction of many packages writes these rows last, in the order of their numbers. FTS5 gathers words in memory.
/// It writes them as a separate segment at each savepoint, and SQLite sets one for many other statements. A number
/// below the last one has the same effect.
struct WordsRow {
    let package: Int64
    let title: String
    let names: String
    let body: String

    /// The number of bytes that are indexed of a package's names, of its own text, and of what one delivery found.
    static let textLimit = 64 << 10
    /// The number of bytes in the column `body` of one package: its own text, and what its deliveries found.
    static let bodyLimit = 256 << 10
    /// The number of free bytes in `body` below which nothing is added.
    private static let leastRoom = 64
    /// The number of bytes that are indexed of a title.
    static let titleLimit = 4 << 10
    /// The number of bytes of the names of later arrivals of one package.
    static let laterNamesLimit = 4 << 10

    /// - Parameters:
    ///   - text: the texts and links of the package's providers.
    ///   - found: what earlier deliveries found.
    init(_ receipt: Receipt, text: String?, found: [String] = [], package: Int64) {
        self.package = package
        title = (receipt.item?.title ?? "").storable.cut(toBytes: Self.titleLimit)
        var names = Names()
        names.add(Self.names(of: receipt))
        self.names = names.text
        let parts = [Self.body(receipt, text)] + found.filter { !$0.isEmpty }
        body = parts.joined(separator: "\n").cut(toBytes: Self.bodyLimit)
    }

    func insert(_ database: Database) throws {
        try database.run(
            "INSERT INTO words (rowid, title, names, body) VALUES (?, ?, ?, ?)", package, title, names, body)
    }

    /// Adds what deliveries found to the words of their package, as far as there is room.
    static func add(_ database: Database, _ texts: [String], package: Int64) throws {
        // One byte is the line feed before the text. A row that is nearly full is not written again for a word or two.
        let room = try bodyLimit - bytes(database, of: "body", package: package) - 1
        guard room >= leastRoom else { return }
        let found = texts.joined(separator: "\n").cut(toBytes: room)
        try database.run("UPDATE words SET body = body || char(10) || ? WHERE rowid = ?", found, package)
    }

    /// The number of bytes in the words of a package; 0 without a row.
    static func size(_ database: Database, package: Int64) throws -> Int {
        try bytes(database, of: "title || names || body", package: package)
    }

    private static func bytes(_ database: Database, of text: String, package: Int64) throws -> Int {
        Int(try database.number("SELECT length(CAST(\(text) AS BLOB)) FROM words WHERE rowid = ?", package) ?? 0)
    }

    /// Adds the names of later arrivals of a package.
    ///
    /// They are in a row of their own, whose number is the package's with a minus. The package's row may be a hundred
    /// times as large, and a folder that was copied brings new names of a thousand packages at once.
    static func addNames(_ database: Database, _ added: [String], package: Int64) throws {
        let query = try database.cachedStatement(sql: "SELECT title, names FROM words WHERE rowid = ?")
        guard let own = try Row.fetchOne(query, arguments: [package]) else { return }
        let later = try Row.fetchOne(query, arguments: [-package]).map { try $0.value("names") as String }
        var names = try Names(later ?? "", besides: own.value("names"), limit: laterNamesLimit)
        names.add(added)
        guard names.hasGrown else { return }
        guard later == nil else {
            return try database.run("UPDATE words SET names = ? WHERE rowid = ?", names.text, -package)
        }
        try database.run(
            "INSERT INTO words (rowid, title, names, body) VALUES (?, ?, ?, '')", -package,
            own.value("title") as String, names.text)
    }

    /// The words that a delivery found: the strings of the sink's metadata, and the text of its products. Empty if the
    /// delivery did not succeed. One that is open may have been made before, and keeps its words until the sink answers.
    static func words(of record: DeliveryRecord, text: String) -> String {
        guard [.delivered, .duplicate, .pending].contains(record.outcome) else { return "" }
        var words = ""
        collect(record.metadata ?? .null, &words)
        if !text.isEmpty { append(text, &words) }
        return words.storable.cut(toBytes: textLimit)
    }

    /// The strings in the metadata of a row of `delivery`; `nil` if the row is damaged.
    ///
    /// - Parameter row: with `id`, `sink`, `outcome` and `metadata`.
    static func words(of row: Row) -> String? {
        guard let text: String = row.readable("metadata"),
            let metadata = try? CatalogJSON.decode(JSONValue.self, text, "metadata"),
            let outcome: DeliveryOutcome = try? CatalogJSON.word(row.value("outcome")),
            let id: String = row.readable("id"), let sink: String = row.readable("sink")
        else { return nil }
        return words(of: DeliveryRecord(id: id, sink: sink, outcome: outcome, metadata: metadata), text: "")
    }

    private static func body(_ receipt: Receipt, _ text: String?) -> String {
        [receipt.item?.text, text].compactMap(\.self).joined(separator: "\n").storable.cut(toBytes: textLimit)
    }

    /// Collects the strings in a sink's metadata, such as a title and an author, until there are enough.
    private static func collect(_ value: JSONValue, _ words: inout String) {
        guard words.utf8.count < textLimit else { return }
        switch value {
        case .string(let text): if !text.isEmpty { append(text, &words) }
        case .array(let values): for value in values { collect(value, &words) }
        // Sorted, because a dictionary has another order in each process.
        case .object(let values): for (_, value) in values.sorted(by: { $0.key < $1.key }) { collect(value, &words) }
        case .null, .bool, .integer, .number: break
        }
    }

    private static func append(_ text: String, _ words: inout String) {
        if !words.isEmpty { words += "\n" }
        words += text
    }
}

extension WordsRow {
    /// The names of the source and of its providers.
    static func names(of receipt: Receipt) -> [String] {
        let names = receipt.providers.flatMap { [$0.name, $0.suggestedName].compactMap(\.self) }
        return fileName(receipt.source.kind, receipt.source.path) + names
    }

    /// The last component of a path. The path of standard input is only a placeholder.
    fileprivate static func fileName(_ kind: PackageSource.Kind, _ path: String) -> [String] {
        guard kind != .standardInput, let last = path.utf8.split(separator: UInt8(ascii: "/")).last else { return [] }
        return [String(Substring(last))]
    }

    /// Names of a package, each once and on a line of its own, as far as there is room.
    struct Names {
        private(set) var text: String
        /// Whether a name was added.
        private(set) var hasGrown = false
        private let limit: Int
        private var known: Set<Substring>
        private var isFull: Bool

        /// - Parameters:
        ///   - text: the names so far.
        ///   - others: names that are not added either.
        ///   - limit: the number of bytes of names.
        init(_ text: String = "", besides others: String = "", limit: Int = WordsRow.textLimit) {
            self.text = text
            self.limit = limit
            known = Set(text.split(separator: "\n")).union(others.split(separator: "\n"))
            isFull = text.utf8.count >= limit
        }

        /// Adds names, as far as there is room.
        mutating func add(_ names: [String]) { for name in names where !isFull { add(name[...]) } }

        private mutating func add(_ name: Substring) {
            guard !isFull, !name.isEmpty, known.insert(name).inserted else { return }
            let line = (text.isEmpty ? String(name) : "\n" + name).storable
            let room = limit - text.utf8.count
            isFull = line.utf8.count >= room
            text += line.cut(toBytes: room)
            hasGrown = true
        }
    }
}

extension PackageSighting {
    /// The names of the source and of its providers.
    var allNames: [String] { WordsRow.fileName(kind, path.string) + names }
}
