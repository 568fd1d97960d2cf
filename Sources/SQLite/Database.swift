internal import CSQLite
package import FoundationEssentials

/// A connection to a database. One thread at a time may use it; ``DatabaseQueue`` and ``DatabasePool`` see to that.
package final class Database {
    let handle: OpaquePointer
    /// The statements that ``cachedStatement(sql:)`` keeps.
    private var cache: [CacheKey: Statement] = [:]
    /// What SQLite calls if a lock is held.
    private let waiting: Waiting?
    /// How long it waits for a lock otherwise, in milliseconds.
    private let timeout: CInt
    /// See ``DatabaseConfiguration/keptLogPages``.
    private let keptLogPages: Int?

    /// Opens a connection.
    ///
    /// - Parameter path: an empty path is a temporary database, which ends with the connection.
    /// - Throws: ``DatabaseError`` if the file cannot be opened, or is no database.
    init(path: String, configuration: DatabaseConfiguration) throws {
        _ = Self.isConfigured
        var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        flags |= configuration.isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        if configuration.isImmutable { flags |= SQLITE_OPEN_URI }
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(configuration.isImmutable ? Self.immutable(path) : path, &opened, flags, nil)
        guard let handle = opened else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        guard code == SQLITE_OK else {
            let error = DatabaseError(handle)
            sqlite3_close_v2(handle)
            throw error
        }
        self.handle = handle
        waiting = configuration.isWorthWaiting.map(Waiting.init)
        timeout = CInt(clamping: Int(configuration.timeout * 1_000))
        keptLogPages = configuration.keptLogPages
        csqlite_require_single_quotes(handle)
        waitForLocks()
        if keptLogPages != nil { keepLog() }
        try execute(sql: "PRAGMA foreign_keys = ON")
        try configuration.prepare?(self)
        // SQLite opens the file at the first read.
        _ = try Row.fetchOne(self, sql: "SELECT 1 FROM sqlite_master LIMIT 1")
    }

    /// Set before the first connection of the process.
    private static let isConfigured: Bool = {
        csqlite_keep_no_statistics()
        return true
    }()

    /// Says how SQLite waits for a lock that another connection has.
    private func waitForLocks() {
        if let waiting {
            let context = Unmanaged.passUnretained(waiting).toOpaque()
            sqlite3_busy_handler(
                handle,
                { context, tries in
                    guard let context else { return 0 }
                    let waiting = Unmanaged<Waiting>.fromOpaque(context).takeUnretainedValue()
                    return waiting.isWorthIt(Int(tries)) ? 1 : 0
                }, context)
        } else {
            sqlite3_busy_timeout(handle, timeout)
        }
    }

    deinit {
        cache = [:]
        // A cursor may keep the connection open for longer than this object lives.
        sqlite3_wal_hook(handle, nil, nil)
        // With the last statement that a cursor keeps.
        sqlite3_close_v2(handle)
    }

    private final class Waiting {
        let isWorthIt: @Sendable (Int) -> Bool
        init(_ isWorthIt: @escaping @Sendable (Int) -> Bool) { self.isWorthIt = isWorthIt }
    }

    /// The URI of a file that does not change. https://www.sqlite.org/uri.html
    private static func immutable(_ path: String) -> String {
        // SQLite decodes `%`, and ends the path at `?` or `#`.
        let escaped = path.utf8.map { byte -> String in
            let isPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-".utf8.contains(byte)
            let digits = String(byte, radix: 16)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + (digits.count == 1 ? "0" : "") + digits
        }
        return "file:\(escaped.joined())?immutable=1"
    }

    // MARK: Statements

    /// Runs statements to their end, and ignores their rows.
    ///
    /// - Throws: ``DatabaseError``. The statements before the one that failed have run.
    package func execute(sql: String) throws {
        var rest = sql[...]
        while let statement = try prepare(&rest) { try statement.execute() }
    }

    /// Runs the only statement of a text to its end, and ignores its rows. The connection keeps it; see ``cachedStatement(sql:)``.
    package func execute(sql: String, arguments: StatementArguments) throws {
        try cachedStatement(sql: sql).execute(arguments: arguments)
    }

    /// Prepares the only statement of a text.
    package func statement(_ sql: String) throws -> Statement {
        var rest = sql[...]
        guard let statement = try prepare(&rest), try prepare(&rest) == nil else {
            throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "there is not one statement", sql: sql)
        }
        return statement
    }

    /// A statement that the connection keeps, so that it is prepared once. While one of its cursors is open, another
    /// call gets a statement of its own.
    package func cachedStatement(sql: String) throws -> Statement {
        let key = CacheKey(sql: sql)
        if let known = cache[key] { return known.hasCursor ? try statement(sql) : known }
        let statement = try statement(sql)
        cache[key] = statement
        return statement
    }

    /// The text of a statement. Its hash is that of its length, because most statements differ in it, and the hash of a
    /// whole text costs more than a comparison.
    private struct CacheKey: Hashable {
        let sql: String

        func hash(into hasher: inout Hasher) { hasher.combine(sql.utf8.count) }
    }

    /// Prepares the first statement of a text, and removes it from the text; `nil` if only space and comments are left.
    private func prepare(_ sql: inout Substring) throws -> Statement? {
        let text = String(sql)
        while !sql.isEmpty {
            var prepared: OpaquePointer?
            let (code, used) = sql.withCString { start in
                var end: UnsafePointer<CChar>?
                let code = sqlite3_prepare_v2(handle, start, -1, &prepared, &end)
                return (code, end.map { $0 - start } ?? 0)
            }
            guard code == SQLITE_OK else { throw failure(text) }
            sql = Substring(sql.utf8.dropFirst(used))
            if let prepared { return Statement(prepared, text, self) }
            guard used > 0 else { return nil }
        }
        return nil
    }

    /// The last error.
    func failure(_ sql: String) -> DatabaseError { DatabaseError(handle, sql: sql) }

    /// The number of rows that the last statement changed.
    package var changesCount: Int { Int(sqlite3_changes64(handle)) }
    /// The number of rows that this connection has changed.
    package var totalChangesCount: Int { Int(sqlite3_total_changes64(handle)) }
    package var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(handle) }

    /// Whether there is a table of this name.
    package func hasTable(_ name: String) throws -> Bool {
        let query = try cachedStatement(sql: "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?")
        return try Bool.fetchOne(query, arguments: [name]) != nil
    }

    // MARK: Transactions

    package var isInsideTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// How a transaction ends.
    package enum Completion { case commit, rollback }

    /// Runs `body` in a transaction that has the lock for writing from its beginning.
    ///
    /// - Throws: ``DatabaseError``; an error of `body`. The transaction is rolled back.
    package func inTransaction(_ body: () throws -> Completion) throws {
        try run("BEGIN IMMEDIATE", body, commit: "COMMIT", rollback: ["ROLLBACK"])
    }

    /// Runs `body` inside a transaction; its changes can be taken back without the rest.
    ///
    /// - Throws: ``DatabaseError``; an error of `body`. The changes of `body` are taken back.
    package func inSavepoint(_ body: () throws -> Completion) throws {
        try run("SAVEPOINT part", body, commit: "RELEASE part", rollback: ["ROLLBACK TO part", "RELEASE part"])
    }

    private func run(
        _ beginning: String, _ body: () throws -> Completion, commit: String, rollback: [String]
    ) throws {
        try cachedStatement(sql: beginning).execute()
        var isDone = false
        defer {
            // After some errors SQLite has ended the transaction itself.
            if !isDone, isInsideTransaction { for end in rollback { try? cachedStatement(sql: end).execute() } }
        }
        guard try body() == .commit else { return }
        try cachedStatement(sql: commit).execute()
        isDone = true
    }

    /// Runs `body` on one state of the database. It cannot change anything.
    func reading<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try cachedStatement(sql: "BEGIN").execute()
        // Nothing was written, so this only ends the transaction.
        defer { if isInsideTransaction { try? cachedStatement(sql: "ROLLBACK").execute() } }
        return try body(self)
    }

    /// Runs `body` like ``reading(_:)``, on a connection that may write otherwise.
    func onlyReading<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try cachedStatement(sql: "PRAGMA query_only = ON").execute()
        defer { try? cachedStatement(sql: "PRAGMA query_only = OFF").execute() }
        return try reading(body)
    }

    /// Runs `body` in a transaction, and commits it.
    func writing<Value>(_ body: (Database) throws -> Value) throws -> Value {
        var value: Value?
        try inTransaction {
            value = try body(self)
            return .commit
        }
        guard let value else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
        return value
    }

    // MARK: Files

    /// Copies the write-ahead log into the file, and truncates the log.
    ///
    /// - Throws: ``DatabaseError`` if a reader still needs the log.
    package func truncateLog() throws {
        let code = sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        guard code == SQLITE_OK else { throw failure("PRAGMA wal_checkpoint (TRUNCATE)") }
    }

    /// Keeps the log when the connection closes, and replaces SQLite's own checkpoints after commits.
    private func keepLog() {
        csqlite_keep_log(handle)
        sqlite3_wal_hook(
            handle,
            { context, _, _, pages in
                guard let context else { return SQLITE_OK }
                let database = Unmanaged<Database>.fromOpaque(context).takeUnretainedValue()
                if let limit = database.keptLogPages, pages >= limit { database.tryToTruncateLog() }
                // Another code would make a failure of the commit, which is durable.
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Copies the log as far as that is possible without waiting, and truncates it if no other connection needs it now.
    private func tryToTruncateLog() {
        sqlite3_busy_handler(handle, nil, nil)
        defer { waitForLocks() }
        try? truncateLog()
    }

    /// The number of pages that a copy takes between two reports.
    private static let backupPages: CInt = 4_096

    /// Copies the whole database into another one.
    ///
    /// - Parameter report: gets the part that is copied, from 0 to 1.
    func backup(to other: Database, _ report: (Double) -> Void = { _ in }) throws {
        guard let backup = sqlite3_backup_init(other.handle, "main", handle, "main") else {
            throw other.failure("backup")
        }
        var copied = SQLITE_OK
        while copied == SQLITE_OK {
            copied = sqlite3_backup_step(backup, Self.backupPages)
            let (rest, all) = (sqlite3_backup_remaining(backup), sqlite3_backup_pagecount(backup))
            if all > 0 { report(1 - Double(rest) / Double(all)) }
        }
        let finished = sqlite3_backup_finish(backup)
        guard copied == SQLITE_DONE else {
            let code = ResultCode(rawValue: finished == SQLITE_OK ? copied : finished)
            throw DatabaseError(resultCode: code, message: "the database cannot be copied: \(code)")
        }
    }

    /// Adds a function to SQL that makes bytes of a text; `NULL` for a value that is no text. The same text always
    /// gives the same bytes.
    package func add(function name: String, _ body: @escaping @Sendable (String) -> Data?) throws {
        let function = Unmanaged.passRetained(Function(body: body)).toOpaque()
        // SQLite releases the function, also if this call fails.
        let code = sqlite3_create_function_v2(
            handle, name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, function,
            { context, _, values in
                guard let function = sqlite3_user_data(context), let text = sqlite3_value_text(values?.pointee) else {
                    return
                }
                let body = Unmanaged<Function>.fromOpaque(function).takeUnretainedValue().body
                // Without a result, the value is NULL.
                body(String(cString: text))?.withUnsafeBytes {
                    csqlite_result_blob(context, $0.baseAddress, UInt64($0.count))
                }
            }, nil, nil, { $0.map { Unmanaged<Function>.fromOpaque($0).release() } })
        guard code == SQLITE_OK else { throw failure(name) }
    }

    private final class Function {
        let body: @Sendable (String) -> Data?
        init(body: @escaping @Sendable (String) -> Data?) { self.body = body }
    }
}
