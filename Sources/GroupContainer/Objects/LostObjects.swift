internal import FoundationEssentials
package import SQLite
package import ShareModel

/// Objects that are recorded as lost, because no source had their content when a repair looked for it.
package enum LostObjects {
    /// Clears the mark of lost objects that these packages brought again. Their objects must be durable already.
    static func heal(_ database: Database, by proposals: [PackageProposal]) throws {
        // The index `object_lost` is nearly always empty, so this costs a batch almost nothing.
        let lost = try Data.fetchAll(database, sql: "SELECT sha256 FROM object WHERE lost IS NOT NULL")
        guard !lost.isEmpty else { return }
        let stored = proposals.reduce(into: Set<Digest>()) { stored, proposal in
            stored.formUnion(proposal.receipt.contents)
            stored.formUnion(proposal.records.map(\.digest))
        }
        for blob in lost where try stored.contains(Digest(blob: blob)) {
            try set(database, nil, Digest(blob: blob))
        }
    }

    /// Records why an object is lost, or with `nil` that it is whole, and adds a change for each package that has it.
    package static func set(_ database: Database, _ why: String?, _ digest: Digest) throws {
        guard let seq = try ObjectRow.seq(database, digest) else { return }
        try database.execute(
            sql: "UPDATE object SET lost = :why WHERE seq = :seq AND lost IS NOT :why",
            arguments: ["why": why, "seq": seq])
        guard database.changesCount > 0 else { return }
        for (id, package) in try ObjectRow.holders(database, seq) {
            try ChangeRow.insert(database, kind: "updated", subject: id, row: package)
        }
    }

    /// SQL for a row of `package`: the number of its lost objects, `NULL` for none. The `CASE` skips the count if no
    /// object of the container is lost.
    static let count = """
        CASE WHEN EXISTS (SELECT 1 FROM object WHERE lost IS NOT NULL) THEN nullif((
            SELECT count(*) FROM (
                SELECT object FROM provider WHERE provider.package = package.seq
                UNION SELECT object FROM record WHERE record.package = package.seq
                UNION SELECT product.object FROM delivery JOIN product ON product.delivery = delivery.seq
                    WHERE delivery.package = package.seq
            ) AS held CROSS JOIN object AS named ON named.seq = held.object WHERE named.lost IS NOT NULL), 0) END
        """

    /// SQL for the numbers of the packages that have lost objects. `CROSS JOIN` makes SQLite begin with the few lost
    /// ones.
    static let packages = """
        SELECT provider.package FROM object CROSS JOIN provider ON provider.object = object.seq WHERE lost IS NOT NULL
        UNION SELECT record.package FROM object CROSS JOIN record ON record.object = object.seq WHERE lost IS NOT NULL
        UNION SELECT delivery.package FROM object CROSS JOIN product ON product.object = object.seq
            CROSS JOIN delivery ON delivery.seq = product.delivery WHERE lost IS NOT NULL
        """

    /// SQL for the numbers of the deliveries whose products include a lost one.
    static let deliveries = """
        SELECT delivery FROM object CROSS JOIN product ON product.object = object.seq WHERE lost IS NOT NULL
        """

    /// Clears the mark of a product that was stored again and is durable.
    static func heal(_ database: Database, _ digest: Digest) throws {
        let query = try database.cachedStatement(sql: lostQuery)
        if try Bool.fetchOne(query, arguments: [digest.blob]) != nil { try set(database, nil, digest) }
    }

    private static let lostQuery = IdentifierSearch.object("1", where: "lost IS NOT NULL")

    /// One warning for each lost object of a package, with the object's name in the package.
    static func warnings(_ database: Database, package: Int64) throws -> [String] {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT lost, name, min(is_product) AS is_product FROM (
                    SELECT object, name, FALSE AS is_product FROM provider
                        WHERE package = :package AND object IS NOT NULL
                    UNION ALL SELECT object, 'its description', FALSE FROM record WHERE package = :package
                    UNION ALL SELECT product.object, product.name, TRUE FROM product
                        JOIN delivery ON delivery.seq = product.delivery WHERE delivery.package = :package)
                JOIN object ON object.seq = object WHERE lost IS NOT NULL GROUP BY object.seq, name ORDER BY object.seq, name
                """, arguments: ["package": package])
        return try rows.map { row in
            let (name, lost): (String, String) = try (row.value("name"), row.value("lost"))
            let words = "the content of \(name) is lost since \(lost)"
            let isProduct: Bool = try row.value("is_product")
            return isProduct ? words.with(.retryDelivery) : "\(words); take it in again, and it is whole"
        }
    }
}
