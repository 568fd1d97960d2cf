internal import GRDB
internal import ShareModel
internal import SystemPackage

/// A row of the table `source`: how a file stood when its package came from it.
enum SourceRow {
    /// Records what a package's source yielded, or forgets what an earlier one did.
    static func record(_ database: Database, _ proposal: PackageProposal, package: Int64) throws {
        guard let path = proposal.sourcePath else { return }
        guard let stamp = proposal.stamp, proposal.receipt.outcome == .accepted else {
            let delete = try database.cachedStatement(sql: "DELETE FROM source WHERE path = ?")
            return try delete.execute(arguments: [path.blob])
        }
        try database.run(
            """
            INSERT OR REPLACE INTO source (path, package, device, inode, size, modified, changed)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """, path.blob, package, stamp.device, stamp.inode, stamp.size, stamp.modified, stamp.changed)
    }

    /// The receipt of a file that stands as it stood when it came in, as a duplicate; `nil` where it does not.
    static func recognize(_ database: Database, _ source: PackageSource, _ stamp: SourceStamp, run: String) throws
        -> Receipt?
    {
        let query = try database.cachedStatement(
            sql: """
                SELECT package.seq, package.id, package.run, provider.type, object.sha256, object.size
                FROM source JOIN package ON package.seq = source.package
                JOIN provider ON provider.package = package.seq AND provider.place = 0
                JOIN object ON object.seq = provider.object
                WHERE source.path = ? AND device = ? AND inode = ? AND source.size = ? AND modified = ? AND changed = ?
                AND package.outcome = 'accepted' AND superseded_by IS NULL AND lost IS NULL
                """)
        let arguments: StatementArguments = [
            source.path.blob, stamp.device, stamp.inode, stamp.size, stamp.modified, stamp.changed,
        ]
        guard let row = try Row.fetchOne(query, arguments: arguments),
            let type = (row["type"] as String?).flatMap({ MediaType($0) })
        else { return nil }
        var receipt = Receipt(
            id: row["id"], source: Receipt.Source(kind: source.kind, path: source.path), outcome: .duplicate)
        receipt.reason = "the file stands as it stood when it came in; --reread reads it all the same"
        receipt.duplicateOf = receipt.id
        var provider = Receipt.Provider(
            index: 0, name: SafeName.make(source.path.lastComponent?.string), reason: "not read again", tried: [])
        provider.outcome = .duplicate
        provider.type = type
        provider.sha256 = try Digest(blob: row["sha256"])
        provider.size = row["size"]
        provider.basis = ["as when it came in: the same inode, size and times"]
        provider.group = 0
        receipt.bytes = row["size"]
        receipt.providers = [provider]
        receipt.groups = [Receipt.Group(rule: "single", providers: [0])]
        for delivery in try DeliveryRow.fetchAll(database, package: row["seq"]) {
            let isOfThisRun = row["run"] as String == run
            receipt.attach(try delivery.repeated(database, isOfThisRun: isOfThisRun), lead: delivery.lead)
        }
        return receipt
    }
}
