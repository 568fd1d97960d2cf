package import SQLite
internal import ShareModel

/// A row of the table `tag`: a word that a person gave a package.
package enum TagRow {
    /// The tags of a package, in order. A word that is no tag is left out, and a verification finds it.
    static func fetch(_ database: Database, package: Int64) throws -> [PackageTag] {
        let query = try database.cachedStatement(sql: "SELECT word FROM tag WHERE package = ? ORDER BY word")
        var known: Set<PackageTag> = []
        // No program writes two spellings of a tag. Of a damaged table, the first one counts.
        return try tags(Row.fetchCursor(query, arguments: [package])).filter { known.insert($0).inserted }.sorted()
    }

    /// Changes the tags of a package, and adds the change to the feed. The same tags again write nothing.
    ///
    /// - Parameter isNew: whether the package is stored in this transaction, which has a change of its own.
    /// - Returns: the tags that the package has no room for.
    @discardableResult
    package static func apply(_ change: TagChange, _ database: Database, to package: KnownPackage, isNew: Bool = false)
        throws
        -> [PackageTag]
    {
        guard !change.isEmpty else { return [] }
        let before = try fetch(database, package: package.seq)
        let (after, left) = change.applied(to: before)
        guard after != before else { return left }
        for tag in Set(before).subtracting(after) {
            try database.run("DELETE FROM tag WHERE package = ? AND word = ?", package.seq, tag.word)
        }
        for tag in Set(after).subtracting(before) {
            try database.run("INSERT INTO tag (package, word) VALUES (?, ?)", package.seq, tag.word)
        }
        if !isNew { try ChangeRow.insert(database, kind: "tagged", subject: package.id, row: package.seq) }
        return left
    }

    /// All tags with the numbers of their packages, in order. Of several spellings, the most frequent one counts.
    static func counts(_ database: Database) throws -> [TagCount] {
        let sql = "SELECT word, count(*) AS count FROM tag GROUP BY word ORDER BY count DESC, word"
        let rows = try Row.fetchCursor(database, sql: sql)
        var counts: [PackageTag: Int] = [:]
        while let row = try rows.next() {
            guard let tag = (row.readable("word") as String?).flatMap(PackageTag.init) else { continue }
            counts[tag, default: 0] += try row.value("count")
        }
        return counts.sorted { $0.key < $1.key }.map { TagCount(tag: $0.key.word, packages: $0.value) }
    }

    /// The words of all rows with this tag, in all their spellings.
    static func spellings(_ database: Database, of tag: PackageTag) throws -> [String] {
        try tags(Row.fetchCursor(database, sql: "SELECT DISTINCT word FROM tag")).filter { $0 == tag }.map(\.word)
    }

    private static func tags(_ rows: Cursor<Row>) throws -> [PackageTag] {
        var tags: [PackageTag] = []
        while let row = try rows.next() {
            if let tag = (row.readable("word") as String?).flatMap(PackageTag.init) { tags.append(tag) }
        }
        return tags
    }
}
