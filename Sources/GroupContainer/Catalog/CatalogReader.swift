package import Files
public import ShareModel
public import SystemPackage

/// Reads the catalog of a container. A reader never waits for a writer, and changes nothing. Calls block their thread.
public struct CatalogReader: Sendable {
    let catalog: SQLiteCatalog
    package let layout: ContainerLayout
    /// Whether the container has an older format.
    package let isOlder: Bool

    package var database: CatalogDatabase { catalog.database }

    /// Opens the container for reading.
    ///
    /// - Parameter root: the container's folder; a relative path starts at the working folder.
    /// - Throws: ``ContainerError`` if there is no container, or it has a newer format.
    public init(reading root: FilePath) throws {
        self = try ContainerError.converting { try CatalogReader(reading: root, fileSystem: SystemFileSystem.system) }
    }

    /// Opens the container through the caller's file system; see ``init(reading:)``.
    package init(reading root: FilePath, fileSystem: any FileSystem) throws {
        layout = ContainerLayout(root: root)
        isOlder = try ContainerFormat.require(layout, fileSystem) != .present
        // Only the format migration changes an older container. So this one reads a copy, which it migrates.
        catalog = SQLiteCatalog(
            database: isOlder
                ? try CatalogDatabase(migratingCopyOf: layout.catalog, fileSystem)
                : try CatalogDatabase(reading: layout.catalog, fileSystem))
    }

    /// The number of shares that wait in the inbox.
    ///
    /// - Throws: ``ContainerError`` if the folder cannot be read.
    package func waitingShares() throws -> Int {
        try ContainerError.converting { try ShareInbox(layout, SystemFileSystem.system).shares().count }
    }

    /// The largest number of packages in a page.
    public static let pageLimit = 500

    /// At most `limit` packages after a place, in the order in which they were stored, and never more than ``pageLimit``.
    /// With `nil` the page begins at the first package.
    ///
    /// - Throws: ``ContainerError`` if the catalog fails.
    public func packages(_ selection: PackageSelection = .all, after place: PackageCursor?, limit: Int = pageLimit)
        throws -> PackagePage
    {
        try ContainerError.converting {
            try catalog.packages(selection, after: place, limit: min(limit, Self.pageLimit))
        }
    }

    /// Calls `body` for each package, in the order in which they were stored. No read of the catalog is open while
    /// `body` runs.
    ///
    /// - Parameter unreadable: called for each package whose record cannot be read; by default it throws the error.
    /// - Throws: ``ContainerError`` if the catalog fails; an error of `body` or `unreadable`, which ends the list.
    public func forEachPackage(
        _ selection: PackageSelection = .all, unreadable: (ContainerError) throws -> Void = { throw $0 },
        _ body: (PackageEntry) throws -> Void
    ) throws {
        try catalog.forEachPackage(selection, unreadable: unreadable, body)
    }

    /// The feed of changes.
    package var feed: FeedReader { FeedReader(database: catalog.database) }

    /// The observers of the feed, for reading alone.
    package var observers: Observers { Observers(reading: catalog.database) }

    /// The receipt of the one package whose identifier begins with `prefix`, with the present state of its deliveries. If
    /// there is none, that of the package with the one delivery whose identifier begins so. What is kept of a failed input
    /// has the paths of its files.
    ///
    /// - Throws: ``ContainerError`` with the code `notFound` if no package matches, or several do.
    public func receipt(_ prefix: String) throws -> Receipt {
        var receipt = try stored(prefix)
        receipt.kept = receipt.kept?.map { kept in
            var kept = kept
            kept.path = layout.object(kept.sha256).string
            return kept
        }
        return receipt
    }

    private func stored(_ prefix: String) throws -> Receipt {
        try ContainerError.converting {
            do {
                return try catalog.receipt(prefix)
            } catch let error as ContainerError where error.code == .notFound {
                if let package = try catalog.package(ofDelivery: prefix) { return try catalog.receipt(package) }
                guard let id = try catalog.forgotten(prefix) else { throw error }
                throw ContainerError(.notFound, "the package \(id) was forgotten, and its receipt with it")
            }
        }
    }
}
