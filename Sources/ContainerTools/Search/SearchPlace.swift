internal import SQLite

/// The place in the feed up to which the index has read.
struct SearchPlace: Equatable {
    let epoch: String
    var number: Int64

    /// `nil` for a new index.
    static func fetch(_ database: Database) throws -> SearchPlace? {
        try Row.fetchOne(database, sql: "SELECT epoch, number FROM place").map {
            try SearchPlace(epoch: $0.value("epoch"), number: $0.value("number"))
        }
    }

    func set(_ database: Database) throws {
        try database.execute(sql: "DELETE FROM place")
        try database.execute(sql: "INSERT INTO place (epoch, number) VALUES (?, ?)", arguments: [epoch, number])
    }

    /// Removes all packages: the catalog is another one.
    static func empty(_ database: Database) throws {
        // Much faster than the removal of each row.
        try database.execute(sql: "DROP TABLE words; DELETE FROM entry; DELETE FROM place")
        try SearchFile.makeWords(database)
    }

    /// Removes a package. Its words stay in older segments of the full-text index until ``SearchFile/purge()``, which is owed
    /// from then on, also after a crash.
    static func remove(_ database: Database, id: String) throws {
        let packages = try Int64.fetchAll(
            database, sql: "DELETE FROM entry WHERE id = ? RETURNING package", arguments: [id])
        for package in packages {
            try database.execute(sql: "DELETE FROM words WHERE rowid = ?", arguments: [package])
        }
        if !packages.isEmpty { try database.execute(sql: "INSERT OR IGNORE INTO owed (purge) VALUES (1)") }
    }
}

/// A change of the container, as the index sees it.
struct SearchChange {
    let number: Int64
    /// The number of the package that changed; `nil` if it is there no more.
    let package: Int64?
    /// The identifier of the package that was forgotten.
    let forgotten: String?
    /// Whether a delivery of the package changed.
    let isDelivery: Bool

    /// At most `limit` changes after a number, in order.
    static func page(_ database: Database, after number: Int64, _ limit: Int) throws -> [SearchChange] {
        let query = try database.cachedStatement(
            sql: """
                SELECT change.seq, iif(change.kind = 'delivery', delivery.package, change.row) AS package,
                    iif(change.kind = 'forgotten', change.subject, NULL) AS forgotten,
                    change.kind = 'delivery' AS is_delivery
                FROM change LEFT JOIN delivery ON change.kind = 'delivery' AND delivery.seq = change.row
                WHERE change.seq > ? ORDER BY change.seq LIMIT ?
                """)
        return try Row.fetchAll(query, arguments: [number, limit]).map { row in
            SearchChange(
                number: try row.value("seq"), package: row.readable("package"), forgotten: row.readable("forgotten"),
                isDelivery: row.readable("is_delivery") ?? false)
        }
    }
}
