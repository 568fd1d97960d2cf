internal import FoundationEssentials
internal import GRDB
internal import ShareModel
internal import SystemPackage

/// Removes packages from the catalog, inside one transaction.
struct PackageRemoval {
    struct Result: Sendable {
        var forgotten = Forgotten()
        /// The objects that no row names any more. The caller removes their files after the transaction.
        var objects: [Digest] = []
    }

    let database: Database
    private(set) var result = Result()

    init(database: Database) { self.database = database }

    /// The paths that the packages have in the library, relative to it.
    func shelf(_ prefixes: [String]) throws -> [String] {
        try packages(prefixes).flatMap {
            try String.fetchAll(database, sql: "SELECT path FROM shelf WHERE package = ?", arguments: [$0.seq])
        }
    }

    mutating func run(_ prefixes: [String]) throws {
        let packages = try packages(prefixes)
        // All packages are known before the first delivery moves, so that none moves to a package that is removed too.
        let all = packages.map(\.seq)
        for package in packages { try handOver(package, besides: all) }
        for package in packages { try remove(package) }
    }

    private func packages(_ prefixes: [String]) throws -> [Package] {
        var packages: [Package] = []
        for prefix in prefixes {
            let package = try Package.find(database, prefix, otherwise: "Nothing was forgotten")
            if !packages.contains(where: { $0.seq == package.seq }) { packages.append(package) }
        }
        return packages
    }

    /// Moves each delivery, with its products, to a package whose delivery of the same key was a duplicate of it.
    ///
    /// Without this, forgetting one package would take the products of another one with the same content.
    private mutating func handOver(_ package: Package, besides removed: [Int64]) throws {
        let list = removed.map(String.init).joined(separator: ", ")
        for delivery in try DeliveryRow.fetchAll(database, package: package.seq) where delivery.leader == nil {
            let heir = try Row.fetchOne(
                database,
                sql: """
                    SELECT seq, id, package FROM delivery WHERE leader = ? AND package NOT IN (\(list))
                    ORDER BY seq LIMIT 1
                    """, arguments: [delivery.seq])
            if let heir { try handOver(delivery, to: heir["seq"], heir["id"], of: heir["package"]) }
        }
    }

    private mutating func handOver(_ delivery: DeliveryRow, to heir: Int64, _ id: String, of package: Int64) throws {
        try database.execute(
            sql: """
                UPDATE delivery SET leader = NULL,
                    (outcome, why, metadata, attempts, deaths, failures, due, unanswered, containment) =
                    (SELECT outcome, why, metadata, attempts, deaths, failures, due, unanswered, containment
                        FROM delivery WHERE seq = ?) WHERE seq = ?
                """, arguments: [delivery.seq, heir])
        try database.execute(
            sql: "UPDATE product SET delivery = ? WHERE delivery = ?", arguments: [heir, delivery.seq])
        // The other duplicates followed the removed delivery, and follow the new one now.
        try database.execute(
            sql: "UPDATE delivery SET leader = ? WHERE leader = ?", arguments: [heir, delivery.seq])
        // The strings of the metadata alone. The text of the products is in their files, which this does not read.
        let words = WordsRow.words(of: try delivery.record(database), text: "")
        if !words.isEmpty { try WordsRow.add(database, [words], package: package) }
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
        try database.execute(sql: "DELETE FROM shelf WHERE package = ?", arguments: [package.seq])
        // The reason of a pause is a sink's text about a delivery, perhaps about one of this package.
        try database.execute(
            sql: """
                UPDATE held_sink SET why = 'deliveries failed, and one of their packages was forgotten'
                WHERE sink IN (SELECT sink FROM delivery WHERE package = ?)
                """, arguments: [package.seq])
        // The package's own row, and that of its later names.
        for row in [package.seq, -package.seq] {
            try database.execute(sql: "DELETE FROM words WHERE rowid = ?", arguments: [row])
        }
        try Tombstone.keepStamps(database, package: package.seq)
        try mendHistory(around: package)
        // `ON DELETE CASCADE` removes its providers, records, deliveries, products and stamps.
        try database.execute(sql: "DELETE FROM package WHERE seq = ?", arguments: [package.seq])
        for object in objects {
            let blob = try Data.fetchOne(
                database, sql: "DELETE FROM object WHERE seq = ? AND \(UnusedObject.condition) RETURNING sha256",
                arguments: [object])
            guard let digest = try blob.map(Digest.init(blob:)) else { continue }
            // The file stays as long as any row names its digest. No index forbids two rows with one digest.
            if try ObjectRow.seq(database, digest) == nil { result.objects.append(digest) }
        }
        try ChangeRow.insert(database, kind: "forgotten", subject: package.id, row: nil)
        result.forgotten.packages.append(package.name)
        result.forgotten.objects = result.objects.count
    }

    /// Links the packages before and after the removed one: its replacement now replaces what it had replaced. If it
    /// has no replacement, the package before it is current again.
    private func mendHistory(around package: Package) throws {
        // Read only now: the removal of a neighbor in this transaction may have changed these links.
        let links = try Row.fetchOne(
            database, sql: "SELECT supersedes, superseded_by FROM package WHERE seq = ?", arguments: [package.seq])
        let supersedes = links.flatMap { $0["supersedes"] as String? }
        let supersededBy = links.flatMap { $0["superseded_by"] as String? }
        let earlier = try Row.fetchAll(
            database, sql: "UPDATE package SET superseded_by = ? WHERE superseded_by = ? RETURNING id, seq",
            arguments: [supersededBy, package.id])
        for row in earlier {
            try ChangeRow.insert(
                database, kind: supersededBy == nil ? "current" : "superseded", subject: row["id"],
                row: row["seq"])
        }
        let later = try Row.fetchAll(
            database, sql: "SELECT seq, receipt FROM package WHERE supersedes = ?", arguments: [package.id])
        for row in later {
            var receipt = try CatalogJSON.decode(Receipt.self, row["receipt"])
            receipt.supersedes = supersedes
            try database.execute(
                sql: "UPDATE package SET supersedes = ?, receipt = ? WHERE seq = ?",
                arguments: [supersedes, try CatalogJSON.encode(receipt), row["seq"] as Int64])
        }
    }
}

extension PackageRemoval {
    /// A package that the caller wants to forget.
    struct Package {
        let seq: Int64
        let id: String
        let name: PackageName

        /// - Parameter consequence: the beginning of the error's message if the prefix names no package or several.
        static func find(_ database: Database, _ prefix: String, otherwise consequence: String) throws -> Package {
            let row = try PackageRow.find(
                database, "seq, id, title, source_path", beginning: prefix, otherwise: consequence)
            return Package(seq: row["seq"], id: row["id"], name: PackageName(row))
        }
    }
}
