internal import Files
public import GroupContainer
internal import SQLite
public import ShareModel
public import SystemPackage

/// The words of a container's packages, for searches: an observer of the feed of changes, with a database of its own.
///
/// A commit never waits for it. ``update(_:)`` reads what has changed since the last time, so a search first brings it
/// up to date. Deleting the file `search.sqlite` loses nothing. Calls block their thread.
///
/// A value that is made while a long run keeps the index leaves most of the work to the run, also after its end. So make one for
/// each search.
public struct SearchIndex: Sendable {
    let reader: CatalogReader
    let file: SearchFile
    /// See ``standardRankLimit``; another value is for tests.
    var rankLimit = Self.standardRankLimit
    /// See ``standardPageLimit``; another value is for tests.
    var pageLimit = Self.standardPageLimit
    /// See ``standardKeptPatience``; another value is for tests.
    var keptPatience = Self.standardKeptPatience
    private let objects: LocalObjectStore
    private let fileSystem: any FileSystem
    /// Whether a long run of another process kept the index up to date when this value was made.
    private let isKept: Bool

    /// The number of changes that are read at a time. Most transactions end before, because many small ones would leave many
    /// small segments of the full-text index, which have to be merged.
    static let standardPageLimit = 8_192
    /// The number of bytes of words after which a transaction ends. Memory and the wait of other processes depend on it.
    static let transactionBytes = 8 << 20
    /// How long a process waits for another one that updates the index, in seconds.
    static let patience = 0.2
    /// How long a search reads what is new while a long run keeps the index, and the changes of one transaction. The run has
    /// always more, and does it itself.
    static let standardKeptPatience = Duration.milliseconds(50)
    private static let keptPageLimit = 64

    /// Opens the index of a container, or makes it. Without the permission to write into the container, the index is a
    /// temporary one, which ends with this value.
    ///
    /// - Throws: `ContainerError` if no index can be made.
    public init(of reader: CatalogReader) throws {
        try self.init(of: reader, fileSystem: SystemFileSystem.system)
    }

    init(of reader: CatalogReader, fileSystem: any FileSystem) throws {
        try self.init(of: reader, isKept: Self.isKept(reader.layout, fileSystem), fileSystem)
    }

    private init(of reader: CatalogReader, isKept: Bool, _ fileSystem: any FileSystem) throws {
        self.reader = reader
        self.fileSystem = fileSystem
        self.isKept = isKept
        objects = LocalObjectStore(layout: reader.layout, fileSystem: fileSystem, reserve: .none)
        file = try Self.converting(reader.layout, fileSystem) {
            // A copy of an older catalog has numbers of its own.
            guard reader.database.staleness == nil else {
                return try SearchFile.temporary()
            }
            do {
                return try SearchFile(reader.layout, waits: isKept ? 0 : Self.patience, isKept: isKept, fileSystem)
            } catch  where SearchFile.isForWantOfWriting(error) {
                return try SearchFile.temporary()
            }
        }
    }

    private static func isKept(_ layout: ContainerLayout, _ fileSystem: any FileSystem) -> Bool {
        // Without the permission to make the lock's file, there is no keeper to be found.
        do { return try KernelLock(trying: layout.lock(.keeper), .shared, fileSystem) == nil } catch { return false }
    }

    /// Runs `body` as the one process that keeps the index of a container up to date. Searches of other processes do not wait
    /// meanwhile, and read little themselves.
    ///
    /// - Parameters:
    ///   - root: the container's folder.
    ///   - delay: the time until the index is opened. Searches know of this process before.
    /// - Returns: `nil` if another process keeps it, or if there is no container.
    /// - Throws: `ContainerError` or `FileError` if the index cannot be opened; `CancellationError`; the errors of `body`.
    public static func keeping<Value>(
        _ root: FilePath, after delay: Duration = .zero, _ body: (SearchIndex) async throws -> Value
    ) async throws -> Value? {
        let (layout, system) = (ContainerLayout(root: root), SystemFileSystem.system)
        guard try system.exists(layout.format), try system.exists(layout.run),
            let lock = try KernelLock(trying: layout.lock(.keeper), .exclusive, system)
        else { return nil }
        defer { withExtendedLifetime(lock) {} }
        try await Task.sleep(for: delay)
        return try await body(SearchIndex(of: CatalogReader(reading: root), isKept: false, system))
    }

    func converting<Value>(_ body: () throws -> Value) throws -> Value {
        try Self.converting(reader.layout, fileSystem, body)
    }

    /// The place in the feed up to which the index has read; `nil` for a new index.
    public func cursor() throws -> ChangeCursor? {
        try converting { try file.queue.read(SearchPlace.fetch) }.map {
            ChangeCursor(epoch: $0.epoch, number: $0.number)
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

    /// Reads what has changed since the last update, up to the last change that there is now.
    ///
    /// A package whose record cannot be read is indexed by its title and path.
    ///
    /// - Parameter report: called after each transaction; `false` ends the update early.
    /// - Returns: how far it came. If ``Progress/isBusy`` is true, another process is at it, and this one did not wait for it.
    /// - Throws: `ContainerError`.
    @discardableResult
    public func update(_ report: (Progress) throws -> Bool = { _ in true }) throws -> Progress {
        var progress = Progress(done: 0, total: 0)
        // Beside an ingest there is always more to read.
        var end: Int64?
        let deadline = isKept ? ContinuousClock.now + keptPatience : nil
        while let step = try step(&progress, &end) {
            progress.done += step
            guard try report(progress) else { return progress }
            guard deadline.map({ $0 > .now }) ?? true else {
                progress.isBusy = true
                return progress
            }
        }
        // Another process, or a crash, may have left words of a forgotten package. To remove them takes longer than a search
        // beside a run may; the run does it itself.
        if !progress.isBusy, !isKept { try purge() }
        return progress
    }

    /// Removes the words of forgotten packages that are left. If another process is at the index, the next update does it.
    private func purge() throws {
        do { _ = try converting { try file.purge() } } catch let error as ContainerError where error.code == .busy {}
    }

    /// Reads a page of changes in one transaction, and returns their number; `nil` at the end.
    ///
    /// - Parameter end: the number of the last change to read. The first call sets it.
    private func step(_ progress: inout Progress, _ end: inout Int64?) throws -> Int64? {
        do {
            return try converting { () -> Int64? in
                // Without a transaction at first, because most searches find nothing new.
                let known = try file.queue.read(SearchPlace.fetch)
                let (place, last) = try start(known)
                let goal = end ?? last
                if end == nil { progress.total = last - place.number }
                end = goal
                guard place != known || place.number < goal else { return nil }
                return try file.queue.writeWithoutTransaction { database in
                    var count: Int64 = 0
                    try database.inTransaction {
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
        try reader.database.read { database in
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
        let limit = isKept ? min(pageLimit, Self.keptPageLimit) : pageLimit
        var bytes = 0
        for change in try reader.database.read({ try SearchChange.page($0, after: before, limit) }) {
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
        // What a sink found in this package is found in those that share its content, too.
        let followers =
            try change.isDelivery ? reader.database.read { try DeliveryRow.followers($0, package: package) } : []
        return try ([package] + followers).reduce(0) { try $0 + apply(change, to: $1, database) }
    }

    private func apply(_ change: SearchChange, to package: Int64, _ database: Database) throws -> Int {
        // A package has several changes in a short time, and one read sees all of them.
        let seen = try database.number("SELECT seen FROM entry WHERE package = ?", package)
        guard seen ?? -1 < change.number, let row = try row(package) else { return 0 }
        try row.write(database)
        return row.size
    }

    /// What there is to know of a package now; `nil` if it was forgotten meanwhile.
    private func row(_ package: Int64) throws -> SearchRow? {
        let found = try reader.database.read { database -> (SearchSource, seen: Int64)? in
            let query = try database.cachedStatement(
                sql: "SELECT \(PackageRow.receiptColumns), title, source_path FROM package WHERE seq = ?")
            guard let row = try Row.fetchOne(query, arguments: [package]) else { return nil }
            return (try SearchSource(database, row, package: package), try ChangeRow.last(database))
        }
        // The read has ended, because texts may be long, and the catalog's log cannot be emptied meanwhile.
        return found.map { source, seen in
            switch source {
            case .whole(let receipt, let description):
                SearchRow(receipt, package: package, seen: seen, description: description) {
                    objects.text($0, limit: $1)
                }
            case .damaged(let row):
                SearchRow(
                    damaged: row.readable("id") ?? "", package: package, seen: seen, title: row.readable("title"),
                    path: FilePath(blob: row.readable("source_path")), received: row.readable("received"))
            }
        }
    }

    /// The record of a package, as the index reads it.
    private enum SearchSource {
        case whole(Receipt, description: Receipt.KeptInput?)
        /// The receipt cannot be read.
        case damaged(Row)

        init(_ database: Database, _ row: Row, package: Int64) throws {
            if var receipt = try ContainerError.unlessUnreadable({ try PackageRow.receipt(database, row) }) {
                // A duplicate has no metadata and no products of its own.
                if receipt.providers.contains(where: { $0.deliveries.contains { $0.outcome != .delivered } }) {
                    let followed = try DeliveryRow.followed(database, package: package)
                    receipt.changeDeliveries { record in
                        guard let made = followed[record.id] else { return }
                        (record.metadata, record.products) = (made.metadata, made.products)
                    }
                }
                self = .whole(receipt, description: try PackageRow.kept(database, seq: package).first)
            } else {
                self = .damaged(row)
            }
        }
    }

    /// Removes packages from the index of a container, if it has one, with every trace of their words in its file.
    ///
    /// - Returns: whether no trace is left. A process that reads the index keeps its log until it ends; the next update or
    ///   removal completes the work.
    static func forget(_ ids: [String], _ layout: ContainerLayout, _ fileSystem: any FileSystem) throws -> Bool {
        guard try fileSystem.exists(layout.search) else { return true }
        return try converting(layout, fileSystem) {
            let file = try SearchFile(layout, waits: forgetPatience, fileSystem)
            try file.queue.writeWithoutTransaction { database in
                try database.inTransaction {
                    // Also if another process removed the rows already.
                    try database.execute(sql: "INSERT OR IGNORE INTO owed (purge) VALUES (1)")
                    for id in ids { try SearchPlace.remove(database, id: id) }
                    return .commit
                }
            }
            return try file.purge()
        }
    }

    /// How long a removal waits for a process that updates or reads the index, in seconds.
    private static let forgetPatience = 10.0

    /// Runs `body`. A damaged index is removed, so the next call makes another one.
    static func converting<Value>(
        _ layout: ContainerLayout, _ fileSystem: any FileSystem, _ body: () throws -> Value
    ) throws -> Value {
        do {
            return try body()
        } catch let error as DatabaseError where SearchFile.isUseless(error) {
            try layout.withLock(.search, .exclusive, fileSystem) { try SearchFile.remove(layout, fileSystem) }
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
        switch error.resultCode {
        case .SQLITE_BUSY: self.init(.busy, "another process updates the search index \(path)")
        case _ where error.isForWantOfRoom:
            self.init(.full, "the search index \(path) cannot grow: the disk is full; free some space and search again")
        default: self.init(.catalog, "the search index \(path) cannot be used: \(error); delete it and search again")
        }
    }
}
