internal import FoundationEssentials
internal import GroupContainer
internal import SQLite
internal import ShareModel
internal import SystemPackage

/// A row of the table `shelf`: a path below `library` that Sluice made, and the provider that it stands for.
enum ShelfRow {
    /// The path of a piece; `nil` if it has none, or one that cannot be read.
    static func path(_ database: Database, _ piece: LibraryPiece) throws -> String? {
        let query = try database.cachedStatement(sql: "SELECT path FROM shelf WHERE package = ? AND place = ?")
        return try Row.fetchOne(query, arguments: [piece.package, piece.file.place])?.readable("path")
    }

    /// Inserts a path, unless a row has a path that some file system takes for the same.
    ///
    /// - Parameter key: the path as a file system without case compares it.
    /// - Returns: whether the row was inserted.
    static func insert(_ database: Database, key: String, path: String, _ piece: LibraryPiece) throws -> Bool {
        let insert = try database.cachedStatement(
            sql: "INSERT INTO shelf (key, path, package, place) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING")
        try insert.execute(arguments: [key, path, piece.package, piece.file.place])
        return database.changesCount > 0
    }

    /// Like ``insert(_:key:path:_:)``, for a piece that has another path already.
    static func move(_ database: Database, key: String, path: String, _ piece: LibraryPiece) throws -> Bool {
        try database.execute(
            sql: "UPDATE OR IGNORE shelf SET key = ?, path = ? WHERE package = ? AND place = ?",
            arguments: [key, path, piece.package, piece.file.place])
        return database.changesCount > 0
    }

    static func has(_ database: Database, key: String) throws -> Bool {
        let query = try database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM shelf WHERE key = ?)")
        return try Bool.fetchOne(query, arguments: [key]) ?? false
    }

    /// Calls `body` for each key that consists of `beginning`, an opening parenthesis and more.
    static func forEachKey(_ database: Database, beginning: String, _ body: (String) -> Void) throws {
        // `)` is the next character after `(`, so the range needs no `LIKE` and uses the primary key.
        let query = try database.cachedStatement(sql: "SELECT key FROM shelf WHERE key >= ? AND key < ?")
        let keys = try String.fetchCursor(query, arguments: [beginning + "(", beginning + ")"])
        while let key = try keys.next() { body(key) }
    }

    static func has(_ database: Database, path: String) throws -> Bool {
        try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM shelf WHERE path = ?)", arguments: [path])
            ?? false
    }

    /// A row without its key. The numbers name it, as they are stored, because a damaged path may be another text when it
    /// is read.
    struct Entry: Sendable {
        fileprivate let package: DatabaseValue
        fileprivate let place: DatabaseValue
        /// `nil` if it cannot be read.
        let path: String?

        fileprivate init(_ row: Row) {
            (package, place) = (row["package"], row["place"])
            path = row.readable("path")
        }

        func hasNumbers(of other: Entry?) -> Bool { package == other?.package && place == other?.place }
    }

    /// The number of rows.
    static func count(_ database: Database) throws -> Int64 {
        try Int64.fetchOne(database, sql: "SELECT count(*) FROM shelf") ?? 0
    }

    /// A number below those of all rows.
    private static let first = Int64.min.databaseValue

    /// At most `limit` rows after another one, in the order of their numbers.
    static func page(_ database: Database, after last: Entry?, limit: Int) throws -> [Entry] {
        let query = try database.cachedStatement(
            sql: """
                SELECT package, place, path FROM shelf WHERE (package, place) > (?, ?)
                ORDER BY package, place LIMIT ?
                """)
        return try Row.fetchAll(query, arguments: [last?.package ?? first, last?.place ?? first, limit])
            .map(Entry.init)
    }

    /// The rows of those of the packages that another package has replaced.
    static func stale(_ database: Database, packages: [String]) throws -> [Entry] {
        let query = try database.cachedStatement(
            sql: """
                SELECT shelf.package, shelf.place, shelf.path FROM package JOIN shelf ON shelf.package = package.seq
                WHERE package.seq = ? AND package.superseded_by IS NOT NULL
                """)
        return try packages.flatMap { id in
            try Row.fetchAll(query, arguments: [PackageRow.fetch(database, id: id)?.seq]).map(Entry.init)
        }
    }

    /// Removes rows, and returns their keys.
    static func remove(_ database: Database, _ entries: [Entry]) throws -> [String] {
        let delete = try database.cachedStatement(
            sql: "DELETE FROM shelf WHERE package = ? AND place = ? RETURNING key")
        return try entries.flatMap { try String.fetchAll(delete, arguments: [$0.package, $0.place]) }
    }

    /// The names of packages, in the order of `packages`.
    static func names(_ database: Database, packages: [Int64]) throws -> [PackageName] {
        let query = try database.cachedStatement(sql: "SELECT \(PackageName.columns) FROM package WHERE seq = ?")
        return try packages.compactMap { try Row.fetchOne(query, arguments: [$0]).map(PackageName.init) }
    }

    /// The names of the packages that nothing has replaced and whose content is recorded as lost, in the order in which
    /// they came in.
    static func lost(_ database: Database) throws -> [PackageName] {
        let packages = try Int64.fetchAll(
            database,
            sql: """
                SELECT DISTINCT package.seq FROM object CROSS JOIN provider ON provider.object = object.seq
                CROSS JOIN package ON package.seq = provider.package
                WHERE object.lost IS NOT NULL AND superseded_by IS NULL ORDER BY package.seq
                """)
        return try names(database, packages: packages)
    }

    /// The pieces of some packages, and the packages with a piece whose rows cannot be read.
    struct Pieces: Sendable {
        var pieces: [LibraryPiece] = []
        /// The numbers of the packages.
        var unreadable: Set<Int64> = []
    }

    static func pieces(_ database: Database, packages: [String]) throws -> Pieces {
        let numbers = try packages.compactMap { try PackageRow.fetch(database, id: $0)?.seq }
        return try pieces(database, where: "package.seq IN (\(marks(numbers)))", StatementArguments(numbers))
    }

    static func pieces(_ database: Database, of entries: [Entry]) throws -> Pieces {
        // A row with a damaged number stands for no piece.
        let numbers = entries.compactMap { entry in
            try? (package: Int64(databaseValue: entry.package), place: Int64(databaseValue: entry.place))
        }
        let packages = Set(numbers.map(\.package)).sorted()
        // `VALUES` needs a first row.
        let places = (["(NULL, NULL)"] + numbers.map { "(\($0.package), \($0.place))" }).joined(separator: ", ")
        return try pieces(
            database,
            // Only the pieces of these rows: a package with thousands of pieces has some on each page. The first
            // condition lets SQLite find the packages by their numbers.
            where: "package.seq IN (\(marks(packages))) AND (package.seq, provider.place) IN (VALUES \(places))",
            StatementArguments(packages))
    }

    private static func marks(_ values: [some Any]) -> String {
        Array(repeating: "?", count: values.count).joined(separator: ",")
    }

    /// The pieces of the library: the content of packages that nothing has replaced, in the order in which they came
    /// in.
    ///
    /// - Parameter condition: a further SQL condition on `package` and `provider`.
    static func pieces(_ database: Database, where condition: String, _ arguments: StatementArguments) throws -> Pieces
    {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT package.seq, provider.place, package.received, provider.name, package.title, provider.type,
                    object.sha256, provider.modified, package.source_kind, package.source_path,
                    EXISTS (
                        SELECT 1 FROM provider AS other
                        WHERE other.package = package.seq AND other.place <> provider.place) AS has_others
                FROM package JOIN provider ON provider.package = package.seq
                    JOIN object ON object.seq = provider.object
                WHERE package.superseded_by IS NULL AND object.lost IS NULL AND \(condition)
                ORDER BY package.seq, provider.place
                """, arguments: arguments)
        var leads: [Int64: [Int: LibraryFile]] = [:]
        var facts: [Int64: [Int: SinkFacts]] = [:]
        var found = Pieces()
        for row in rows {
            let (package, hasOthers): (Int64, Bool) = try (row.value("seq"), row.value("has_others"))
            if facts[package] == nil { facts[package] = try SinkFacts.fetch(database, package: package) }
            do {
                if hasOthers, leads[package] == nil { leads[package] = try self.leads(database, package: package) }
                var piece = try LibraryPiece(row)
                piece.lead = leads[package]?[piece.file.place]
                piece.facts = facts[package]?[piece.lead?.place ?? piece.file.place] ?? SinkFacts()
                found.pieces.append(piece)
            } catch let error as ContainerError where error.isUnreadableRecord {
                found.unreadable.insert(package)
            }
        }
        return found
    }

    /// The leads of the providers of a package that follow another one, by the followers' places.
    private static func leads(_ database: Database, package: Int64) throws -> [Int: LibraryFile] {
        // Only the receipt has the groups. Of a damaged one, each file is by itself.
        let query = try database.cachedStatement(
            sql: """
                SELECT member.value AS follower, lead.place, lead.name, lead.type, lead.modified, object.sha256
                FROM package, json_each(iif(json_valid(receipt), receipt, '{}'), '$.groups') AS team,
                    json_each(team.value, '$.providers') AS member
                    JOIN provider AS lead ON lead.package = package.seq AND lead.place = team.value ->> '$.providers[0]'
                    JOIN object ON object.seq = lead.object
                WHERE package.seq = ? AND member.type = 'integer' AND member.value <> lead.place
                """)
        let rows = try Row.fetchCursor(query, arguments: [package])
        var leads: [Int: LibraryFile] = [:]
        while let row = try rows.next() { leads[try row.value("follower")] = try LibraryFile(row) }
        return leads
    }
}

extension LibraryPiece {
    fileprivate init(_ row: Row) throws {
        try self.init(
            package: row.value("seq"), received: row.value("received"), title: row.value("title"),
            file: LibraryFile(row))
        let kind = (row.readable("source_kind") as String?).flatMap(PackageSource.Kind.init)
        if let kind, let path = FilePath(blob: row.readable("source_path")) { source = (kind, path) }
    }
}

extension LibraryFile {
    fileprivate init(_ row: Row) throws {
        try self.init(
            place: row.value("place"), name: row.value("name"), type: MediaType(inRow: row),
            digest: Digest(blob: row.value("sha256")),
            modified: (row.value("modified") as Int64?).map(Timestamp.init(nanoseconds:)))
    }
}

extension MediaType {
    fileprivate init(inRow row: Row) throws {
        self = try (row.value("type") as String?).flatMap { MediaType($0) } ?? .unknown
    }
}
