package import Files
internal import GRDB
public import ShareModel
public import SystemPackage

/// Keeps the folder `library` up to date: the current content under readable names. An observer of the feed.
///
/// Rows say which paths are ours; they are written before the files, and removed after them. Whatever dies in between is
/// completed by the next run, which starts where the last one is known to have come to. Names stay as long as their
/// files: what comes later and has the same name gets a number. A rebuild gives numbers in the order in which packages
/// came in, so that it gives the same tree wherever nothing of the same name was replaced meanwhile. What no row names
/// is somebody else's, and is left alone.
public struct Librarian {
    static let observer = "library"
    private static let pageLimit = 500

    private let layout: ContainerLayout
    private let database: CatalogDatabase
    private let observers: Observers
    private let name: (LibraryPiece) -> LibraryName
    private let fileSystem: any FileSystem
    private var report = LibraryReport()
    private var numbers = ShelfNumbers()
    /// The packages that have content without its object.
    private var incomplete: Set<Int64> = []

    private var current: LibraryFolder { LibraryFolder(layout: layout, fileSystem: fileSystem) }

    /// Brings the folder `library` of a container up to date, or builds it anew. Waits for another process that does so, and
    /// blocks its thread.
    ///
    /// - Parameters:
    ///   - root: the container's folder; a relative path starts at the working folder.
    ///   - rebuilding: whether all files that this wrote before are removed and written again.
    ///   - fits: whether a file name's ending is usual for a type. The name gets the type's own ending otherwise.
    /// - Throws: ``ContainerError`` if there is no container, or the folder cannot be written; the next run completes it.
    public static func update(
        _ root: FilePath, rebuilding: Bool = false, fits: @escaping (_ name: String, _ type: MediaType) -> Bool
    ) throws -> LibraryReport {
        try ContainerError.converting {
            let naming = LibraryNaming(fits: fits)
            var librarian = try Librarian(opening: root, name: naming.name)
            return try librarian.run(rebuilding: rebuilding)
        }
    }

    /// Opens the container for a run with names of the caller's.
    package init(
        opening root: FilePath, fileSystem: any FileSystem = SystemFileSystem.system,
        name: @escaping (LibraryPiece) -> LibraryName
    ) throws {
        let local = try LocalContainer(root, makes: false, fileSystem)
        self.init(local, local.database, name: name)
    }

    /// - Parameter database: the catalog of the container, over a connection of the caller's.
    init(_ local: LocalContainer, _ database: CatalogDatabase, name: @escaping (LibraryPiece) -> LibraryName) {
        layout = local.layout
        observers = Observers(local)
        self.database = database
        self.name = name
        fileSystem = local.fileSystem
    }

    /// Brings the folder up to date, or builds it anew; waits for another process that does.
    package mutating func run(rebuilding: Bool) throws -> LibraryReport {
        let lock = try layout.take(.library, .exclusive, fileSystem)
        defer { withExtendedLifetime(lock) {} }
        try current.settleRemovals()
        let feed = FeedReader(database: database)
        let seen = try observers.cursor(Self.observer)
        var start = try feed.start(seen)
        if try rebuilding || seen == nil || start.reset != nil || !fileSystem.exists(layout.library) {
            start.cursor = try rebuild()
        }
        while case let page = try feed.page(after: start.cursor), let last = page.last {
            try follow(page)
            start.cursor.number = last.number
            try fileSystem.syncAll(at: layout.root)
            try observers.set(Self.observer, start.cursor)
        }
        try removeDangling()
        try restore()
        report.kept.sort()
        report.missing = try database.read { try ShelfRow.names($0, packages: incomplete.sorted()) }
        return report
    }

    // MARK: Catching up

    private mutating func follow(_ page: [ChangeEntry]) throws {
        let ids = Array(Set(page.filter { $0.kind != "delivery" }.map(\.id))).sorted()
        // What goes makes room for what replaces it.
        let stale = try database.read { try ShelfRow.stale($0, packages: ids) }
        report.removed += try clear(stale)
        try add { try ShelfRow.pieces($0, packages: ids) }
    }

    /// Takes away what is ours at these paths, and their rows; how many files it was.
    private mutating func clear(_ paths: [String]) throws -> Int {
        guard !paths.isEmpty else { return 0 }
        var count = 0
        for path in paths {
            if try current.remove(path) { count += 1 } else { report.kept.append(path) }
        }
        // A package that is forgotten later must leave no name behind.
        let keys = try database.writeSecurely { try ShelfRow.remove($0, paths) }
        for key in keys { numbers.release(key) }
        return count
    }

    /// Gives each piece a path and a file. The disk is never touched in a transaction, so that no other writer waits for it.
    private mutating func add(_ fetch: (Database) throws -> [LibraryPiece]) throws {
        let pieces = try database.read(fetch)
        guard !pieces.isEmpty else { return }
        var shelved = pieces.map { Shelved($0, name($0)) }
        try database.read { database in
            for place in shelved.indices { shelved[place].path = try ShelfRow.path(database, shelved[place].piece) }
            try numbers.read(database, shelved.filter { $0.path == nil }.map(\.name))
        }
        var new = shelved.indices.filter { shelved[$0].path == nil }
        while !new.isEmpty {
            for place in new { try choose(&shelved[place]) }
            new = try database.write { database in try new.filter { try !shelved[$0].insert(database) } }
        }
        for place in shelved.indices { try make(&shelved[place]) }
    }

    /// Chooses the lowest number that neither a row nor a file has; that of a link to the object, which is left where a
    /// catalog was restored, is as good.
    private mutating func choose(_ shelved: inout Shelved) throws {
        let (name, digest) = (shelved.name, shelved.piece.digest)
        while let number = numbers.takeStray(name, digest) {
            shelved.take(number)
            if try current.linked(name.path(number)) == digest { return }
        }
        while true {
            let number = numbers.takeFree(name)
            shelved.take(number)
            guard try current.exists(name.path(number)) else { return }
            guard let linked = try current.linked(name.path(number)) else { continue }
            if linked == digest { return }
            numbers.addStray(name, number, linked)
        }
    }

    /// Makes the piece's file where none is. Where something took its name meanwhile, the row gets another name before the
    /// file has it.
    private mutating func make(_ shelved: inout Shelved) throws {
        while let path = shelved.path, try !current.exists(path) {
            switch try current.make(path, shelved.piece.digest) {
            case .made:
                report.added += 1
                return
            case .noObject:
                incomplete.insert(shelved.piece.package)
                return
            case .taken:
                try database.read { try numbers.read($0, [shelved.name]) }
                repeat { try choose(&shelved) } while try !database.writeSecurely { try shelved.move($0) }
            }
        }
    }

    // MARK: Building anew

    /// Takes away what is ours, and makes it again in the order in which packages came in. Until that is done the observer
    /// has seen nothing, so that a run that dies is begun again. Returns the place in the feed that the folder stands for.
    private mutating func rebuild() throws -> ChangeCursor {
        try observers.remove(Self.observer)
        var cursor = try FeedReader(database: database).start(nil).cursor
        // Read before the packages: what changes meanwhile is looked at again.
        cursor.number = try database.read { try ChangeRow.last($0) }
        while case let paths = try shelf(after: ""), !paths.isEmpty { _ = try clear(paths) }
        let last = try database.read { try Int.fetchOne($0, sql: "SELECT max(seq) FROM package") ?? 0 }
        for first in stride(from: 1, through: last, by: Self.pageLimit) {
            try add {
                try ShelfRow.pieces(
                    $0, where: "package.seq BETWEEN ? AND ?", [first, first + Self.pageLimit - 1])
            }
        }
        try fileSystem.ensureFolder(layout.library)
        // The files before the place in the feed that stands for them.
        try fileSystem.syncAll(at: layout.root)
        try observers.set(Self.observer, cursor)
        report.rebuilt = true
        return cursor
    }

    private func shelf(after path: String) throws -> [String] {
        try database.read { try ShelfRow.paths($0, after: path, limit: Self.pageLimit) }
    }

    // MARK: Looking at the folder

    /// Takes away links to objects that are not there: at paths of ours, which is told or made good after this, and those
    /// of content that was forgotten wherever they are by now.
    private mutating func removeDangling() throws {
        for (path, digest) in try current.dangling() {
            let isOurs = try database.read {
                try ShelfRow.has($0, path: path) || ObjectRow.seq($0, digest) == nil
            }
            if try isOurs && current.remove(path) { report.removed += 1 }
        }
    }

    /// Makes files again that somebody took away.
    private mutating func restore() throws {
        var last = ""
        while case let paths = try shelf(after: last), let end = paths.last {
            last = end
            let missing = try paths.filter { try !current.exists($0) }
            if !missing.isEmpty { try add { try ShelfRow.pieces($0, at: missing) } }
        }
    }
}

/// A piece on its way to its place.
private struct Shelved {
    let piece: LibraryPiece
    let name: LibraryName
    /// `nil` until it has one.
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
}
