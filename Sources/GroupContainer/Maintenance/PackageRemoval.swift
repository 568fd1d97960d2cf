internal import FoundationEssentials
internal import GRDB
internal import ShareModel
internal import SystemPackage

/// Removes packages from the catalog, inside one transaction.
struct PackageRemoval {
    struct Result: Sendable {
        var forgotten = Forgotten()
        /// The objects that no row names any more.
        var objects: [Digest] = []
        /// The readable names that the packages had, relative to the library.
        var shelf: [String] = []
    }

    let database: Database
    private(set) var result = Result()

    init(database: Database) { self.database = database }

    mutating func run(_ prefixes: [String]) throws {
        var packages: [Package] = []
        for prefix in prefixes {
            let package = try Package.find(database, prefix, otherwise: "Nothing was forgotten")
            if !packages.contains(where: { $0.seq == package.seq }) { packages.append(package) }
        }
        // First of all: what one of them hands over must not go to another of them.
        let all = packages.map(\.seq)
        for package in packages { try handOver(package, besides: all) }
        for package in packages { try remove(package) }
    }

    /// Gives each delivery to another package that has the same content and was told that it was made, or is being made,
    /// for this one: nobody loses a product.
    private mutating func handOver(_ package: Package, besides removed: [Int64]) throws {
        let list = removed.map(String.init).joined(separator: ", ")
        for delivery in try DeliveryRow.fetchAll(database, package: package.seq) where delivery.outcome != .duplicate {
            let others = "object IS ? AND key = ? AND package NOT IN (\(list))"
            let made = try Int.fetchOne(
                database, sql: "SELECT count(*) FROM delivery WHERE \(others) AND outcome <> 'duplicate'",
                arguments: [delivery.object, delivery.key])
            let heir = try Row.fetchOne(
                database,
                sql:
                    "SELECT seq, id FROM delivery WHERE \(others) AND outcome = 'duplicate' ORDER BY seq LIMIT 1",
                arguments: [delivery.object, delivery.key])
            guard made == 0, let heir else { continue }
            try handOver(delivery, to: heir["seq"], heir["id"])
        }
    }

    private mutating func handOver(_ delivery: DeliveryRow, to heir: Int64, _ id: String) throws {
        try database.execute(
            sql: """
                UPDATE delivery SET (outcome, why, metadata, attempts, deaths, failures, due, unanswered, containment) =
                    (SELECT outcome, why, metadata, attempts, deaths, failures, due, unanswered, containment
                        FROM delivery WHERE seq = ?) WHERE seq = ?
                """, arguments: [delivery.seq, heir])
        try database.execute(
            sql: "UPDATE product SET delivery = ? WHERE delivery = ?", arguments: [heir, delivery.seq])
        try database.execute(
            sql: """
                UPDATE delivery SET why = ? WHERE object IS ? AND key = ? AND outcome = 'duplicate' AND seq NOT IN (?, ?)
                """,
            arguments: [ReceiptComposer.why(duplicateOf: id), delivery.object, delivery.key, heir, delivery.seq])
        // What the sink found; the text of its products is not at hand here.
        try WordsRow.add(database, try delivery.record(database), text: "", delivery: heir)
        try ChangeRow.insert(database, kind: "delivery", subject: id, row: heir)
        result.forgotten.handedOver += 1
    }

    private mutating func remove(_ package: Package) throws {
        let objects = try Int64.fetchAll(
            database,
            sql: """
                SELECT object FROM provider WHERE package = :seq AND object IS NOT NULL
                UNION SELECT object FROM record WHERE package = :seq
                UNION SELECT product.object FROM product JOIN delivery ON delivery.seq = product.delivery
                    WHERE delivery.package = :seq
                """, arguments: ["seq": package.seq])
        result.shelf += try String.fetchAll(
            database, sql: "DELETE FROM shelf WHERE package = ? RETURNING path", arguments: [package.seq])
        try database.execute(sql: "DELETE FROM words WHERE rowid = ?", arguments: [package.seq])
        try mendHistory(around: package)
        // Providers, records, deliveries, products and stamps go with it.
        try database.execute(sql: "DELETE FROM package WHERE seq = ?", arguments: [package.seq])
        for object in objects {
            let blob = try Data.fetchOne(
                database, sql: "DELETE FROM object WHERE seq = ? AND \(UnusedObject.condition) RETURNING sha256",
                arguments: [object])
            guard let digest = try blob.map(Digest.init(blob:)) else { continue }
            // A file stays as long as any row vouches for it.
            if try ObjectRow.seq(database, digest) == nil { result.objects.append(digest) }
        }
        try ChangeRow.insert(database, kind: "forgotten", subject: package.id, row: nil)
        result.forgotten.packages.append(package.name)
        result.forgotten.objects = result.objects.count
    }

    /// What it replaced is replaced by what replaced it; where nothing did, it is current again.
    private func mendHistory(around package: Package) throws {
        let earlier = try Row.fetchAll(
            database, sql: "UPDATE package SET superseded_by = ? WHERE superseded_by = ? RETURNING id, seq",
            arguments: [package.supersededBy, package.id])
        for row in earlier {
            try ChangeRow.insert(
                database, kind: package.supersededBy == nil ? "current" : "superseded", subject: row["id"],
                row: row["seq"])
        }
        let later = try Row.fetchAll(
            database, sql: "SELECT seq, receipt FROM package WHERE supersedes = ?", arguments: [package.id])
        for row in later {
            var receipt = try CatalogJSON.decode(Receipt.self, row["receipt"])
            receipt.supersedes = package.supersedes
            try database.execute(
                sql: "UPDATE package SET supersedes = ?, receipt = ? WHERE seq = ?",
                arguments: [package.supersedes, try CatalogJSON.encode(receipt), row["seq"] as Int64])
        }
    }
}

extension PackageRemoval {
    /// A package that is to be forgotten.
    struct Package {
        let seq: Int64
        let id: String
        let name: PackageName
        let supersedes: String?
        let supersededBy: String?

        /// - Parameter consequence: what the error says besides where the prefix names none or several.
        static func find(_ database: Database, _ prefix: String, otherwise consequence: String) throws -> Package {
            let row = try PackageRow.find(
                database, "seq, id, title, source_path, supersedes, superseded_by", beginning: prefix,
                otherwise: consequence)
            return Package(
                seq: row["seq"], id: row["id"], name: PackageName(row), supersedes: row["supersedes"],
                supersededBy: row["superseded_by"])
        }
    }
}
