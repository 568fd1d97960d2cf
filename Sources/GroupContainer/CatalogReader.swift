public import ShareModel
public import SystemPackage

/// Reads what a container holds: never waits for a writer, never changes anything.
public struct CatalogReader: Sendable {
    let catalog: SQLiteCatalog

    /// - Throws: ``ContainerError`` where there is no container, or one of a newer format.
    public init(reading root: FilePath) throws {
        let layout = ContainerLayout(root: root)
        let fileSystem = SystemFileSystem()
        guard try fileSystem.exists(layout.format) else {
            throw ContainerError(
                .notAContainer, "there is no container at \(root); `sluice ingest` makes one, --container names another"
            )
        }
        let isOld = try ContainerFormat.check(layout, fileSystem) != .present
        catalog = SQLiteCatalog(
            database: isOld
                ? try CatalogDatabase(migratingCopyOf: layout.catalog) : try CatalogDatabase(reading: layout.catalog))
    }

    /// One entry a package, oldest first, one at a time whatever their number; with `outcomes`, those alone.
    public func forEachPackage(outcomes: Set<PackageOutcome> = [], _ body: (PackageEntry) throws -> Void) throws {
        try catalog.forEachPackage(outcomes, body)
    }

    /// The feed of changes.
    public var feed: FeedReader { FeedReader(database: catalog.database) }

    /// The receipt of the one package whose identifier begins so, with its deliveries as they stand.
    ///
    /// - Throws: ``ContainerError`` with code `notFound` where none or several do.
    public func receipt(_ prefix: String) throws -> Receipt { try catalog.receipt(prefix) }
}
