internal import FoundationEssentials
internal import GroupContainer
internal import SQLite
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
        try mendHistory(around: packages)
        try Tombstone.keepStamps(database, packages: all)
        for package in packages { try remove(package) }
    }

    private func packages(_ prefixes: [String]) throws -> [Package] {
        var packages: [Package] = []
        for prefix in prefixes {
            let package = try Package.find(database, prefix, otherwise: "nothing was forgotten")
            if !packages.contains(where: { $0.seq == package.seq }) { packages.append(package) }
        }
        return packages
    }

    /// Moves each delivery, with its products, to a package whose delivery of the same key was a duplicate of it.
    ///
    /// Without this, forgetting one package would take the products of another one with the same content.
    private mutating func handOver(_ package: Package, besides removed: [Int64]) throws {
        let list = removed.map(String.init).joined(separator: ", ")
        // Numbers alone, because the way to get rid of a damaged delivery is to forget its package.
        let deliveries = try Int64.fetchAll(
            database, sql: "SELECT seq FROM delivery WHERE package = ? AND leader IS NULL ORDER BY seq",
            arguments: [package.seq])
        for delivery in deliveries {
            let heir = try Row.fetchOne(
                database,
                sql: """
                    SELECT seq, id, package FROM delivery WHERE leader = ? AND package NOT IN (\(list))
                    ORDER BY seq LIMIT 1
                    """, arguments: [delivery])
            if let heir { try handOver(delivery, to: heir.value("seq"), heir.value("id"), of: heir.value("package")) }
        }
    }

    private mutating func handOver(_ delivery: Int64, to heir: Int64, _ id: String, of package: Int64) throws {
        // Damage stays behind. Words do not: a newer program may know them.
        let (columns, values) = DeliveryRow.soundNumbers
        try database.execute(
            sql: """
                UPDATE delivery SET leader = NULL,
                    (outcome, why, metadata, \(columns), containment, version, owner, account, user) =
                    (SELECT iif(typeof(outcome) = 'text', outcome, 'failed'), iif(typeof(why) = 'text', why, NULL),
                            iif(typeof(metadata) = 'text' AND json_valid(metadata), metadata, NULL), \(values),
                            iif(typeof(containment) = 'text', containment, NULL),
                            iif(typeof(version) = 'text', version, NULL),
                            iif(\(DeliveryRow.isUnconfirmed), owner, NULL),
                            iif(typeof(account) = 'text', account, NULL), iif(typeof(user) = 'text', user, NULL)
                        FROM delivery WHERE seq = ?) WHERE seq = ?
                """, arguments: [delivery, heir])
        try database.execute(
            sql: """
                UPDATE product SET delivery = ? WHERE delivery = ?
                    AND typeof(role) = 'text' AND typeof(name) = 'text' AND typeof(type) = 'text'
                """, arguments: [heir, delivery])
        // The other duplicates followed the removed delivery, and follow the new one now.
        try database.execute(
            sql: "UPDATE delivery SET leader = ? WHERE leader = ?", arguments: [heir, delivery])
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
        // The reason of a pause may be a sink's text about a delivery of this package: one that was tried, and that the
        // sink has not answered since. An answer would have ended the pause.
        try database.execute(
            sql: """
                UPDATE held_sink SET why = 'deliveries failed, and one of their packages was forgotten'
                WHERE failures > 0 AND sink IN (
                    SELECT sink FROM delivery
                    WHERE package = ? AND attempts > 0 AND outcome IN ('pending', 'quarantined', 'declined'))
                """, arguments: [package.seq])
        let plain = try plainID(package)
        // `ON DELETE CASCADE` removes its providers, records, deliveries, products and stamps.
        try database.execute(sql: "DELETE FROM package WHERE seq = ?", arguments: [package.seq])
        for object in objects {
            let blob = try Data.fetchOne(
                database, sql: "DELETE FROM object WHERE seq = ? AND \(UnusedObject.condition) RETURNING sha256",
                arguments: [object])
            // The file of a damaged name is unknown, and stays.
            guard let blob, let digest = try ContainerError.unlessUnreadable({ try Digest(blob: blob) }) else {
                continue
            }
            // The file stays as long as any row names its digest. No index forbids two rows with one digest.
            if try ObjectRow.seq(database, digest) == nil { result.objects.append(digest) }
        }
        for id in [package.id, plain].compactMap(\.self) {
            try ChangeRow.insert(database, kind: "forgotten", subject: id, row: nil)
        }
        result.forgotten.packages.append(package.name)
        result.forgotten.objects = result.objects.count
    }

    /// The identifier that a package would have without the title and the text that a person gave it; `nil` if it has
    /// none, or if the container has, or had, the package without them.
    ///
    /// A walk that reads the source again knows nothing of these words, and must skip it all the same.
    private func plainID(_ package: Package) throws -> String? {
        let text = try String.fetchOne(
            database, sql: "SELECT receipt FROM package WHERE seq = ? AND \(GivenWords.areGiven)",
            arguments: [package.seq])
        // Of a damaged receipt the stamps of its files are left, which a walk knows too.
        guard let text, let receipt = try? CatalogJSON.receipt(text),
            let words = GivenWords(receipt)
        else { return nil }
        let plain = PackageKey.identifier(senderID: nil, title: nil, text: nil, contents: words.contents)
        let isKnown = try PackageRow.exists(database, id: plain) || Tombstone.isRecorded(database, package: plain)
        return isKnown ? nil : plain
    }

    /// Links the packages before and after the removed ones: a replacement now replaces what they had replaced. A
    /// package that has no replacement left is current again.
    private mutating func mendHistory(around removed: [Package]) throws {
        let ids = Set(removed.map(\.id))
        let list = "(SELECT value FROM json_each(?))"
        let names = try CatalogJSON.encode(ids.sorted())
        // No index has these links, so one query finds them for all packages.
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT seq, \(PackageName.columns), supersedes, superseded_by FROM package
                WHERE superseded_by IN \(list) OR supersedes IN \(list) OR seq IN \(list)
                """, arguments: [names, names, try CatalogJSON.encode(removed.map(\.seq))])
        var (later, earlier): ([String: String?], [String: String?]) = ([:], [:])
        // A damaged link leads nowhere.
        for row in rows {
            guard let id: String = row.readable("id"), ids.contains(id) else { continue }
            later.updateValue(row.readable("superseded_by"), forKey: id)
            earlier.updateValue(row.readable("supersedes"), forKey: id)
        }
        for row in rows {
            if let id: String = row.readable("id"), ids.contains(id) { continue }
            if let next: String = row.readable("superseded_by"), ids.contains(next) {
                let replacement = Self.end(of: later, from: next)
                try setReplacement(of: row, replacement)
                if replacement == nil { result.forgotten.current.append(PackageName(row)) }
            }
            if let prior: String = row.readable("supersedes"), ids.contains(prior) {
                try setReplaced(by: row.value("seq"), Self.end(of: earlier, from: prior))
            }
        }
    }

    /// The first package of a chain that is not removed; `nil` if there is none.
    ///
    /// - Parameter links: for each removed package, the identifier of the next one.
    private static func end(of links: [String: String?], from id: String) -> String? {
        var (rest, place) = (links, String?.some(id))
        // Each link counts once, because the rows of a damaged catalog may lead in a circle.
        while let id = place, let next = rest.removeValue(forKey: id) { place = next }
        return place.flatMap { links.keys.contains($0) ? nil : $0 }
    }

    private func setReplacement(of row: Row, _ id: String?) throws {
        try database.execute(
            sql: "UPDATE package SET superseded_by = ? WHERE seq = ?", arguments: [id, row.value("seq") as Int64])
        try ChangeRow.insert(
            database, kind: id == nil ? "current" : "superseded", subject: row.value("id"), row: row.value("seq"))
    }

    private func setReplaced(by package: Int64, _ id: String?) throws {
        try database.execute(sql: "UPDATE package SET supersedes = ? WHERE seq = ?", arguments: [id, package])
        let text = try PackageRow.receiptText(database, seq: package)
        // A damaged receipt stays as it is: it says nothing to a reader, and a verification finds it.
        guard var receipt = try? CatalogJSON.receipt(text) else { return }
        receipt.supersedes = id
        try database.execute(
            sql: "UPDATE package SET receipt = ? WHERE seq = ?", arguments: [CatalogJSON.encode(receipt), package])
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
                database, "seq, \(PackageName.columns)", beginning: prefix, otherwise: consequence)
            var name = PackageName(row)
            let later = try SightingRow.names(
                database, package: row.value("seq"), than: FilePath(blob: row.readable("source_path")), name.name)
            if !later.isEmpty { name.alsoNamed = later }
            return try Package(seq: row.value("seq"), id: row.value("id"), name: name)
        }
    }
}
