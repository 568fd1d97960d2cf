internal import Files
internal import GroupContainer
internal import SQLite
internal import ShareModel
internal import SystemPackage

/// The file of the search index, `search.sqlite`, open.
///
/// Everything in it can be made again from the container. So a damaged file, and one of another version, is removed and
/// made again.
struct SearchFile: Sendable {
    /// The version of the tables and of what is in them. A change of either is a new version.
    private static let version = 8
    /// The length of the write-ahead log, in pages of 4 KiB, at which SQLite copies it into the file. 0 is never.
    private static let logPages = 4_000
    private static let cacheKiB = 4 << 10
    /// The memory in which FTS5 collects the words of a transaction before it writes them as a segment, in bytes. A
    /// large transaction makes several segments, and the memory of a process stays small.
    private static let wordBytes = 4 << 20

    let queue: DatabaseQueue

    /// Opens the index of a container, or makes it.
    ///
    /// - Parameters:
    ///   - waits: how long writes wait for another process, in seconds.
    ///   - isKept: whether another process keeps the index up to date. Then that one copies the log into the file after one of
    ///     its commits; if it dies, the last process that closes the file does.
    /// - Throws: `DatabaseError`; `FileError` if the folder of the locks cannot be used.
    init(
        _ layout: ContainerLayout, waits: Double, isKept: Bool = false, _ fileSystem: any FileSystem
    ) throws {
        // One process at a time opens it, because a useless file is removed, and another one is made.
        queue = try layout.withLock(.search, .exclusive, fileSystem) {
            do {
                return try Self.open(layout.search.string, waits: waits, isKept: isKept)
            } catch let error as DatabaseError where Self.isUseless(error) {
                // A process that has the file open keeps the removed one, and answers from it until it ends.
                try Self.remove(layout, fileSystem)
                return try Self.open(layout.search.string, waits: waits, isKept: isKept)
            }
        }
        // SQLite creates the file with the user's mask. Its log and index get the mode of the file.
        try? fileSystem.setMode(.ownerReadWrite, of: layout.search)
    }

    /// Makes a temporary index, which ends with this value.
    static func temporary() throws -> SearchFile { try SearchFile(queue: open("", waits: 0, isKept: false)) }

    private init(queue: DatabaseQueue) { self.queue = queue }

    /// Whether the index of a container cannot be made or written where it belongs.
    static func isForWantOfWriting(_ error: any Error) -> Bool {
        guard let error = error as? DatabaseError else { return error is FileError }
        return [.SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM].contains(error.resultCode) || error.isForWantOfRoom
    }

    /// Removes the words of removed packages from the file, if that is owed: merges the segments of the full-text
    /// index, in which deleted words stay until then, and truncates the log.
    ///
    /// Each step is a short transaction. https://www.sqlite.org/fts5.html#the_merge_command
    ///
    /// - Returns: whether nothing is owed any more. A process that reads the index keeps its log.
    @discardableResult
    func purge() throws -> Bool {
        try queue.writeWithoutTransaction { database in
            guard try Int.fetchOne(database, sql: "SELECT purge FROM owed") != nil else { return true }
            // A negative number begins a merge of all segments; a positive one continues it. The merge is complete when
            // a step changes fewer than two rows.
            var pages = -Self.mergePages
            var changes = 0
            repeat {
                let before = database.totalChangesCount
                try database.execute(sql: "INSERT INTO words (words, rank) VALUES ('merge', ?)", arguments: [pages])
                changes = database.totalChangesCount - before
                pages = Self.mergePages
            } while changes >= 2
            // The first column of the result says whether a reader kept the log.
            guard try Int.fetchOne(database, sql: "PRAGMA wal_checkpoint (TRUNCATE)") == 0 else { return false }
            try database.execute(sql: "DELETE FROM owed")
            return true
        }
    }

    /// The number of pages of the index that a step merges.
    private static let mergePages = 500

    /// Removes the index.
    static func remove(_ layout: ContainerLayout, _ fileSystem: any FileSystem) throws {
        for ending in ["-wal", "-shm", ""] {
            try fileSystem.remove(FilePath(layout.search.string + ending), isFolder: false)
        }
    }

    /// Whether the file is damaged, or of another version.
    static func isUseless(_ error: DatabaseError) -> Bool {
        [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_SCHEMA].contains(error.resultCode)
    }

    private static func open(_ path: String, waits: Double, isKept: Bool) throws -> DatabaseQueue {
        var configuration = DatabaseConfiguration()
        // The process that closes the file as the last one holds it alone for a moment.
        configuration.timeout = max(waits, openingPatience)
        configuration.prepare = { database in
            // Forgotten words must not stay in free pages.
            try database.execute(
                sql: """
                    PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON;
                    PRAGMA wal_autocheckpoint = \(isKept ? 0 : logPages); PRAGMA cache_size = -\(cacheKiB)
                    """)
        }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.writeWithoutTransaction { database in
            try makeTables(database)
            try database.execute(sql: "PRAGMA busy_timeout = \(Int(waits * 1_000))")
        }
        return queue
    }

    /// How long the opening waits for another process, in seconds.
    private static let openingPatience = 5.0

    private static func makeTables(_ database: Database) throws {
        guard try Int.fetchOne(database, sql: "PRAGMA user_version") != version else { return }
        try database.inTransaction {
            // Again, because another process may have made the tables meanwhile.
            let found = try Int.fetchOne(database, sql: "PRAGMA user_version")
            if found == version { return .rollback }
            guard found == 0, try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0 else {
                throw DatabaseError(resultCode: .SQLITE_SCHEMA, message: "another version wrote the index")
            }
            try database.execute(sql: tables + "PRAGMA user_version = \(version);")
            try makeWords(database)
            return .commit
        }
    }

    /// `entry` has one row for each package, and `words` one with the same number. `seen` is the number of the last
    /// change of the container when the package was read. `place` is the place in the feed up to which all packages
    /// were read.
    ///
    /// `owed` has a row as long as words of removed packages may be in the file.
    ///
    /// The tokenizer folds case and accents (https://www.sqlite.org/fts5.html#unicode61_tokenizer). ``IndexedText``
    /// puts the characters of Chinese and Japanese apart. An index of prefixes would add a fifth to the file, and half
    /// as much time again to make it; a search for a prefix reads a range of the words.
    private static let tables = """
        CREATE TABLE place (epoch TEXT NOT NULL, number INTEGER NOT NULL);
        CREATE TABLE entry (
            package INTEGER PRIMARY KEY,
            id TEXT NOT NULL,
            seen INTEGER NOT NULL,
            date TEXT NOT NULL,
            type TEXT
        );
        CREATE INDEX entry_id ON entry (id);
        CREATE INDEX entry_date ON entry (date);
        CREATE TABLE owed (purge INTEGER PRIMARY KEY);

        """

    /// Makes the full-text table.
    static func makeWords(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE VIRTUAL TABLE words USING fts5 (
                    \(SearchColumn.list), tokenize = 'unicode61 remove_diacritics 2'
                )
                """)
        // FTS5 keeps the number in the file, and does not document it (`hashsize` in `fts5_config.c`). An SQLite that
        // does not know it makes the index in half as much time again.
        try? database.execute(sql: "INSERT INTO words (words, rank) VALUES ('hashsize', \(wordBytes))")
    }
}

/// A column of the full-text table. The weights say how much a hit in it counts.
enum SearchColumn: String, CaseIterable {
    case title, names, author, people, tags, kind, folder, path, sinks, text
    /// The plain spellings of words in the other columns; see ``PlainSpelling``.
    case spellings

    static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }

    /// The columns in which a word without a filter is looked for. Each path begins with the same folders, and each
    /// package has a sink, so these two would find everything.
    static let ofWords = allCases.filter { $0 != .path && $0 != .sinks }

    var weight: Int {
        switch self {
        case .title: 10
        case .names: 8
        case .author, .tags: 5
        case .people: 3
        case .kind, .folder: 2
        case .path, .sinks: 0
        case .text, .spellings: 1
        }
    }

    var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
