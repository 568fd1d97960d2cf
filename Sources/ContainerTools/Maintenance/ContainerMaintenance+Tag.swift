package import GroupContainer
internal import SQLite
package import ShareModel

extension ContainerMaintenance {
    /// Adds tags to packages and removes others, in one durable transaction. Each package that this changes has a change
    /// of the kind `tagged` in the feed.
    ///
    /// - Parameter prefixes: the beginnings of identifiers of packages, or of deliveries. Nothing is changed unless each
    ///   names exactly one package.
    /// - Returns: the packages with the tags that they have now.
    /// - Throws: `ContainerError`, with the code `notFound` if a prefix names no package or several; with the code
    ///   `limit` if a package would have more than `PackageTag/packageLimit` tags.
    package func tag(_ prefixes: [String], _ change: TagChange) throws -> [TaggedPackage] {
        let unchanged = "no tag was changed"
        // Securely, because a removed tag must not remain in the file after its package is forgotten.
        return try database.writeSecurely { database in
            for found in try TaggedPackage.all(database, prefixes, otherwise: unchanged) {
                let left = try TagRow.apply(change, database, to: found.known)
                guard left.isEmpty else {
                    throw ContainerError(
                        .limit,
                        "\(unchanged): the package \(found.known.id.prefix(12)) would have more than "
                            + "\(PackageTag.packageLimit) tags; remove some of them first")
                }
            }
            return try TaggedPackage.all(database, prefixes).map(\.package)
        }
    }
}
