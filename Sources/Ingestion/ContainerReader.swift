internal import Files
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
        try reader.forEachPackage(outcomes.isEmpty ? .all : .outcomes(outcomes), body)
    }

    /// The packages that failed, wholly or in part, and were not replaced since, and those with lost content; oldest first.
    public func forEachTroubledPackage(_ body: (PackageEntry) throws -> Void) throws {
        try reader.forEachPackage(.troubled, body)
    }

    /// The packages with a delivery that failed or was quarantined, oldest first.
    public func forEachTroubledDelivery(_ body: (PackageEntry) throws -> Void) throws {
        try reader.forEachPackage(.troubledDeliveries, body)
    }

    /// The packages in which every word is found, in titles, names, texts, or what sinks found; the last word may be the
    /// beginning of one. The best come first, the newest among equals; where very many match, the newest of all.
    ///
    /// - Throws: ``IngestionError`` with code `usage` where there is no letter or digit in the words.
    public func search(_ words: [String], limit: Int, _ body: (PackageEntry) throws -> Void) throws {
        guard let query = SearchQuery(words) else {
            throw IngestionError(.usage, "there is no word to look for; write one with a letter or a digit")
        }
        do { try reader.search(query, limit: limit, body) } catch let error as ContainerError {
            throw IngestionError(error)
        }
    }

    /// The receipt of the one package whose identifier begins so, with its deliveries as they stand.
    ///
    /// - Throws: ``IngestionError`` with code `notFound` where none or several do.
    public func receipt(_ prefix: String) throws -> Receipt {
        do { return try reader.receipt(prefix) } catch { throw IngestionError(error) }
    }
}
