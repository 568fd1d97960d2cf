internal import GroupContainer
public import ShareModel
public import SystemPackage

/// What a container holds; reading it never waits for a writer and changes nothing.
public struct ContainerReader: Sendable {
    private let reader: CatalogReader

    /// - Throws: ``IngestionError`` where there is no container, or one of a newer format.
    public init(container: FilePath) throws {
        do { reader = try CatalogReader(reading: container.absolute) } catch { throw IngestionError(error) }
    }

    /// One entry a package, oldest first, one at a time whatever their number; with `outcomes`, those alone.
    public func forEachPackage(outcomes: Set<PackageOutcome> = [], _ body: (PackageEntry) throws -> Void) throws {
        try reader.forEachPackage(outcomes: outcomes, body)
    }

    /// The receipt of the one package whose identifier begins so, with its deliveries as they stand.
    ///
    /// - Throws: ``IngestionError`` with code `notFound` where none or several do.
    public func receipt(_ prefix: String) throws -> Receipt {
        do { return try reader.receipt(prefix) } catch { throw IngestionError(error) }
    }
}
