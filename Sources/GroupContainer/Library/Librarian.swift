internal import GRDB
internal import ShareModel
internal import SystemPackage

/// Keeps the folder `library` up to date: the current content under readable names. An observer of the feed.
///
/// Rows say which paths are ours; they are written before the files. Whatever dies in between is completed by the next run,
/// which starts where the last one is known to have come to. Names stay as long as their files: what comes later and has
/// the same name gets a number. A rebuild gives numbers in the order in which packages came in, so that it gives the same
/// tree wherever nothing of the same name was replaced meanwhile.
public struct Librarian {
    static let observer = "library"
    /// The row of `meta` that says that a new library takes the old one's place.
    static let swapping = "library_swap"
    private static let pageLimit = 500

    private let container: Container
    private let database: CatalogDatabase
    private let name: (LibraryPiece) -> LibraryName
    private let fileSystem = SystemFileSystem()
    private var report = LibraryReport()

    private var layout: ContainerLayout { container.layout }
    private var current: LibraryFolder { LibraryFolder(root: layout.library, layout: layout) }

    init(_ container: Container, _ database: CatalogDatabase, name: @escaping (LibraryPiece) -> LibraryName) {
        self.container = container
        self.database = database
        self.name = name
    }

    /// Brings the folder up to date, or builds it anew; waits for another process that does.
    public mutating func run(rebuilding: Bool) throws -> LibraryReport {
        let lock = try container.lock(.library, .exclusive)
        defer { withExtendedLifetime(lock) {} }
        try finishSwap()
        let feed = FeedReader(database: database)
        let seen = try container.observers.cursor(Self.observer)
        var start = try feed.start(seen)
        if try rebuilding || seen == nil || start.reset != nil || !fileSystem.exists(layout.library) {
            start.cursor = try rebuild()
        }
        while case let page = try feed.page(after: start.cursor), let last = page.last {
            try follow(page)
            start.cursor.number = last.number
            try container.observers.set(Self.observer, start.cursor)
        }
        report.kept.sort()
        return report
    }

    // MARK: Catching up

    private mutating func follow(_ page: [ChangeEntry]) throws {
        let ids = Array(Set(page.filter { $0.kind != "delivery" }.map(\.id))).sorted()
        // What goes makes room for what replaces it.
        let stale = try database.read { try ShelfRow.stale($0, packages: ids) }
        for path in stale {
            if try current.remove(path) { report.removed += 1 } else { report.kept.append(path) }
        }
        if !stale.isEmpty { try database.write { try ShelfRow.remove($0, stale) } }
        let marks = Array(repeating: "?", count: ids.count).joined(separator: ",")
        let pieces = try database.read { database in
            try ShelfRow.pieces(database, where: "package.id IN (\(marks))", StatementArguments(ids))
        }
        try add(pieces, to: current, .current)
    }

    private mutating func add(_ pieces: [LibraryPiece], to folder: LibraryFolder, _ table: ShelfRow.Table) throws {
        guard !pieces.isEmpty else { return }
        let named = pieces.map { ($0, name($0)) }
        let paths = try database.write { database in
            try named.map { piece, name in try Self.path(database, table, piece, name, folder) }
        }
        for (piece, path) in zip(pieces, paths) where try !folder.exists(path) {
            try folder.make(path, piece.digest)
            report.added += 1
        }
    }

    /// The path that the piece has, or takes: the first that neither a row nor a file has.
    private static func path(
        _ database: Database, _ table: ShelfRow.Table, _ piece: LibraryPiece, _ name: LibraryName,
        _ folder: LibraryFolder
    ) throws -> String {
        if let path = try ShelfRow.path(database, table, piece) { return path }
        var number = 1
        while true {
            let path = name.path(number)
            if try !folder.exists(path),
                try ShelfRow.insert(database, table, key: name.folded(path), path: path, piece)
            {
                return path
            }
            number += 1
        }
    }

    // MARK: Building anew

    /// Builds beside the old folder, and takes its place. Returns the place in the feed that it stands for.
    private mutating func rebuild() throws -> ChangeCursor {
        let folder = LibraryFolder(root: layout.newLibrary, layout: layout)
        fileSystem.removeTree(layout.newLibrary)
        try fileSystem.ensureFolder(layout.newLibrary)
        var cursor = try FeedReader(database: database).start(nil).cursor
        // Read before the packages: what changes meanwhile is looked at again.
        (cursor.number, _) = try database.write { database in
            (try ChangeRow.last(database), try database.execute(sql: "DELETE FROM shelf_next"))
        }
        let last = try database.read { try Int.fetchOne($0, sql: "SELECT max(seq) FROM package") ?? 0 }
        for first in stride(from: 1, through: last, by: Self.pageLimit) {
            let pieces = try database.read {
                try ShelfRow.pieces(
                    $0, where: "package.seq BETWEEN ? AND ?", [first, first + Self.pageLimit - 1])
            }
            try add(pieces, to: folder, .next)
        }
        try database.write { database in
            try database.execute(
                sql: "DELETE FROM shelf; INSERT INTO shelf SELECT * FROM shelf_next; DELETE FROM shelf_next")
            try MetaRow.set(database, Self.swapping, "due")
        }
        try container.observers.set(Self.observer, cursor)
        try finishSwap()
        report.rebuilt = true
        return cursor
    }

    /// Puts a library that is built into the old one's place, also where a process died at it. What is not ours in the
    /// old one is moved over.
    private mutating func finishSwap() throws {
        guard try database.read({ try MetaRow.fetch($0, Self.swapping) }) != nil else { return }
        if try fileSystem.exists(layout.newLibrary) {
            if try fileSystem.exists(layout.library) { try fileSystem.move(layout.library, to: layout.oldLibrary) }
            try fileSystem.move(layout.newLibrary, to: layout.library)
        }
        if try fileSystem.exists(layout.oldLibrary) {
            try clear(LibraryFolder(root: layout.oldLibrary, layout: layout))
        }
        try database.write { try MetaRow.remove($0, Self.swapping) }
    }

    private mutating func clear(_ old: LibraryFolder) throws {
        for path in try old.files() {
            if try old.remove(path.string) { continue }
            var place = path
            var number = 1
            while try fileSystem.exists(layout.library.appending(place.components)) {
                number += 1
                place = path.removingLastComponent().appending("\(path.stem ?? "") (\(number))")
                if let ending = path.extension { place.extension = ending }
            }
            try fileSystem.ensureFolders(layout.library.appending(place.removingLastComponent().components))
            try fileSystem.move(old.root.appending(path.components), to: layout.library.appending(place.components))
            report.kept.append(place.string)
        }
        // Folders alone are left.
        fileSystem.removeTree(old.root)
    }
}

extension ContainerLayout {
    var newLibrary: FilePath { root.appending("library.new") }
    var oldLibrary: FilePath { root.appending("library.old") }
}
