internal import GRDB
internal import ShareModel

extension WordsRow {
    /// Writes the words of every package, for a catalog that has no words yet.
    static func insertAll(_ database: Database, _ context: MigrationContext) throws {
        let packages = try Row.fetchCursor(database, sql: "SELECT seq, id, receipt FROM package ORDER BY seq")
        while let row = try packages.next() {
            // One unreadable receipt must not stop the migration. No search finds its package; its rows stay as they
            // are.
            guard let receipt = try? CatalogJSON.decode(Receipt.self, row.value("receipt"), "receipt") else {
                context.unreadable(row["id"])
                continue
            }
            let texts = receipt.providers.filter(\.isText).compactMap(\.sha256).compactMap(context.text)
            let text = texts.isEmpty ? nil : texts.joined(separator: "\n")
            try WordsRow(receipt, text: text, package: row["seq"]).insert(database)
        }
        let deliveries = try Row.fetchCursor(
            database, sql: "SELECT package, id, sink, outcome, metadata FROM delivery WHERE metadata IS NOT NULL")
        while let row = try deliveries.next() {
            // No search finds what such a delivery found.
            guard let words = words(of: row) else { continue }
            if !words.isEmpty { try add(database, [words], package: row["package"]) }
        }
    }
}

extension Receipt.Provider {
    /// Whether the chosen representation was text or a link.
    fileprivate var isText: Bool { tried.contains { $0.outcome == .chosen && ($0.form == .text || $0.form == .link) } }
}
