internal import GRDB
internal import ShareModel
internal import SystemPackage

/// The packages that an object belongs to: as content, as a record, or as a product.
struct ObjectHolders {
    /// How many packages a finding names.
    static let limit = 20

    var packages: [PackageName]
    var more: Int

    private static let condition = """
        seq IN (SELECT package FROM provider WHERE object = :object
                UNION SELECT package FROM record WHERE object = :object
                UNION SELECT delivery.package FROM product JOIN delivery ON delivery.seq = product.delivery
                      WHERE product.object = :object)
        """

    static func fetch(_ database: Database, _ digest: Digest) throws -> ObjectHolders {
        guard let object = try ObjectRow.seq(database, digest) else { return ObjectHolders(packages: [], more: 0) }
        let rows = try Row.fetchAll(
            database,
            sql: "SELECT id, title, source_path FROM package WHERE \(condition) ORDER BY seq LIMIT \(limit)",
            arguments: ["object": object])
        let count =
            try Int.fetchOne(
                database, sql: "SELECT count(*) FROM package WHERE \(condition)", arguments: ["object": object]) ?? 0
        return ObjectHolders(packages: rows.map(PackageName.init), more: count - rows.count)
    }
}

extension PackageName {
    /// - Parameter row: with `id`, `title` and `source_path`.
    init(_ row: Row) {
        let path = FilePath(blob: row["source_path"])
        self.init(id: row["id"], name: row["title"] ?? path?.lastComponent?.string ?? "-")
    }
}
