internal import GRDB
internal import ShareModel
internal import SystemPackage

/// The catalog in an SQLite file.
struct SQLiteCatalog: Catalog {
    let database: CatalogDatabase

    func knownObjects(among digests: Set<Digest>) throws -> Set<Digest> {
        try database.read { database in
            try digests.filter { try ObjectRow.isWhole(database, $0) }
        }
    }

    func recognize(_ sources: [(source: PackageSource, stamp: SourceStamp)], run: String) throws -> [Receipt?] {
        guard !sources.isEmpty else { return [] }
        return try database.read { database in
            try sources.map { try SourceRow.recognize(database, $0.source, $0.stamp, run: run) }
        }
    }

    func commit(_ proposals: [PackageProposal]) throws -> [Receipt] {
        guard !proposals.isEmpty else { return [] }
        return try database.write { database in
            try LostObjects.heal(database, by: proposals)
            var settler = PackageSettler(database)
            let receipts = try proposals.map { try settler.settle($0) }
            try settler.index()
            return receipts
        }
    }

    func refresh(_ receipts: [Receipt]) throws -> [Receipt] {
        try database.read { database in
            try receipts.map { receipt in
                guard receipt.hasOpenDeliveries, let package = try PackageRow.fetch(database, id: receipt.packageID)
                else { return receipt }
                let rows = try DeliveryRow.fetchAll(database, package: package.seq)
                let known = Dictionary(rows.map { ($0.id, $0) }) { first, _ in first }
                var receipt = receipt
                for place in receipt.providers.indices {
                    receipt.providers[place].deliveries = try receipt.providers[place].deliveries.map { record in
                        guard record.outcome == .pending else { return record }
                        return try known[record.id]?.record(database) ?? record
                    }
                }
                return receipt
            }
        }
    }

    func receipt(_ prefix: String) throws -> Receipt {
        try database.read { database in
            let row = try PackageRow.find(database, "seq, receipt", beginning: prefix)
            var receipt = try CatalogJSON.decode(Receipt.self, row["receipt"])
            for delivery in try DeliveryRow.fetchAll(database, package: row["seq"]) {
                try receipt.attach(delivery.record(database), lead: delivery.lead)
            }
            receipt.warnings += try LostObjects.warnings(database, package: row["seq"])
            return receipt
        }
    }

    func forEachPackage(_ outcomes: Set<PackageOutcome>, _ body: (PackageEntry) throws -> Void) throws {
        try database.read { database in
            // In the words of the index, where that has all of them.
            let trouble: Set<PackageOutcome> = [.failed, .partial]
            let isTrouble = !outcomes.isEmpty && outcomes.isSubset(of: trouble)
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT \(PackageEntry.columns) FROM package
                    \(isTrouble ? "WHERE outcome IN ('failed', 'partial')" : "") ORDER BY seq
                    """)
            while let row = try rows.next() {
                let entry = try PackageEntry(row)
                if outcomes.isEmpty || outcomes.contains(entry.outcome) { try body(entry) }
            }
        }
    }
}

extension PackageEntry {
    init(_ row: Row) throws {
        let path = FilePath(blob: row["source_path"]) ?? "-"
        self.init(
            id: row["id"], outcome: try CatalogJSON.word(row["outcome"]),
            source: Receipt.Source(kind: try CatalogJSON.word(row["source_kind"]), path: path),
            received: row["received"], bytes: row["bytes"], title: row["title"], supersededBy: row["superseded_by"],
            reason: row["reason"], lost: row["lost"])
    }
}
