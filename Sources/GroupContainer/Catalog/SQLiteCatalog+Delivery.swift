internal import SQLite

extension SQLiteCatalog {
    /// The identifier of the package of a delivery; see ``IdentifierSearch/owner(_:ofDelivery:)``.
    package func package(ofDelivery prefix: String) throws -> String? {
        try database.read { try IdentifierSearch.owner($0, ofDelivery: prefix) }
    }

    /// The identifier of a package that was forgotten, and begins with `prefix`; `nil` if there is none, or if a package
    /// that begins so is there.
    func forgotten(_ prefix: String) throws -> String? {
        try database.read { database in
            guard !prefix.isEmpty, try IdentifierSearch.packages(database, "1", beginning: prefix).isEmpty else {
                return nil
            }
            return try String.fetchOne(
                database,
                sql: "SELECT subject FROM change WHERE kind = 'forgotten' AND subject >= ?1 AND subject < ?2",
                arguments: [prefix, prefix + "~"])
        }
    }
}
