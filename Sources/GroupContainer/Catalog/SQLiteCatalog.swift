internal import FoundationEssentials
internal import SQLite
internal import ShareModel
internal import SystemPackage

/// The catalog in an SQLite file.
struct SQLiteCatalog: Catalog {
    let database: CatalogDatabase
    /// The number of the machine that packages come from.
    var machine = MachineRow.first

    func knownObjects(among digests: Set<Digest>) throws -> Set<Digest> {
        try database.read { database in
            try digests.filter { try ObjectRow.isWhole(database, $0) }
        }
    }

    func mayHaveObject(ofSize size: Int64) throws -> Bool {
        try database.read { database in
            // No index has the sizes. A table of a million objects is read faster than one large file is hashed,
            // and no small file gets here.
            try database.number("SELECT 1 FROM object WHERE size = ? AND lost IS NULL LIMIT 1", size) != nil
        }
    }

    func knownPackages(among ids: Set<String>) throws -> Set<String> {
        try database.read { database in
            let lost = try Set(Int64.fetchAll(database, sql: LostObjects.packages))
            return try ids.filter { id in
                guard let package = try PackageRow.fetch(database, id: id) else { return false }
                return package.outcome != .failed && !lost.contains(package.seq)
            }
        }
    }

    func forgottenPackages(among packages: [String: [Digest?]]) throws -> Set<String> {
        try database.read { database in
            // In most containers nothing was forgotten, and then no package is looked up.
            guard try Tombstone.haveIdentifiers(database) else { return [] }
            return Set(try packages.filter { try Tombstone.exists(database, package: $0, contents: $1) }.keys)
        }
    }

    func forgottenSources(among stamps: Set<SourceStamp>) throws -> Set<SourceStamp> {
        try database.read { database in
            guard try Tombstone.haveStamps(database) else { return [] }
            return try stamps.filter { try Tombstone.exists(database, stamp: $0, machine: machine) }
        }
    }

    func recognize(_ sources: [(source: PackageSource, stamp: SourceStamp)]) throws -> [KnownSource?] {
        guard !sources.isEmpty else { return [] }
        return try database.read { database in
            try sources.map { source, stamp in
                // A file whose records are damaged is read again.
                try ContainerError.unlessUnreadable {
                    try SourceRow.recognize(database, source, stamp, machine: machine)
                } ?? nil
            }
        }
    }

    func givenWords(of sources: [PackageSource]) throws -> [GivenWords?] {
        guard !sources.isEmpty else { return [] }
        return try database.read { database in
            try sources.map { try GivenWords.fetch(database, of: $0, machine: machine) }
        }
    }

    func commit(_ proposals: [PackageProposal]) throws -> [Receipt] {
        guard !proposals.isEmpty else { return [] }
        return try database.write { database in
            try LostObjects.heal(database, by: proposals)
            var commit = PackageCommit(database, machine: machine)
            return try proposals.map { try commit.commit($0) }
        }
    }

    func refresh(_ receipts: [Receipt]) throws -> [Receipt] {
        try database.read { database in
            try receipts.map { receipt in
                // A package that was forgotten meanwhile keeps the receipt that it had.
                guard receipt.hasOpenDeliveries, let package = try PackageRow.fetch(database, id: receipt.packageID)
                else { return receipt }
                let rows = try DeliveryRow.fetchReadable(database, package: package.seq)
                let known = Dictionary(rows.map { ($0.id, $0) }) { first, _ in first }
                var receipt = receipt
                try receipt.changeDeliveries { record in
                    guard record.outcome == .pending, let row = known[record.id] else { return }
                    record = try row.record(database, isAbridged: true)
                }
                return receipt
            }
        }
    }

    func completed(_ receipt: Receipt) throws -> Receipt {
        guard receipt.providers.contains(where: { $0.deliveries.contains(where: \.isAbridged) }) else { return receipt }
        return try database.read { database in
            guard let package = try PackageRow.fetch(database, id: receipt.packageID) else { return receipt }
            let rows = try DeliveryRow.fetchReadable(database, package: package.seq)
            let known = Dictionary(rows.map { ($0.id, $0) }) { first, _ in first }
            var receipt = receipt
            receipt.changeDeliveries { record in
                guard record.isAbridged, let row = known[record.id] else { return }
                // Damaged metadata stays out. It must not end a run, and a verification finds it.
                record.metadata = try? row.decodedMetadata()
                record.isAbridged = false
            }
            return receipt
        }
    }

    func outcomes(ofDeliveries ids: [String]) throws -> [DeliveryOutcome] {
        try database.read { database in
            let numbers = try DeliveryRow.numbers(database, ids: ids)
            return try ids.compactMap { numbers[$0] }.compactMap { number in
                try DeliveryRow.readableRecord(database, seq: number)?.outcome
            }
        }
    }

    func receipt(_ prefix: String) throws -> Receipt {
        try database.read { database in
            let row = try PackageRow.find(database, PackageRow.receiptColumns, beginning: prefix)
            return try ContainerError.naming(packageOf: row) {
                var receipt = try PackageRow.receipt(database, row)
                receipt.warnings += try LostObjects.warnings(database, package: row.value("seq"))
                if receipt.outcome == .failed {
                    let kept = try PackageRow.kept(database, seq: row.value("seq"))
                    if !kept.isEmpty { receipt.kept = kept }
                }
                return receipt
            }
        }
    }

    func packages(_ selection: PackageSelection, after place: PackageCursor?, limit: Int) throws -> PackagePage {
        let limit = max(limit, 1)
        return try database.read { database in
            var arguments: StatementArguments = [place?.number ?? 0, limit]
            if case .tagged(let tag) = selection {
                arguments += [try CatalogJSON.encode(TagRow.spellings(database, of: tag))]
            }
            let rows = try Row.fetchCursor(
                database, sql: selection.page(PackageEntry.columns), arguments: arguments)
            var page = PackagePage(entries: [], next: nil)
            var (count, last): (Int, Int64) = (0, 0)
            while let row = try rows.next() {
                switch try ContainerError.reading(packageOf: row, { try PackageEntry(database, row) }) {
                case .success(let entry): page.entries.append(entry)
                case .failure(let error): page.unreadable.append(error)
                }
                (count, last) = (count + 1, try row.value("seq"))
            }
            if count == limit { page.next = PackageCursor(number: last) }
            return page
        }
    }
}

extension PackageSelection {
    /// SQL for one page of packages: at most `?2` rows after the number `?1`, with `columns`, of which one is `seq`.
    /// For those with a tag, `?3` is a JSON array of its spellings.
    fileprivate func page(_ columns: String) -> String {
        switch self {
        case .all: return Self.rows(columns, "seq > ?1") + Self.end
        case .outcomes(let outcomes):
            // The index `package_trouble` has only these two outcomes, and each in the order of numbers. SQLite uses it
            // if the query repeats the index's own condition. One `SELECT` for each outcome lets SQLite merge them in
            // order.
            let words = outcomes.map(\.rawValue).sorted()
            guard outcomes.isSubset(of: [.failed, .partial]), !outcomes.isEmpty else {
                let list = words.map { "'\($0)'" }.joined(separator: ", ")
                return Self.rows(columns, "seq > ?1 AND outcome IN (\(list))") + Self.end
            }
            return words.map { word in
                Self.rows(columns, "seq > ?1 AND outcome = '\(word)' AND outcome IN ('failed', 'partial')")
            }.joined(separator: " UNION ALL ") + Self.end
        case .troubled:
            return Self.rows(
                columns,
                """
                seq > ?1 AND seq IN (
                    SELECT seq FROM package WHERE outcome IN ('failed', 'partial') AND superseded_by IS NULL
                    UNION \(LostObjects.packages))
                """) + Self.end
        case .troubledDeliveries: return Self.packages(columns, withDeliveries: "outcome IN ('failed', 'quarantined')")
        case .openDeliveries: return Self.packages(columns, withDeliveries: "outcome = 'pending'")
        case .tagged: return Self.rows(columns, Self.tagged) + Self.end
        case .warned:
            // The findings about content that several packages have belong to the one whose delivery was made.
            return Self.rows(
                columns,
                """
                seq > ?1 AND superseded_by IS NULL AND (instr(receipt, '"warnings":["') > 0 OR EXISTS (
                    SELECT 1 FROM delivery
                    WHERE package = package.seq AND leader IS NULL
                    AND (\(DeliveryRow.hasFinding("damaged")) OR \(DeliveryRow.hasFinding("incomplete")))))
                """) + Self.end
        }
    }

    private static let tagged =
        "seq > ?1 AND seq IN (SELECT package FROM tag WHERE word IN (SELECT value FROM json_each(?3)))"

    private static let end = " ORDER BY seq LIMIT ?2"

    /// - Parameter condition: that of an index of deliveries.
    private static func packages(_ columns: String, withDeliveries condition: String) -> String {
        // The duplicates of such a delivery stand as it does.
        rows(
            columns,
            """
            seq > ?1 AND seq IN (
                SELECT package FROM delivery WHERE \(condition)
                UNION SELECT package FROM delivery WHERE leader IN (SELECT seq FROM delivery WHERE \(condition)))
            """) + end
    }

    private static func rows(_ columns: String, _ condition: String) -> String {
        "SELECT \(columns) FROM package WHERE \(condition)"
    }
}
