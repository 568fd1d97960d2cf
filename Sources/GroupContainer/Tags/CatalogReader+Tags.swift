public import ShareModel

extension CatalogReader {
    /// All tags of the container with the numbers of their packages, in the order of their letters.
    ///
    /// - Throws: ``ContainerError`` if the catalog fails.
    public func tags() throws -> [TagCount] {
        try ContainerError.converting { try catalog.database.read(TagRow.counts) }
    }

    /// Packages with their tags, in the order of the prefixes.
    ///
    /// - Parameter prefixes: the beginnings of identifiers, as ``receipt(_:)`` takes them.
    /// - Throws: ``ContainerError`` with the code `notFound` if one names no package or several.
    public func tags(of prefixes: [String]) throws -> [TaggedPackage] {
        try ContainerError.converting {
            try catalog.database.read { try TaggedPackage.all($0, prefixes).map(\.package) }
        }
    }
}
