internal import Files
internal import GRDB
internal import ShareModel
internal import SystemPackage

/// The words of a container's packages, for searches: an observer of the feed of changes, with a database of its own.
///
/// A commit never waits for it. ``update(_:)`` reads what has changed since the last time, so a search first brings it
/// up to date. Deleting the file `search.sqlite` loses nothing. Calls block their thread.
public struct SearchIndex: Sendable {
    let reader: CatalogReader
    let file: SearchFile
    private let objects: LocalObjectStore
    private let fileSystem: any FileSystem

    /// The number of changes that are read at a time.
    static let pageLimit = 512
    /// The number of bytes of words after which a transaction ends. Memory and the wait of other processes depend on it.
    static let transactionBytes = 8 << 20
    /// How long a process waits for another one that updates the index, in seconds.
    static let patience = 0.2

    /// Opens the index of a container, or makes it. Without the permission to write into the container, the index is a
    /// temporary one, which ends with this value.
    ///
    /// - Throws: ``ContainerError`` if no index can be made.
    public init(of reader: CatalogReader) throws {
        try self.init(of: reader, fileSystem: SystemFileSystem.system)
    }

    init(of reader: CatalogReader, fileSystem: any FileSystem) throws {
        self.reader = reader
        self.fileSystem = fileSystem
        objects = LocalObjectStore(layout: reader.layout, fileSystem: fileSystem, reserve: .none)
        // A copy of an older catalog has numbers of its own.
        let isTemporary = reader.catalog.database.staleness != nil
        file = try Self.converting(reader.layout) {
            try SearchFile(reader.layout, isTemporary: isTemporary, waits: Self.patience, fileSystem)
        }
    }

    /// How far an update has come.
    public struct Progress: Sendable, Equatable {
        /// The number of changes that were read.
        public var done: Int64
        /// The number of changes that there are to read.
        public var total: Int64
        /// Whether another process updates the index meanwhile, so this one stopped.
        public var isBusy = false
    }

    /// Reads what has changed since the last update. A package whose record cannot be read is indexed by its title and path.
    ///
    /// - Parameter report: called after each transaction, a few times a second; `false` ends the update early.
    /// - Returns: how far it came. If ``Progress/isBusy`` is true, another process is at it, and this one did not wait.
    /// - Throws: ``ContainerError``.
    @discardableResult
    public func update(_ report: (Progress) throws -> Bool = { _ in true }) throws -> Progress {
        var progress = Progress(done: 0, total: 0)
        while let step = try step(&progress) {
            progress.done += step
            guard try report(progress) else { break }
        }
        return progress
    }

    /// Reads a page of changes in one transaction, and returns their number; `nil` at the end.
    private func step(_ progress: inout Progress) throws -> Int64? {
        do {
            return try Self.converting(reader.layout) { () -> Int64? in
                // Without a transaction at first, because most searches find nothing new.
                let known = try file.queue.read(SearchPlace.fetch)
                let (place, last) = try start(known)
                if progress.total == 0 { progress.total = last - place.number }
                guard place != known || place.number < last else { return nil }
                return try file.queue.inDatabase { database in
                    var count: Int64 = 0
                    try database.inTransaction(.immediate) {
                        count = try readPage(database)
                        return .commit
                    }
                    return count
                }
            }
        } catch let error as ContainerError where error.code == .busy {
            progress.isBusy = true
            return nil
        }
    }

    /// The place in the feed at which to go on, and the number of the last change. A place of another catalog counts as the
    /// beginning.
    private func start(_ known: SearchPlace?) throws -> (place: SearchPlace, last: Int64) {
        try reader.catalog.database.read { database in
            // The copy of a catalog of the first format has a feed, but no epoch.
            let epoch = try MetaRow.fetch(database, MetaRow.epoch) ?? ""
            let last = try ChangeRow.last(database)
            guard let known, known.epoch == epoch, known.number <= last else {
                return (SearchPlace(epoch: epoch, number: 0), last)
            }
            return (known, last)
        }
    }

    /// Reads the next changes inside a transaction, and returns their number.
    private func readPage(_ database: Database) throws -> Int64 {
        // Again, because another process may have gone on meanwhile.
        let known = try SearchPlace.fetch(database)
        var (place, _) = try start(known)
        if place.number == 0, known != nil { try SearchPlace.empty(database) }
        let before = place.number
        var bytes = 0
        for change in try reader.catalog.database.read({ try SearchChange.page($0, after: before, Self.pageLimit) }) {
            bytes += try apply(change, database)
            place.number = change.number
            if bytes >= Self.transactionBytes { break }
        }
        try place.set(database)
        return place.number - before
    }

    /// Writes what a change made different, and returns the number of its bytes.
    private func apply(_ change: SearchChange, _ database: Database) throws -> Int {
        guard let package = change.package else {
            if let id = change.forgotten { try SearchPlace.remove(database, id: id) }
            return 0
        }
        // A package has several changes in a short time, and one read sees all of them.
        let seen = try database.number("SELECT seen FROM entry WHERE package = ?", package)
        guard seen ?? -1 < change.number, let row = try row(package) else { return 0 }
        try row.write(database)
        return row.size
    }

    /// What there is to know of a package now; `nil` if it was forgotten meanwhile.
    private func row(_ package: Int64) throws -> SearchRow? {
        try reader.catalog.database.read { database in
            let seen = try ChangeRow.last(database)
            let columns = "\(PackageRow.receiptColumns), title, source_path"
            guard
                let row = try Row.fetchOne(
                    database, sql: "SELECT \(columns) FROM package WHERE seq = ?", arguments: [package])
            else { return nil }
            if let receipt = try ContainerError.unlessUnreadable({ try PackageRow.receipt(database, row) }) {
                let description = try PackageRow.kept(database, seq: package).first
                return SearchRow(receipt, package: package, seen: seen, description: description) {
                    objects.text($0, limit: $1)
                }
            }
            return SearchRow(
                damaged: row.readable("id") ?? "", package: package, seen: seen, title: row.readable("title"),
                path: FilePath(blob: row.readable("source_path")), received: row.readable("received"))
        }
    }

    /// Removes packages from the index of a container, if it has one, with every trace of their words in its file.
    static func forget(_ ids: [String], _ layout: ContainerLayout, _ fileSystem: any FileSystem) throws {
        guard try fileSystem.exists(layout.search) else { return }
        try converting(layout) {
            let file = try SearchFile(layout, isTemporary: false, waits: 60, fileSystem)
            try file.queue.inDatabase { database in
                var isThere = false
                try database.inTransaction(.immediate) {
                    for id in ids {
                        isThere = try SearchPlace.remove(database, id: id) || isThere
                    }
                    return .commit
                }
                if isThere { try merge(database) }
                try database.execute(sql: "PRAGMA wal_checkpoint (TRUNCATE)")
            }
        }
    }

    /// Merges the segments of the full-text index, because deleted words stay in the older segments until then.
    ///
    /// Each step is a short transaction. https://www.sqlite.org/fts5.html#the_merge_command
    private static func merge(_ database: Database) throws {
        // A negative number begins a merge of all segments; a positive one continues it. The merge is complete when a
        // step changes fewer than two rows.
        var pages = -mergePages
        var changes = 0
        repeat {
            let before = database.totalChangesCount
            try database.execute(sql: "INSERT INTO words (words, rank) VALUES ('merge', ?)", arguments: [pages])
            changes = database.totalChangesCount - before
            pages = mergePages
        } while changes >= 2
    }

    /// The number of pages of the index that a step merges.
    private static let mergePages = 500

    /// Runs `body`. A damaged index is removed, so the next call makes another one.
    static func converting<Value>(_ layout: ContainerLayout, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as DatabaseError where SearchFile.isUseless(error) {
            try SearchFile.remove(layout, SystemFileSystem.system)
            throw ContainerError(
                .catalog,
                "the search index \(layout.search) was damaged and is removed; search again, which makes it again")
        } catch let error as DatabaseError {
            throw ContainerError(index: error, layout.search)
        }
    }
}

extension ContainerError {
    fileprivate init(index error: DatabaseError, _ path: FilePath) {
        let words = error.message ?? "SQLite error \(error.resultCode)"
        switch error.resultCode {
        case .SQLITE_BUSY: self.init(.busy, "another process updates the search index \(path)")
        case _ where error.isForWantOfRoom:
            self.init(.full, "the search index \(path) cannot grow: the disk is full; free some space and search again")
        default: self.init(.catalog, "the search index \(path) cannot be used: \(words); delete it and search again")
        }
    }
}
