package import Files
public import ShareModel
public import SystemPackage

/// Reads the catalog of a container. It never waits for a writer, and changes nothing. Calls block their thread.
public struct CatalogReader: Sendable {
    let catalog: SQLiteCatalog

    /// Opens the container for reading.
    ///
    /// - Parameter root: the container's folder; a relative path starts at the working folder.
    /// - Throws: ``ContainerError`` if there is no container, or one of a newer format.
    public init(reading root: FilePath) throws {
        self = try ContainerError.converting { try CatalogReader(reading: root, fileSystem: SystemFileSystem.system) }
    }

    /// Opens the container on a file system of the caller's; see ``init(reading:)``.
    package init(reading root: FilePath, fileSystem: any FileSystem) throws {
        let layout = ContainerLayout(root: root)
        let isOld = try ContainerFormat.require(layout, fileSystem) != .present
        catalog = SQLiteCatalog(
            database: isOld
                ? try CatalogDatabase(migratingCopyOf: layout.catalog, fileSystem)
                : try CatalogDatabase(reading: layout.catalog, fileSystem))
    }

    /// The largest number of packages in a page.
    public static let pageLimit = 500

    /// At most `limit` packages after a place, oldest first; `nil` is the place before the first one.
    public func packages(_ selection: PackageSelection = .all, after place: PackageCursor?, limit: Int = pageLimit)
        throws -> PackagePage
    {
        try ContainerError.converting {
            try catalog.packages(selection, after: place, limit: min(limit, Self.pageLimit))
        }
    }

    /// Calls `body` for each package, oldest first. The catalog is read a page at a time, and not while `body` runs.
    ///
    /// - Throws: ``ContainerError`` if the catalog fails; an error of `body`, which ends the list.
    public func forEachPackage(
        _ selection: PackageSelection = .all, _ body: (PackageEntry) throws -> Void
    ) throws {
        try catalog.forEachPackage(selection, body)
    }

    /// The feed of changes.
    package var feed: FeedReader { FeedReader(database: catalog.database) }

    /// The observers of the feed, for reading alone.
    package var observers: Observers { Observers(reading: catalog.database) }

    /// The receipt of the one package whose identifier begins so, with its deliveries as they stand.
    ///
    /// - Throws: ``ContainerError`` with code `notFound` if none or several do.
    public func receipt(_ prefix: String) throws -> Receipt {
        try ContainerError.converting { try catalog.receipt(prefix) }
    }
}
