package import Files
package import ShareModel
package import SystemPackage

/// Reads what a container holds: never waits for a writer, never changes anything.
package struct CatalogReader: Sendable {
    let catalog: SQLiteCatalog

    /// - Throws: ``ContainerError`` where there is no container, or one of a newer format.
    package init(reading root: FilePath) throws { try self.init(reading: root, fileSystem: SystemFileSystem.system) }

    /// - Throws: ``ContainerError`` where there is no container, or one of a newer format.
    package init(reading root: FilePath, fileSystem: any FileSystem) throws {
        let layout = ContainerLayout(root: root)
        guard try fileSystem.exists(layout.format) else {
            throw ContainerError(.notAContainer, "there is no container at \(root)", remedy: .makeContainer)
        }
        let isOld = try ContainerFormat.check(layout, fileSystem) != .present
        catalog = SQLiteCatalog(
            database: isOld
                ? try CatalogDatabase(migratingCopyOf: layout.catalog, fileSystem)
                : try CatalogDatabase(reading: layout.catalog, fileSystem))
    }

    /// How many packages are read at once.
    package static let pageLimit = 500

    /// At most `limit` packages after a place, oldest first; for a caller that keeps its place.
    package func packages(_ selection: PackageSelection = .all, after place: PackageCursor?, limit: Int = pageLimit)
        throws -> PackagePage
    {
        try catalog.packages(selection, after: place, limit: min(limit, Self.pageLimit))
    }

    /// Calls `body` for each package, oldest first. The catalog is read a page at a time, and not while `body` runs.
    package func forEachPackage(
        _ selection: PackageSelection = .all, _ body: (PackageEntry) throws -> Void
    ) throws {
        try catalog.forEachPackage(selection, body)
    }

    /// The feed of changes.
    package var feed: FeedReader { FeedReader(database: catalog.database) }

    /// The observers of the feed, for reading.
    package var observers: Observers { Observers(database: catalog.database) }

    /// The receipt of the one package whose identifier begins so, with its deliveries as they stand.
    ///
    /// - Throws: ``ContainerError`` with code `notFound` where none or several do.
    package func receipt(_ prefix: String) throws -> Receipt { try catalog.receipt(prefix) }
}
