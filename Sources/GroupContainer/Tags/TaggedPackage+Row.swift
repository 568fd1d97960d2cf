package import SQLite
package import ShareModel

extension TaggedPackage {
    /// The one package whose identifier begins with `prefix`; without one, that of the one delivery whose identifier
    /// begins so.
    ///
    /// - Parameter consequence: the beginning of the error's message.
    /// - Throws: ``ContainerError`` with the code `notFound` if no package matches, or several do.
    static func find(_ database: Database, _ prefix: String, otherwise consequence: String? = nil) throws -> Found {
        let columns = "seq, \(PackageName.columns), outcome, run"
        let row: Row
        do {
            row = try PackageRow.find(database, columns, beginning: prefix, otherwise: consequence)
        } catch let error as ContainerError where error.code == .notFound {
            guard let owner = try IdentifierSearch.owner(database, ofDelivery: prefix) else { throw error }
            row = try PackageRow.find(database, columns, beginning: owner, otherwise: consequence)
        }
        let package = try KnownPackage(row)
        let tags = try TagRow.fetch(database, package: package.seq)
        return Found(
            known: package,
            package: TaggedPackage(id: package.id, name: PackageName(row).name, tags: tags.map(\.word)))
    }

    /// A package that a prefix names.
    package struct Found {
        package let known: KnownPackage
        package let package: TaggedPackage
    }

    /// The packages that prefixes name, each once, in the order of the prefixes.
    package static func all(_ database: Database, _ prefixes: [String], otherwise consequence: String? = nil) throws
        -> [Found]
    {
        var known: Set<Int64> = []
        return try prefixes.map { try find(database, $0, otherwise: consequence) }
            .filter { known.insert($0.known.seq).inserted }
    }
}
