internal import Files
package import SQLite
public import ShareModel
public import SystemPackage

/// The programs that follow the feed under a name, and the change that each acknowledged last. Calls block their
/// thread.
///
/// An observer is one row, and never holds up a writer. Only ``acknowledge(_:_:)`` moves an observer; reading the feed
/// does not.
public struct Observers: Sendable {
    /// The largest number of observers.
    public static let limit = 1_000
    /// The longest name, in bytes.
    public static let nameLimit = 64
    /// The observer that keeps the folder `library` up to date. No other observer can take this name.
    package static let library = "library"

    let database: CatalogDatabase
    /// The shared lock that keeps a migration out, for as long as any copy of this value lives; `nil` for reading only.
    private let presence: KernelLock?

    /// Opens the observers of an existing container for writing.
    ///
    /// - Parameter root: the container's folder; a relative path starts at the working folder.
    /// - Throws: ``ContainerError`` if there is no container, or it cannot be written.
    public init(opening root: FilePath) throws {
        let local = try ContainerError.converting { try LocalContainer(root, makes: false, SystemFileSystem.system) }
        self.init(local)
    }

    package init(_ local: LocalContainer) {
        database = local.database
        presence = local.presence
    }

    /// Opens the observers for reading only.
    init(reading database: CatalogDatabase) {
        self.database = database
        presence = nil
    }

    /// Whether an observer may have this name: at most ``nameLimit`` small letters, digits, `.`, `-` and `_`, the first
    /// one a letter or digit. The name of the folder `library` is taken.
    public static func isName(_ name: String) -> Bool {
        let bytes = name.utf8
        guard let first = bytes.first, bytes.count <= nameLimit else { return false }
        let letters = "abcdefghijklmnopqrstuvwxyz0123456789".utf8
        return letters.contains(first) && bytes.allSatisfy { letters.contains($0) || ".-_".utf8.contains($0) }
            && name != library
    }

    /// - Throws: ``ContainerError`` if ``isName(_:)`` rejects the name.
    static func require(_ name: String) throws {
        guard isName(name) else { throw ContainerError(.cursor, "'\(name)' is no name of an observer") }
    }

    /// The last change that the observer acknowledged; `nil` if it has not acknowledged any.
    public func cursor(_ name: String) throws -> ChangeCursor? {
        try database.read { try Self.fetch($0, name) }
    }

    /// Records durably that the observer has handled each change up to the cursor. The same cursor again changes
    /// nothing.
    ///
    /// After the catalog was copied or restored, the feed no longer has the observer's place. The observer may then
    /// take any place.
    ///
    /// - Throws: ``ContainerError``. The code is `cursor` if ``isName(_:)`` rejects the name, or if the cursor is of
    ///   another epoch, beyond the last change or before the observer's place.
    public func acknowledge(_ name: String, _ cursor: ChangeCursor) throws {
        try Self.require(name)
        try database.write { database in
            let epoch = try FeedReader.epoch(database)
            let last = try ChangeRow.last(database)
            try Self.check(cursor, epoch, last)
            // The catalog was restored if the place is beyond the last change. Such a place may go back.
            if let seen = try Self.fetch(database, name), seen.epoch == epoch, cursor.number < seen.number,
                seen.number <= last
            {
                throw ContainerError(
                    .cursor,
                    "\(name) has acknowledged change \(seen.number) already, and no observer moves back",
                    remedy: .listChanges(since: cursor.description))
            }
            try Self.set(database, name, ChangeCursor(epoch: epoch, number: cursor.number))
        }
    }

    /// - Throws: ``ContainerError`` if the feed does not have the cursor.
    private static func check(_ cursor: ChangeCursor, _ epoch: String, _ last: Int64) throws {
        guard cursor.epoch ?? epoch == epoch else {
            throw ContainerError(
                .cursor,
                "the cursor \(cursor) is of another catalog: this one was copied, restored or rebuilt since; list the "
                    + "changes again, and acknowledge a cursor from there")
        }
        guard cursor.number <= last else {
            throw ContainerError(
                .cursor,
                "the cursor \(cursor) is beyond the last change, which is number \(last); acknowledge a listed change")
        }
    }

    private static func fetch(_ database: Database, _ name: String) throws -> ChangeCursor? {
        try Row.fetchOne(database, sql: "SELECT epoch, seen FROM observer WHERE name = ?", arguments: [name])
            .map { try ChangeCursor(epoch: $0.value("epoch"), number: $0.value("seen")) }
    }

    /// Moves the observer durably to any place, also backward.
    ///
    /// - Throws: ``ContainerError`` if the observer is new and there are ``limit`` observers already.
    package func set(_ name: String, _ cursor: ChangeCursor) throws {
        try database.write { try Self.set($0, name, cursor) }
    }

    private static func set(_ database: Database, _ name: String, _ cursor: ChangeCursor) throws {
        let update = "UPDATE observer SET epoch = ?, seen = ? WHERE name = ?"
        try database.execute(sql: update, arguments: [cursor.epoch ?? "", cursor.number, name])
        guard database.changesCount == 0 else { return }
        // Only a new name costs the count. An acknowledgment under a known name is one update.
        let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM observer") ?? 0
        guard count < limit else {
            throw ContainerError(
                .catalog, "there are \(count) observers, and no more may be; use a name that is there already")
        }
        try database.execute(
            sql: "INSERT INTO observer (epoch, seen, name) VALUES (?, ?, ?)",
            arguments: [cursor.epoch ?? "", cursor.number, name])
    }

    /// Forgets the observer's place.
    package func remove(_ name: String) throws {
        try database.write { try Self.remove($0, name) }
    }

    package static func remove(_ database: Database, _ name: String) throws {
        try database.execute(sql: "DELETE FROM observer WHERE name = ?", arguments: [name])
    }
}
