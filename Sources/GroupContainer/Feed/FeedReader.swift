internal import SQLite
package import ShareModel

/// Reads the feed of a catalog, page by page. No transaction stays open between two pages, so a slow reader does not
/// hold up a writer.
package struct FeedReader: Sendable {
    /// The largest number of changes in a page.
    package static let pageLimit = 1_000

    let database: CatalogDatabase

    package init(database: CatalogDatabase) { self.database = database }

    /// The place at which to begin for a cursor; `nil` means the beginning.
    ///
    /// - Returns: the place. If the feed does not have the cursor, the place is the beginning, with a reset that has
    ///   the reason.
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
            // An epoch may stay while the numbers go back, until the next writer opens a restored catalog.
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

    /// At most `limit` changes after a place, in order, and never more than ``pageLimit``; none at the end.
    package func page(after cursor: ChangeCursor, limit: Int = pageLimit) throws -> [ChangeEntry] {
        try database.read { database in
            let epoch = try Self.epoch(database)
            return try ChangeRow.fetch(
                database, epoch: epoch, after: cursor.number, limit: min(limit, Self.pageLimit))
        }
    }

    /// The place after the last change.
    package func end() throws -> ChangeCursor {
        try database.read { ChangeCursor(epoch: try Self.epoch($0), number: try ChangeRow.last($0)) }
    }

    /// The epoch, to which the numbers of the feed belong.
    ///
    /// - Throws: ``ContainerError`` if the catalog has a format without a feed.
    static func epoch(_ database: Database) throws -> String {
        guard let epoch = try MetaRow.fetch(database, MetaRow.epoch) else {
            throw ContainerError(
                .catalog, "the catalog has an older format without a feed", remedy: .migrateContainer)
        }
        return epoch
    }
}
