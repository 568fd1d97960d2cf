internal import SQLite
internal import ShareModel
internal import SystemPackage

/// A row of the table `source`: the package that a path yielded last, and the stamp of its file, or of its group of files,
/// at that time.
///
/// These rows decide which packages are current, unless the sender named them: a path that yields another package leaves the
/// former one, and a package that no path yields any more is replaced.
enum SourceRow {
    /// A stamp that no file has. The row then says only what the path yielded.
    private static let none = SourceStamp(device: 0, inode: 0, size: 0, modified: 0, changed: 0)
    /// SQL for a row with the stamp of a file.
    static let hasStamp = "inode <> 0"

    /// The effect of a proposal on the package of its path.
    enum Effect {
        /// The path yields the proposed package from now on.
        case yields
        /// The path could not be read. It still counts as the source of what it yielded last, but is read again.
        case fails
        /// The path yields a package that a bag records. It has no row, so it is read again outside of the bag, which ends
        /// what only the bag says.
        case isOfBag

        init(_ proposal: borrowing PackageProposal) {
            if proposal.history != nil {
                self = .isOfBag
            } else {
                self = proposal.receipt.outcome == .failed ? .fails : .yields
            }
        }
    }

    /// Records what a path yielded.
    static func record(_ database: Database, _ proposal: PackageProposal, machine: Int64, package: Int64) throws {
        guard let path = proposal.sourcePath else { return }
        switch Effect(proposal) {
        case .yields: break
        case .fails:
            return try database.run(
                """
                UPDATE source SET device = 0, inode = 0, size = 0, modified = 0, changed = 0
                WHERE path = ? AND machine = ? AND \(hasStamp)
                """, path.blob, machine)
        case .isOfBag:
            return try database.run("DELETE FROM source WHERE path = ? AND machine = ?", path.blob, machine)
        }
        // Only files that came in whole can be recognized later.
        let stamp = (proposal.receipt.outcome == .accepted ? proposal.stamp : nil) ?? none
        // A file that is read again although it is unchanged changes no page.
        try database.run(
            """
            INSERT INTO source (path, machine, package, device, inode, size, modified, changed)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (path, machine) DO UPDATE SET package = excluded.package, device = excluded.device,
                inode = excluded.inode, size = excluded.size, modified = excluded.modified, changed = excluded.changed
            WHERE (source.package, source.device, source.inode, source.size, source.modified, source.changed)
                IS NOT (excluded.package, excluded.device, excluded.inode, excluded.size, excluded.modified,
                    excluded.changed)
            """, path.blob, machine, package, stamp.device, stamp.inode, stamp.size, stamp.modified, stamp.changed)
    }

    /// Whether the path of a proposal yielded the package with its identifier last.
    static func hasYielded(_ database: Database, _ proposal: PackageProposal, machine: Int64) throws -> Bool {
        guard let path = proposal.sourcePath else { return false }
        let found = try database.number(
            """
            SELECT 1 FROM source JOIN package ON package.seq = source.package
            WHERE path = ? AND source.machine = ? AND package.id = ?
            """, path.blob, machine, proposal.receipt.id)
        return found != nil
    }

    /// The package of files whose stamp has not changed, if all of its content is still there; otherwise `nil`.
    ///
    /// All five values of the stamp must match. A program can set the time of modification, but not the time of change.
    static func recognize(_ database: Database, _ source: PackageSource, _ stamp: SourceStamp, machine: Int64) throws
        -> KnownSource?
    {
        // Most files are new, or have changed. This query decodes no rows, and so costs less than the other one.
        let known = try database.number(
            isUnchanged, source.path.blob, machine, stamp.device, stamp.inode, stamp.size, stamp.modified,
            stamp.changed)
        guard known != nil else { return nil }
        let query = try database.cachedStatement(sql: unchangedFiles)
        let arguments: StatementArguments = [
            source.path.blob, machine, stamp.device, stamp.inode, stamp.size, stamp.modified, stamp.changed,
        ]
        let rows = try Row.fetchAll(query, arguments: arguments)
        let files = try rows.compactMap(file)
        guard let first = rows.first, files.count == rows.count else { return nil }
        let package = try KnownPackage(first)
        return KnownSource(
            package: package, files: files,
            deliveries: try DeliveryRow.fetchReadable(database, package: package.seq).map {
                PlacedDelivery(try $0.record(database, isAbridged: true), lead: $0.lead)
            })
    }

    /// SQL for a path with this stamp.
    private static let stampMatches =
        "source.path = ? AND source.machine = ? AND device = ? AND inode = ? AND source.size = ?"
        + " AND source.modified = ? AND changed = ?"
    private static let isUnchanged = "SELECT 1 FROM source WHERE \(stampMatches)"
    private static let unchangedFiles = """
        SELECT package.seq, package.id, package.outcome, package.run,
            provider.name, provider.type, object.sha256, object.size, object.lost
        FROM source JOIN package ON package.seq = source.package
        JOIN provider ON provider.package = package.seq JOIN object ON object.seq = provider.object
        WHERE \(stampMatches) AND package.outcome = 'accepted' AND superseded_by IS NULL
        ORDER BY provider.place
        """

    /// A file of the package; `nil` if its content is lost.
    private static func file(_ row: Row) throws -> KnownSource.File? {
        let lost: String? = try row.value("lost")
        guard lost == nil, let type = try (row.value("type") as String?).flatMap({ MediaType($0) }) else { return nil }
        return try KnownSource.File(
            name: row.value("name"), type: type,
            content: ObjectRecord(digest: Digest(blob: row.value("sha256")), size: row.value("size")))
    }
}
