internal import GRDB
internal import ShareModel

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Objects whose bytes a repair could not find anywhere.
enum LostObjects {
    /// Clears the mark of those that were stored anew for these packages, whose objects are all durable by now.
    static func heal(_ database: Database, by proposals: [PackageProposal]) throws {
        // By an index that is nearly always empty.
        let lost = try Data.fetchAll(database, sql: "SELECT sha256 FROM object WHERE lost IS NOT NULL")
        guard !lost.isEmpty else { return }
        let stored = proposals.reduce(into: Set<Digest>()) { stored, proposal in
            stored.formUnion(proposal.receipt.contents)
            stored.formUnion(proposal.records.map(\.digest))
        }
        for blob in lost where try stored.contains(Digest(blob: blob)) {
            try database.execute(sql: "UPDATE object SET lost = NULL WHERE sha256 = ?", arguments: [blob])
        }
    }

    /// One warning for each object of a package that is lost, with the name of what it was.
    static func warnings(_ database: Database, package: Int64) throws -> [String] {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT DISTINCT sha256, lost, name FROM (
                    SELECT object, name FROM provider WHERE package = :package AND object IS NOT NULL
                    UNION ALL SELECT object, 'its description' FROM record WHERE package = :package
                    UNION ALL SELECT product.object, product.name FROM product
                        JOIN delivery ON delivery.seq = product.delivery WHERE delivery.package = :package)
                JOIN object ON object.seq = object WHERE lost IS NOT NULL
                """, arguments: ["package": package])
        return rows.map { row in
            let (name, lost): (String, String) = (row["name"], row["lost"])
            return "the content of \(name) is lost since \(lost); take it in again, and it is whole"
        }
    }
}
