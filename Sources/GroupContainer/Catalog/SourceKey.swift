internal import SQLite
internal import ShareModel

/// How to find the packages of one source: by the sender's identifier, or by the path on one machine.
struct SourceKey {
    /// SQL, with `?1` for the value and `?2` for the machine.
    let condition: String
    let value: DatabaseValue
    let machine: Int64
    /// Whether the value is a path.
    let isPath: Bool

    var arguments: StatementArguments { [value, machine] }

    /// The keys of a package's source; none if it has neither.
    static func all(_ proposal: PackageProposal, machine: Int64) -> [SourceKey] {
        let path = proposal.sourcePath?.blob.databaseValue
        guard let id = proposal.senderID?.storable.databaseValue else {
            return path.map { [SourceKey(condition: ofPath, value: $0, machine: machine, isPath: true)] } ?? []
        }
        // A sender's identifier means the same on all machines. The second term only uses `?2`, so that all conditions
        // take the same arguments.
        let sender = SourceKey(
            condition: "sender_id = ?1 AND ?2 IS NOT NULL", value: id, machine: machine, isPath: false)
        // A description that could not be read showed no identifier.
        let failed = path.map {
            SourceKey(
                condition: "source_path = ?1 AND machine = ?2 AND outcome = 'failed'", value: $0, machine: machine,
                isPath: true)
        }
        return [sender] + (failed.map { [$0] } ?? [])
    }

    /// The packages that the path yielded last or that came from it first, but none that another path yields now: that
    /// one is a copy, or swapped its name with this one.
    static let ofPath = """
        seq IN (\(numbers)) AND NOT EXISTS (SELECT 1 \(sources.replacing("?3", with: "package.seq")))
        """

    /// Whether the path has yielded a package that is still there. For most files it has not, and this costs less than
    /// the question which one it is.
    static func isKnown(_ database: Database, _ path: DatabaseValue, machine: Int64) throws -> Bool {
        try database.number(anyPackage, path, machine) != nil
    }

    private static let anyPackage = """
        SELECT 1 FROM source WHERE path = ?1 AND machine = ?2
        UNION ALL SELECT 1 FROM package WHERE source_path = ?1 AND machine = ?2 LIMIT 1
        """

    /// SQL for the numbers of the packages that the path `?1` of the machine `?2` yielded last, or that came from it
    /// first. An earlier format has no row of a path that is a share.
    static let numbers = """
        SELECT seq FROM package WHERE source_path = ?1 AND machine = ?2
        UNION ALL SELECT package FROM source WHERE path = ?1 AND machine = ?2
        """

    /// The rows of `source` that have the package `?3` from another path than `?1` on the machine `?2`. Each path of a
    /// package is that of its first arrival or of a later one. `CROSS JOIN` keeps SQLite from a scan of `source`.
    static let sources = """
        FROM (
            SELECT first.source_path, first.machine FROM package AS first WHERE first.seq = ?3
            UNION ALL SELECT sighting.source_path, sighting.machine FROM sighting WHERE sighting.package = ?3
        ) AS arrival CROSS JOIN source ON source.path = arrival.source_path AND source.machine = arrival.machine
        WHERE source.package = ?3 AND (source.path <> ?1 OR source.machine <> ?2)
        """
}
