internal import GRDB
internal import ShareModel

/// A row of the full-text table `words`: the words by which a search finds a package. Its number is the package's.
///
/// A transaction of many packages writes these rows last, in the order of their numbers. FTS5 gathers words in memory.
/// It writes them as a separate segment at each savepoint, and SQLite sets one for many other statements. A number
/// below the last one has the same effect.
struct WordsRow {
    let package: Int64
    let title: String
    let names: String
    let body: String

    /// The number of bytes that are indexed of a package's text, and of the text of each of its deliveries.
    static let textLimit = 64 << 10

    /// - Parameter text: the texts and links of the package's providers.
    init(_ receipt: Receipt, text: String?, package: Int64) {
        self.package = package
        title = receipt.item?.title ?? ""
        names = Self.names(receipt)
        body = Self.body(receipt, text)
    }

    func insert(_ database: Database) throws {
        try database.run(
            "INSERT INTO words (rowid, title, names, body) VALUES (?, ?, ?, ?)", package, title, names, body)
    }

    /// Adds the strings of a sink's metadata and the text of its products, if the delivery succeeded.
    static func add(_ database: Database, _ record: DeliveryRecord, text: String, delivery: Int64) throws {
        guard record.outcome == .delivered || record.outcome == .duplicate else { return }
        let found = (strings(record.metadata ?? .null) + [text]).filter { !$0.isEmpty }.joined(separator: "\n")
        guard !found.isEmpty else { return }
        let update = try database.cachedStatement(
            sql: """
                UPDATE words SET body = body || char(10) || ?
                WHERE rowid = (SELECT package FROM delivery WHERE seq = ?)
                """)
        try update.execute(arguments: [found.cut(toBytes: textLimit), delivery])
    }

    /// The names of the source and of its providers, each once.
    private static func names(_ receipt: Receipt) -> String {
        var names: [Substring] = []
        // The path of standard input is only a placeholder.
        if receipt.source.kind != .standardInput,
            let last = receipt.source.path.utf8.split(separator: UInt8(ascii: "/")).last
        {
            names.append(Substring(last))
        }
        for provider in receipt.providers {
            for name in [provider.name, provider.suggestedName ?? ""] where !names.contains(name[...]) {
                names.append(name[...])
            }
        }
        return names.joined(separator: "\n").cut(toBytes: textLimit)
    }

    private static func body(_ receipt: Receipt, _ text: String?) -> String {
        [receipt.item?.text, text].compactMap(\.self).joined(separator: "\n").cut(toBytes: textLimit)
    }

    /// The strings in a sink's metadata, such as a title and an author.
    private static func strings(_ value: JSONValue) -> [String] {
        switch value {
        case .string(let text): [text]
        case .array(let values): values.flatMap(strings)
        // Sorted, because a dictionary has another order in each process.
        case .object(let values): values.sorted { $0.key < $1.key }.flatMap { strings($0.value) }
        case .null, .bool, .integer, .number: []
        }
    }
}
