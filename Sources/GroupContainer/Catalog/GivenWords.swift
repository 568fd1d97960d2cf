internal import SQLite
public import ShareModel

/// The title and the text that a person gave a package whose source has no words of its own, such as a file.
///
/// A later run that reads the source again knows nothing of them. The package keeps them as long as it has the same
/// content, also if a part of that could not be read then or cannot be read now.
public struct GivenWords: Sendable, Hashable {
    /// The title; `nil` if the package has none.
    public var title: String?
    /// The text; `nil` if the package has none.
    public var text: String?
    /// The content of each provider, in their order; `nil` for a provider without content.
    public var contents: [Digest?]

    /// Words, and the content that has them.
    public init(title: String?, text: String?, contents: [Digest?]) {
        (self.title, self.text, self.contents) = (title, text, contents)
    }

    /// Whether the words are those of this content: a digest for each provider; `nil` for one without content.
    package func belong(to contents: [Digest?]) -> Bool {
        let pairs = zip(self.contents, contents)
        return self.contents.count == contents.count && pairs.contains { $0 != nil && $0 == $1 }
            && pairs.allSatisfy { $0 == nil || $1 == nil || $0 == $1 }
    }

    /// The words of the item of a receipt; `nil` if it has none.
    public init?(_ receipt: Receipt) {
        guard let item = receipt.item, item.title != nil || item.text != nil else { return nil }
        self.init(title: item.title, text: item.text, contents: receipt.providers.map(\.sha256))
    }
}

extension GivenWords {
    /// SQL for a package with words that a person gave: one with a title or a text, and with an arrival that has none.
    package static let areGiven = """
        iif(json_valid(receipt), coalesce(receipt ->> '$.item.title', receipt ->> '$.item.text'), NULL) IS NOT NULL
        AND (package.source_kind IN \(wordless) OR EXISTS (
            SELECT 1 FROM sighting WHERE sighting.package = package.seq AND sighting.source_kind IN \(wordless)))
        """

    private static let wordless: String = {
        let kinds = PackageSource.Kind.allCases.filter(\.isWordless).map { "'\($0.rawValue)'" }
        return "(\(kinds.joined(separator: ", ")))"
    }()

    /// Whether a package of the container has this content, and words that a person gave.
    static func exist(_ database: Database, with contents: [Digest?]) throws -> Bool {
        guard let first = contents.lazy.compactMap(\.self).first, let object = try ObjectRow.seq(database, first) else {
            return false
        }
        let query = try database.cachedStatement(
            sql: """
                SELECT receipt FROM package
                WHERE seq IN (SELECT package FROM provider WHERE object = ?) AND \(areGiven)
                """)
        let receipts = try String.fetchCursor(query, arguments: [object])
        while let text = try receipts.next() {
            let receipt = try? CatalogJSON.receipt(text)
            if receipt.flatMap(GivenWords.init)?.contents == contents { return true }
        }
        return false
    }

    /// The words of the current package that a path yielded last. If the path has no row in `source`, because that
    /// package was forgotten or came from a bag, those of a package that came from the path first. `nil` if there are
    /// none.
    static func fetch(_ database: Database, of source: PackageSource, machine: Int64) throws -> GivenWords? {
        guard source.kind.isWordless, try SourceKey.isKnown(database, source.path.blob.databaseValue, machine: machine)
        else { return nil }
        let query = try database.cachedStatement(
            sql: """
                SELECT receipt FROM package WHERE seq IN (
                    SELECT package FROM source WHERE path = ?1 AND machine = ?2
                    UNION ALL SELECT seq FROM package WHERE source_path = ?1 AND machine = ?2
                        AND NOT EXISTS (SELECT 1 FROM source WHERE path = ?1 AND machine = ?2))
                AND superseded_by IS NULL AND iif(json_valid(receipt),
                    coalesce(receipt ->> '$.item.title', receipt ->> '$.item.text'), NULL) IS NOT NULL
                ORDER BY seq DESC LIMIT 1
                """)
        // A damaged receipt, which a verification finds, gives no words.
        guard let text = try String.fetchOne(query, arguments: [source.path.blob, machine]),
            let receipt = try? CatalogJSON.receipt(text)
        else { return nil }
        return GivenWords(receipt)
    }
}
