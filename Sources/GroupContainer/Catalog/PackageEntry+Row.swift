package import SQLite
internal import ShareModel
internal import SystemPackage

extension PackageEntry {
    /// The columns of `package` that ``init(_:_:found:)`` reads.
    package static let columns = """
        seq, id, outcome, source_kind, source_path, received, bytes, title, superseded_by, reason,
        \(LostObjects.count) AS lost, \(LeadName.sql) AS lead_name,
        EXISTS (SELECT 1 FROM sighting WHERE sighting.package = package.seq) AS is_sighted,
        EXISTS (SELECT 1 FROM tag WHERE tag.package = package.seq) AS is_tagged
        """

    /// - Parameters:
    ///   - row: with ``columns``.
    ///   - found: the name by which a search found the package; `nil` for one that was not searched for.
    package init(_ database: Database, _ row: Row, found: String? = nil) throws {
        let path = try FilePath(blob: row.value("source_path")) ?? "-"
        try self.init(
            id: row.value("id"), outcome: CatalogJSON.word(row.value("outcome")),
            source: Receipt.Source(kind: CatalogJSON.word(row.value("source_kind")), path: path),
            received: row.value("received"), bytes: row.value("bytes"), title: row.value("title"),
            name: row.value("lead_name"), supersededBy: row.value("superseded_by"), reason: row.value("reason"),
            lost: row.value("lost"))
        if try row.value("is_tagged") { tags = try TagRow.fetch(database, package: row.value("seq")).map(\.word) }
        // Most packages came in once, and need no further query.
        guard try row.value("is_sighted") else { return }
        var names = try SightingRow.otherNames(database, package: row.value("seq"), than: path)
        if let found, found != path.lastComponent?.string { names = [found] + names.filter { $0 != found } }
        set(otherNames: names)
    }

    /// Sets the other names of the package's content, the latest first. A search puts the one that it found first.
    private mutating func set(otherNames names: [String]) {
        alsoNamed = names.first
        moreNames = names.count > 1 ? names.count - 1 : nil
    }
}
