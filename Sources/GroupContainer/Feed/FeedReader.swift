internal import GRDB
package import ShareModel

/// Reads the feed of a catalog, page by page, so that a slow reader holds nothing that a writer needs.
package struct FeedReader: Sendable {
    /// How many changes are read at once.
    package static let pageLimit = 1_000

    let database: CatalogDatabase

    /// Where to begin for a cursor, and why at the beginning where the cursor means nothing here.
    package func start(_ cursor: ChangeCursor?) throws -> (cursor: ChangeCursor, reset: ChangeReset?) {
        try database.read { database in
            let epoch = try Self.epoch(database)
            let first = ChangeCursor(epoch: epoch, number: 0)
            guard let cursor else { return (first, nil) }
            guard cursor.epoch ?? epoch == epoch else {
                return (
                    first,
                    ChangeReset(
                        cursor: first.description,
                        why: "the cursor is of another catalog: this one was copied, restored or rebuilt since")
                )
            }
            let last = try ChangeRow.last(database)
            guard cursor.number <= last else {
                return (
                    first,
                    ChangeReset(
                        cursor: first.description, why: "the cursor is beyond the last change, which is number \(last)")
                )
            }
            return (ChangeCursor(epoch: epoch, number: cursor.number), nil)
        }
    }

    /// The changes after a place, in order; at most ``pageLimit``, and none at the end.
    package func page(after cursor: ChangeCursor, limit: Int = pageLimit) throws -> [ChangeEntry] {
        try database.read { database in
            let epoch = try Self.epoch(database)
            return try ChangeRow.fetch(
                database, epoch: epoch, after: cursor.number, limit: min(limit, Self.pageLimit))
        }
    }

    /// What the numbers of the feed belong to.
    static func epoch(_ database: Database) throws -> String {
        guard let epoch = try MetaRow.fetch(database, MetaRow.epoch) else {
            throw ContainerError(
                .catalog, "the catalog has an older format without a feed", remedy: .migrateContainer)
        }
        return epoch
    }
}
