internal import GRDB

extension SQLiteCatalog {
    /// The identifier of the package of the one delivery whose identifier begins with `prefix`; `nil` if no delivery or
    /// several begin so, or if a package does.
    func package(ofDelivery prefix: String) throws -> String? {
        try database.read { database in
            guard try IdentifierSearch.packages(database, "1", beginning: prefix).isEmpty else { return nil }
            let deliveries = try IdentifierSearch.deliveries(
                database, "(SELECT id FROM package WHERE package.seq = delivery.package) AS owner", beginning: prefix)
            return deliveries.count == 1 ? deliveries[0]["owner"] : nil
        }
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
