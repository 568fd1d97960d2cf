package import Files
internal import GroupContainer
internal import SQLite
public import ShareModel
public import SystemPackage

/// Keeps the folder `library` up to date, which has the current content under readable names. It is an observer of the
/// feed.
///
/// The rows of `shelf` name the files that this has made. A row is written before its file, and removed after it. The
/// observer's place moves last, so after a crash the next run completes the work. A file without a row belongs to the
/// user: it stays, and keeps its name.
///
/// A name stays as long as its file. A later file of the same name gets a number. The files of a group get one number
/// that is free for all of them. A rebuild numbers files in the order in which their packages came in. So it makes the
/// same tree, unless one of several packages with the same name was replaced meanwhile, sinks have found other titles or
/// dates, or the time zone is another one.
public struct Librarian {
    /// The number of rows or packages that are in memory at once.
    private static let pageLimit = 500

    private let layout: ContainerLayout
    private let database: CatalogDatabase
    private let observers: Observers
    private let name: (LibraryPiece, LibraryLayout) -> LibraryName
    private let fileSystem: any FileSystem
    private var progress: (LibraryProgress) -> Void = { _ in }
    private var report = LibraryReport()
    private var numbers = ShelfNumbers()
    /// The numbers of the packages with content whose object is missing.
    private var incomplete: Set<Int64> = []
    /// The numbers of the packages that got names while a delivery was open.
    private var open: Set<Int64> = []
    /// The numbers of the packages whose rows cannot be read.
    private var unreadable: Set<Int64> = []

    private var current: LibraryFolder

    /// Brings the folder `library` of a container up to date, or builds it anew. Waits for another process that writes
    /// it, and blocks its thread.
    ///
    /// - Parameters:
    ///   - root: the container's folder; a relative path starts at the working folder.
    ///   - rebuilding: whether to remove all files that earlier runs made, and to make them again.
    ///   - layout: the folders; `nil` for those of the last run. Other folders than before are a rebuild.
    ///   - fits: whether a file name's ending is usual for a type. Otherwise the name gets the type's own ending.
    ///   - report: called from time to time.
    /// - Throws: `ContainerError` if there is no container, or the folder cannot be written. The next run completes
    ///   the work then.
    public static func update(
        _ root: FilePath, rebuilding: Bool = false, layout: LibraryLayout? = nil,
        fits: @escaping (_ name: String, _ type: MediaType) -> Bool,
        report: @escaping (LibraryProgress) -> Void = { _ in }
    ) throws -> LibraryReport {
        try ContainerError.converting {
            let naming = LibraryNaming(fits: fits)
            var librarian = try Librarian(opening: root, name: naming.name)
            librarian.progress = report
            return try librarian.run(rebuilding: rebuilding, layout: layout)
        }
    }

    /// Opens the container for a run whose names the caller gives.
    package init(
        opening root: FilePath, fileSystem: any FileSystem = SystemFileSystem.system,
        name: @escaping (LibraryPiece, LibraryLayout) -> LibraryName
    ) throws {
        let local = try LocalContainer(root, makes: false, fileSystem)
        try OtherEngines.refuse(local.database, local.layout)
        self.init(local, local.database, name: name)
    }

    /// - Parameter database: the catalog of the container, with the caller's connection.
    init(
        _ local: LocalContainer, _ database: CatalogDatabase,
        name: @escaping (LibraryPiece, LibraryLayout) -> LibraryName
    ) {
        layout = local.layout
        observers = Observers(local)
        self.database = database
        self.name = name
        fileSystem = local.fileSystem
        current = LibraryFolder(layout: local.layout, fileSystem: local.fileSystem)
    }

    /// Brings the folder up to date, or builds it anew. Waits for another process that writes it.
    ///
    /// - Parameter wanted: the folders; `nil` for those of the last run.
    package mutating func run(rebuilding: Bool, layout wanted: LibraryLayout? = nil) throws -> LibraryReport {
        let lock = try layout.take(.library, .exclusive, fileSystem)
        defer { withExtendedLifetime(lock) {} }
        try choose(wanted)
        try current.settleRemovals()
        let feed = FeedReader(database: database)
        let seen = try observers.cursor(Observers.library)
        var start = try feed.start(seen)
        // Without a place that the feed has, or without the folder, there is no earlier work to continue.
        if try rebuilding || seen == nil || start.reset != nil || !fileSystem.exists(layout.library) {
            start.cursor = try rebuild()
        }
        let (first, end) = (start.cursor.number, try database.read { try ChangeRow.last($0) })
        while case let page = try feed.page(after: start.cursor), let last = page.last {
            try follow(page)
            progress(LibraryProgress(done: last.number - first, total: end - first))
            start.cursor.number = last.number
            // The files are durable before the place in the feed that covers them.
            try fileSystem.syncAll(at: layout.root)
            try observers.set(Observers.library, start.cursor)
        }
        // The next run tries these packages again. They have no rows here that would remind it.
        if !unreadable.isEmpty {
            if let seen, !report.rebuilt {
                try observers.set(Observers.library, seen)
            } else {
                try observers.remove(Observers.library)
            }
        }
        try removeDangling()
        try restore()
        report.kept.sort()
        report.open = open.count
        report.missing = try database.read { try ShelfRow.names($0, packages: incomplete.sorted()) }
        report.unreadable = try database.read { try ShelfRow.names($0, packages: unreadable.sorted()) }
        report.lost = try database.read { try ShelfRow.lost($0) }
        return report
    }

    /// Chooses the layout, and remembers it. If it is another one than before, the observer loses its place: so this run
    /// begins a rebuild, and after a crash the next one does.
    private mutating func choose(_ wanted: LibraryLayout?) throws {
        let known = try database.read { try MetaRow.fetch($0, MetaRow.layout) }
        // A newer program may know other layouts.
        let chosen = wanted ?? known.flatMap(LibraryLayout.init) ?? .contentClass
        report.layout = chosen
        guard chosen.rawValue != known ?? LibraryLayout.contentClass.rawValue else { return }
        try database.write { database in
            try Observers.remove(database, Observers.library)
            try MetaRow.set(database, MetaRow.layout, chosen.rawValue)
        }
    }

    // MARK: Catching up

    /// Removes and makes the files of the packages in a page of changes. Deliveries do not change the library.
    private mutating func follow(_ page: [ChangeEntry]) throws {
        let ids = Array(Set(page.filter { $0.kind != "delivery" }.map(\.id))).sorted()
        // Removals come first, because they free names for the replacements.
        let stale = try database.read { try ShelfRow.stale($0, packages: ids) }
        report.removed += try clear(stale)
        try add { try ShelfRow.pieces($0, packages: ids) }
    }

    /// Removes the files of these rows and then the rows. A file that a person changed stays, and loses its row.
    ///
    /// - Returns: the number of removed files.
    private mutating func clear(_ entries: [ShelfRow.Entry]) throws -> Int {
        guard !entries.isEmpty else { return 0 }
        var count = 0
        for entry in entries {
            // A file whose path cannot be read stays.
            guard let path = entry.path else { continue }
            if try current.remove(path) { count += 1 } else { report.kept.append(path) }
        }
        // Securely, because nothing of a package may remain in the catalog after it is forgotten later.
        let keys = try database.writeSecurely { try ShelfRow.remove($0, entries) }
        for key in keys { numbers.release(key) }
        return count
    }

    /// Gives each piece a path and a file.
    ///
    /// No transaction is open during a call to the disk, so other writers never wait for the disk.
    private mutating func add(_ fetch: (Database) throws -> ShelfRow.Pieces) throws {
        let found = try database.read(fetch)
        unreadable.formUnion(found.unreadable)
        guard !found.pieces.isEmpty else { return }
        var shelved = try found.pieces.map { piece in
            let piece = try withPages(piece)
            return Shelved(piece, name(piece, report.layout))
        }
        try database.read { database in
            for place in shelved.indices { shelved[place].path = try ShelfRow.path(database, shelved[place].piece) }
            try numbers.read(database, shelved.filter { $0.path == nil }.map(\.name))
        }
        var new = shelved.indices.filter { shelved[$0].path == nil }
        open.formUnion(new.map { shelved[$0].piece }.filter(\.facts.isOpen).map(\.package))
        // A row may have another path that a file system takes for the same. Then the piece chooses again.
        while !new.isEmpty {
            for group in Shelved.groups(of: shelved, at: new) {
                let number = try takeNumber(for: group.map { shelved[$0] })
                for place in group { shelved[place].take(number) }
            }
            new = try database.write { database in try new.filter { try !shelved[$0].insert(database) } }
        }
        for place in shelved.indices { try make(&shelved[place]) }
    }

    /// The piece with the pages of its file and its lead.
    private func withPages(_ piece: LibraryPiece) throws -> LibraryPiece {
        var piece = piece
        piece.file.page = try current.page(piece.file)
        if let lead = piece.lead { piece.lead?.page = try current.page(lead) }
        return piece
    }

    /// Takes the lowest number with which neither a row nor a file has the name of any of the pieces. A link to the same
    /// object keeps its number: a restored catalog has such links without rows.
    private mutating func takeNumber(for group: [Shelved]) throws -> Int {
        if let first = group.first {
            while let number = numbers.takeStray(first.name, first.piece.file.digest) {
                guard try current.linked(first.name.path(number)) == first.piece.file.digest,
                    try group.dropFirst().allSatisfy({ try isFree(number, for: $0) })
                else { continue }
                for shelved in group { numbers.take(shelved.name.key(number)) }
                return number
            }
        }
        while true {
            let number = numbers.takeFree(group.map(\.name))
            let free = try group.filter { try isFree(number, for: $0) }
            if free.count == group.count { return number }
            for shelved in free { numbers.release(shelved.name.key(number)) }
        }
    }

    /// Whether no file has the name with the number, or it is a link to the piece's object already.
    private mutating func isFree(_ number: Int, for shelved: Shelved) throws -> Bool {
        let path = shelved.name.path(number)
        guard try current.exists(path) else { return true }
        guard let linked = try current.linked(path) else { return false }
        if linked != shelved.piece.file.digest { numbers.addStray(shelved.name, number, linked) }
        return linked == shelved.piece.file.digest
    }

    /// Makes the piece's file if it does not exist. If another file has taken the name meanwhile, or stands in the way of
    /// a folder, the row gets another name first.
    private mutating func make(_ shelved: inout Shelved) throws {
        while let path = shelved.path, try !current.hasFile(path) {
            switch try current.make(path, shelved.piece.file, shelved.piece.time) {
            case .made:
                report.added += 1
                return
            case .noObject:
                incomplete.insert(shelved.piece.package)
                return
            case .blocked(let error):
                guard let spare = shelved.name.spareFolders, shelved.name.folders != spare else { throw error }
                shelved.name.folders = spare
                try rename(&shelved)
            case .taken: try rename(&shelved)
            }
        }
    }

    /// Gives the piece another path.
    private mutating func rename(_ shelved: inout Shelved) throws {
        let name = shelved.name
        try database.read { try numbers.read($0, [name]) }
        repeat {
            shelved.take(try takeNumber(for: [shelved]))
        } while try !database.writeSecurely { try shelved.move($0) }
    }

    // MARK: Building anew

    /// Removes all files that have rows, and makes them again in the order in which their packages came in.
    ///
    /// - Returns: the place in the feed up to which the folder is complete.
    private mutating func rebuild() throws -> ChangeCursor {
        // The observer has no place until the end. So after a crash the next run begins the rebuild again.
        try observers.remove(Observers.library)
        var cursor = try FeedReader(database: database).start(nil).cursor
        // Read before the packages, so the next run sees again each change that is made meanwhile.
        cursor.number = try database.read { try ChangeRow.last($0) }
        let last = try database.read { try Int.fetchOne($0, sql: "SELECT max(seq) FROM package") ?? 0 }
        var advance = LibraryProgress(done: 0, total: Int64(last))
        advance.total += try database.read { try ShelfRow.count($0) }
        var removed: ShelfRow.Entry?
        while case let entries = try shelf(after: removed), let end = entries.last {
            removed = end
            _ = try clear(entries)
            advance.done += Int64(entries.count)
            progress(advance)
        }
        for first in stride(from: 1, through: last, by: Self.pageLimit) {
            try add {
                try ShelfRow.pieces(
                    $0, where: "package.seq BETWEEN ? AND ?", [first, first + Self.pageLimit - 1])
            }
            advance.done += Int64(min(Self.pageLimit, last - first + 1))
            progress(advance)
        }
        try fileSystem.ensureFolder(layout.library)
        // The files are durable before the place in the feed that covers them.
        try fileSystem.syncAll(at: layout.root)
        try observers.set(Observers.library, cursor)
        report.rebuilt = true
        return cursor
    }

    /// A page of the rows, in order.
    private func shelf(after last: ShelfRow.Entry?) throws -> [ShelfRow.Entry] {
        let page = try database.read { try ShelfRow.page($0, after: last, limit: Self.pageLimit) }
        // A damaged number that is read as another one would come again without end.
        return page.last?.hasNumbers(of: last) ?? true ? [] : page
    }

    // MARK: Looking at the folder

    /// Removes links to missing objects if their path has a row, or if no row names the object. The first kind is made
    /// again or reported afterwards. The second kind is left of forgotten content, wherever a person has moved the
    /// link.
    private mutating func removeDangling() throws {
        for (path, digest) in try current.dangling() {
            let isOurs = try database.read {
                try ShelfRow.has($0, path: path) || ObjectRow.seq($0, digest) == nil
            }
            if try isOurs && current.remove(path) { report.removed += 1 }
        }
    }

    /// Makes the missing files of rows again.
    private mutating func restore() throws {
        var last: ShelfRow.Entry?
        while case let entries = try shelf(after: last), let end = entries.last {
            last = end
            let missing = try entries.filter { try !($0.path.map { try current.hasFile($0) } ?? false) }
            if !missing.isEmpty { try add { try ShelfRow.pieces($0, of: missing) } }
        }
    }
}

/// A piece with its name and, later, its path.
private struct Shelved {
    let piece: LibraryPiece
    var name: LibraryName
    /// The path below `library`; `nil` until it is chosen.
    var path: String?
    private var key = ""

    init(_ piece: LibraryPiece, _ name: LibraryName) {
        self.piece = piece
        self.name = name
    }

    mutating func take(_ number: Int) {
        path = name.path(number)
        key = name.key(number)
    }

    func insert(_ database: Database) throws -> Bool {
        try ShelfRow.insert(database, key: key, path: path ?? "", piece)
    }

    func move(_ database: Database) throws -> Bool { try ShelfRow.move(database, key: key, path: path ?? "", piece) }

    /// The places of the pieces that get one number, in the order of `places`: those of one group. Of two with the same
    /// name, the later one gets its own number.
    static func groups(of shelved: [Shelved], at places: [Int]) -> [[Int]] {
        struct Lead: Hashable { let package: Int64, place: Int }
        var groups: [[Int]] = []
        // The groups by their leads, and the endings of their names.
        var known: [Lead: (group: Int, endings: Set<String>)] = [:]
        for place in places {
            let (piece, ending) = (shelved[place].piece, shelved[place].name.foldedEnding)
            let lead = Lead(package: piece.package, place: (piece.lead ?? piece.file).place)
            if let group = known[lead]?.group, known[lead]?.endings.insert(ending).inserted == true {
                groups[group].append(place)
            } else {
                if known[lead] == nil { known[lead] = (groups.count, [ending]) }
                groups.append([place])
            }
        }
        return groups
    }
}
