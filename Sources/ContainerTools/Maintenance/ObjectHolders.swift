internal import GroupContainer
internal import SQLite
internal import ShareModel
internal import SystemPackage

/// The packages that an object belongs to, as content, as a record, or as a product.
struct ObjectHolders {
    /// The number of packages that a finding names.
    static let limit = 20

    var packages: [PackageName]
    var more: Int
    /// The role of the product, such as `thumbnail`, if the object is nothing but a product.
    var role: String?

    static func fetch(_ database: Database, _ digest: Digest) throws -> ObjectHolders {
        guard let object = try ObjectRow.seq(database, digest) else { return ObjectHolders(packages: [], more: 0) }
        let (packages, more) = try packages(database, where: ObjectRow.isHeld, ["object": object])
        return ObjectHolders(packages: packages, more: more, role: try role(database, object))
    }

    /// The packages that meet an SQL condition, for a finding: the first ones, and the number of the others.
    static func packages(_ database: Database, where condition: String, _ arguments: StatementArguments = []) throws
        -> (packages: [PackageName], more: Int)
    {
        let rows = try Row.fetchAll(
            database,
            sql: "SELECT \(PackageName.columns) FROM package WHERE \(condition) ORDER BY seq LIMIT \(limit)",
            arguments: arguments)
        let count = try Int.fetchOne(
            database, sql: "SELECT count(*) FROM package WHERE \(condition)", arguments: arguments)
        return (rows.map(PackageName.init), (count ?? 0) - rows.count)
    }

    private static func role(_ database: Database, _ object: Int64) throws -> String? {
        try String.fetchOne(
            database,
            sql: """
                SELECT role FROM product WHERE object = :object
                AND NOT EXISTS (SELECT 1 FROM provider WHERE object = :object)
                AND NOT EXISTS (SELECT 1 FROM record WHERE object = :object)
                ORDER BY delivery, place LIMIT 1
                """, arguments: ["object": object])
    }

    /// The end of a finding's sentence: whether a sink made the object.
    var words: String { role.map { "; a sink made it as their product '\($0)'" } ?? "" }

    /// How to get content again that no source has any more.
    var recovery: (words: String, action: Remedy?) {
        guard !packages.isEmpty else {
            return ("no package names it any more".with(.collectLeftovers), .collectLeftovers)
        }
        // Only a person can bring content again. A sink makes its product again if the delivery is retried.
        guard role != nil else { return ("take the same content in again, and it is whole", nil) }
        let retry = Remedy.retryDeliveries(packages: packages.map { String($0.id.prefix(12)) })
        return (retry.description, retry)
    }
}
