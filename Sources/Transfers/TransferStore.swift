internal import Files
internal import FoundationEssentials
internal import SQLite
internal import ShareModel
package import SystemPackage

/// The transfers of a container on record. The transfer process alone writes it; other processes read it.
package final class TransferStore: Sendable {
    /// The name of the file in the container's folder.
    package static let file: FilePath.Component = "transfers.sqlite"

    private let database: DatabaseQueue

    /// `best` is the most bytes that the service has had. `ended` is the number of the end, which is never used again.
    private static let schema = """
        CREATE TABLE IF NOT EXISTS transfer (
            number INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, session TEXT NOT NULL,
            status TEXT NOT NULL DEFAULT 'open', sent INTEGER NOT NULL DEFAULT 0, best INTEGER NOT NULL DEFAULT 0,
            failures INTEGER NOT NULL DEFAULT 0, due INTEGER NOT NULL DEFAULT 0, ended INTEGER,
            confirmed INTEGER NOT NULL DEFAULT 0, began INTEGER NOT NULL, started INTEGER NOT NULL DEFAULT 0,
            why TEXT, progress TEXT, body TEXT NOT NULL, content BLOB, ending TEXT);
        CREATE INDEX IF NOT EXISTS transfer_open ON transfer (number) WHERE status = 'open';
        CREATE INDEX IF NOT EXISTS transfer_end ON transfer (ended) WHERE ended IS NOT NULL;
        CREATE INDEX IF NOT EXISTS transfer_event ON transfer (session, ended) WHERE ended IS NOT NULL AND confirmed = 0;
        CREATE TABLE IF NOT EXISTS step (
            number INTEGER PRIMARY KEY, transfer INTEGER NOT NULL, kind TEXT NOT NULL, time INTEGER NOT NULL,
            session TEXT NOT NULL, process INTEGER NOT NULL, why TEXT);
        CREATE INDEX IF NOT EXISTS step_transfer ON step (transfer, number);
        CREATE TABLE IF NOT EXISTS session (name TEXT PRIMARY KEY, ending TEXT NOT NULL);
        CREATE TABLE IF NOT EXISTS counter (ends INTEGER NOT NULL);
        INSERT INTO counter (ends) SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM counter);
        """

    /// Opens the record for writing, and makes it if it does not exist.
    ///
    /// - Parameter container: the folder of the container.
    package init(opening container: FilePath) throws {
        var configuration = DatabaseConfiguration()
        // A reader holds no lock that a writer waits for, but another one may be about to remove the log.
        configuration.timeout = 10
        configuration.prepare = { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL;")
        }
        let path = container.appending(Self.file)
        func open() throws -> DatabaseQueue {
            try DatabaseFile.make(path)
            let database = try DatabaseQueue(path: path.string, configuration: configuration)
            try database.write { try $0.execute(sql: Self.schema) }
            return database
        }
        do { database = try open() } catch let error as DatabaseError where Self.isDamage(error) {
            // Deliveries under way begin again.
            try DatabaseFile.setAside(path)
            database = try open()
        }
    }

    private static func isDamage(_ error: DatabaseError) -> Bool {
        [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
    }

    /// Opens the record for reading; `nil` if the container never had a transfer, or if the record is damaged.
    package init?(reading container: FilePath) throws {
        let path = container.appending(Self.file)
        do throws(Errno) { _ = try Directory.kind(named: path) } catch {
            guard error == .noSuchFileOrDirectory else { throw error }
            return nil
        }
        var configuration = DatabaseConfiguration()
        (configuration.timeout, configuration.isReadOnly) = (10, true)
        do {
            database = try DatabaseQueue(path: path.string, configuration: configuration)
            guard try database.read({ try $0.hasTable("transfer") }) else { return nil }
        } catch let error as DatabaseError where Self.isDamage(error) || error.resultCode == .SQLITE_READONLY {
            // The transfer process makes another one with the next transfer, or completes one whose making a crash has
            // interrupted.
            return nil
        }
    }

    // MARK: - Writing

    /// Writes in one transaction. For one thread.
    ///
    /// - Parameter durably: whether it survives a power cut when this returns. Otherwise it does after the next durable one.
    private func write<Value>(durably: Bool = false, _ body: (Database) throws -> Value) throws -> Value {
        try database.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA synchronous = \(durably ? "FULL" : "NORMAL")")
        }
        return try database.write(body)
    }

    /// Records transfers, or begins those again that have ended. An open one stays as it is. All are durable when this
    /// returns.
    ///
    /// - Returns: each transfer as it is on record; `nil` if its session takes no more.
    package func record(_ orders: [(order: TransferOrder, step: TransferStep)]) throws -> [TransferRecord?] {
        try write(durably: true) { database in
            try orders.map { try Self.record($0.order, $0.step, database) }
        }
    }

    private static func record(_ order: TransferOrder, _ step: TransferStep, _ database: Database) throws
        -> TransferRecord?
    {
        let known = try Self.fetch(database, "key = ?", [order.key]).first
        if let known, known.status == .open {
            // A package that was forgotten and came again has another number.
            var current = known.order
            current.delivery = order.delivery
            try database.execute(
                sql: "UPDATE transfer SET body = ? WHERE number = ?",
                arguments: [try Self.parts(current).text, known.number])
            return known
        }
        let query = try database.cachedStatement(sql: "SELECT 1 FROM session WHERE name = ?")
        guard try Int64.fetchOne(query, arguments: [order.session]) == nil else { return nil }
        let (text, content) = try Self.parts(order)
        guard let known else {
            try database.execute(
                sql: "INSERT INTO transfer (key, session, body, content, began) VALUES (?, ?, ?, ?, ?)",
                arguments: [order.key, order.session, text, content, step.time])
            let number = database.lastInsertedRowID
            try Self.add(database, step, number)
            return TransferRecord(number: number, order: order, size: order.size, began: step.time)
        }
        // The upload goes on where it was, if it is the same one.
        let isSame =
            known.order.head.url == order.head.url && known.order.hasSameBody(as: order) && order.download == nil
            && known.order.resumption == order.resumption && known.order.head.login == order.head.login
        try database.execute(
            sql: """
                UPDATE transfer SET session = ?, body = ?, content = ?, status = 'open', failures = 0, due = 0,
                    why = NULL, ending = NULL, ended = NULL, confirmed = 0, started = 0
                    \(isSame ? "" : ", progress = NULL, sent = 0, best = 0")
                WHERE number = ?
                """,
            arguments: [order.session, text, content, known.number])
        try Self.add(database, step, known.number)
        return try Self.fetch(database, "number = ?", [known.number]).first
    }

    /// Records that a request goes out that must not be repeated.
    package func start(_ number: Int64) throws {
        try write(durably: true) { database in
            try database.execute(sql: "UPDATE transfer SET started = 1 WHERE number = ?", arguments: [number])
        }
    }

    /// Records where an upload goes on. Its failures are forgotten if the service has more of it than ever.
    package func save(_ number: Int64, _ progress: UploadProgress?, sent: Int64) throws {
        try write(durably: true) { database in
            try database.execute(
                sql: """
                    UPDATE transfer SET progress = ?1, sent = ?2, failures = iif(?2 > best, 0, failures),
                        best = max(best, ?2)
                    WHERE number = ?3
                    """,
                arguments: [try progress.map(Self.text), sent, number])
        }
    }

    /// Records how much of uploads has been handed to their connections, for people.
    package func note(_ sent: [Int64: Int64]) throws {
        try write { database in
            for (number, sent) in sent {
                try database.execute(sql: "UPDATE transfer SET sent = ? WHERE number = ?", arguments: [sent, number])
            }
        }
    }

    /// Leaves a transfer open until a later try.
    package func postpone(_ number: Int64, until due: Int64, failures: Int, _ step: TransferStep) throws {
        try write { database in
            try database.execute(
                sql: """
                    UPDATE transfer SET due = ?, failures = ?, why = ?, started = 0 WHERE number = ? AND status = 'open'
                    """,
                arguments: [due, failures, step.why, number])
            try Self.add(database, step, number)
        }
    }

    /// Ends an open transfer. It is durable, unless the request changes nothing and can be made again.
    ///
    /// - Parameter end: `nil` for a canceled one.
    /// - Returns: whether it was open.
    package func end(_ number: Int64, _ end: RequestEnd?, _ step: TransferStep, isDownload: Bool) throws -> Bool {
        try write(durably: !isDownload) { database in
            let status: TransferRecord.Status =
                switch end {
                case .answered: .finished
                case .failed: .failed
                case nil: .canceled
                }
            try database.cachedStatement(sql: "UPDATE counter SET ends = ends + 1").execute()
            try database.execute(
                sql: """
                    UPDATE transfer SET status = ?, ending = ?, why = ?, ended = (SELECT ends FROM counter)
                    WHERE number = ? AND status = 'open'
                    """,
                arguments: [status.rawValue, try end.map(Self.text), step.why, number])
            guard database.changesCount > 0 else { return false }
            try Self.add(database, step, number)
            return true
        }
    }

    /// Records that a process has taken ends.
    ///
    /// - Parameter ends: the numbers of the ends.
    package func confirm(_ ends: [Int64], _ step: TransferStep) throws {
        try write { database in
            for end in ends {
                let query = "SELECT number FROM transfer WHERE ended = ? AND confirmed = 0"
                guard let number = try Int64.fetchOne(database, sql: query, arguments: [end]) else { continue }
                try database.execute(sql: "UPDATE transfer SET confirmed = 1 WHERE number = ?", arguments: [number])
                try Self.add(database, step, number)
            }
            try Self.closeSession(database, step.session)
        }
    }

    /// Records that the end of a transfer was used, and forgets the oldest transfers of which nothing is needed any
    /// more.
    ///
    /// - Parameter end: the number of the end; `nil` for the last one.
    /// - Returns: the transfer, if it had ended so.
    package func use(_ key: String, end: Int64?) throws -> TransferRecord? {
        try write { database in
            guard let record = try Self.fetch(database, "key = ? AND ended = coalesce(?, ended)", [key, end]).first,
                record.status != .open, record.status != .used
            else { return nil }
            // What the service has taken as a whole is not gone on with.
            var isOver = false
            if case .answered(let answer)? = record.end { isOver = 200..<300 ~= answer.status }
            try database.execute(
                sql: """
                    UPDATE transfer SET status = 'used', confirmed = 1, progress = iif(?, NULL, progress), content = NULL
                    WHERE number = ?
                    """,
                arguments: [isOver ? 1 : 0, record.number])
            try database.execute(
                sql: """
                    DELETE FROM transfer WHERE status = 'used' AND number <= (
                        SELECT number FROM transfer WHERE status = 'used' ORDER BY number DESC LIMIT 1 OFFSET ?)
                    """, arguments: [TransferLimits.kept])
            if database.changesCount > 0 {
                try database.execute(sql: "DELETE FROM step WHERE transfer NOT IN (SELECT number FROM transfer)")
            }
            try Self.closeSession(database, record.order.session)
            return record
        }
    }

    /// Makes transfers due that wait for a later try.
    ///
    /// - Parameter key: that of the only one; `nil` for all.
    package func hasten(_ key: String? = nil) throws {
        try write { database in
            try database.execute(
                sql: "UPDATE transfer SET due = 0, failures = 0 WHERE status = 'open' AND key = coalesce(?, key)",
                arguments: [key])
        }
    }

    /// Records that a session takes no further transfer.
    package func endSession(_ name: String, _ manner: LeaveOrder.Manner) throws {
        try write(durably: true) { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO session (name, ending) VALUES (?, ?)",
                arguments: [name, manner.rawValue])
        }
    }

    /// Forgets a session that takes no further transfer, and in which nothing is left.
    package func closeSession(_ name: String) throws { try write { try Self.closeSession($0, name) } }

    private static func closeSession(_ database: Database, _ name: String) throws {
        try database.execute(
            sql: """
                DELETE FROM session WHERE name = ?1 AND NOT EXISTS (
                    SELECT 1 FROM transfer WHERE session = ?1 AND confirmed = 0 AND status != 'used')
                """,
            arguments: [name])
    }

    /// Records a step of transfers that changes nothing else.
    package func add(_ step: TransferStep, _ numbers: [Int64]) throws {
        try write { database in
            for number in numbers { try Self.add(database, step, number) }
        }
    }

    // MARK: - Reading

    /// The transfers that are open, in the order in which they were recorded, without their orders.
    package func openPlaces() throws -> [(number: Int64, due: Int64)] {
        try database.read { database in
            try Row.fetchAll(
                database, sql: "SELECT number, due FROM transfer WHERE status = 'open' ORDER BY number"
            ).map { (try $0.decode(Int64.self, forColumn: "number"), try $0.decode(Int64.self, forColumn: "due")) }
        }
    }

    /// Whether the transfer with a key is open.
    package func isOpen(key: String) throws -> Bool {
        try database.read { database in
            let query = try database.cachedStatement(sql: "SELECT 1 FROM transfer WHERE key = ? AND status = 'open'")
            return try Int64.fetchOne(query, arguments: [key]) != nil
        }
    }

    /// Whether a request of this transfer was under way that must not be repeated.
    package func wasStarted(_ number: Int64) throws -> Bool {
        try database.read { database in
            try Int64.fetchOne(database, sql: "SELECT started FROM transfer WHERE number = ?", arguments: [number]) == 1
        }
    }

    /// The transfer with a number.
    ///
    /// - Parameter withContent: whether its order has the bytes of a body that is no object.
    package func transfer(_ number: Int64, withContent: Bool = false) throws -> TransferRecord? {
        try database.read { try Self.fetch($0, "number = ?", [number], withContent: withContent).first }
    }

    package func transfer(key: String) throws -> TransferRecord? {
        try database.read { try Self.fetch($0, "key = ?", [key]).first }
    }

    /// The transfers whose keys begin so, at most two.
    package func transfers(keyPrefix prefix: String) throws -> [TransferRecord] {
        try database.read { try Self.fetch($0, "substr(key, 1, length(?1)) = ?1 ORDER BY number LIMIT 2", [prefix]) }
    }

    /// All transfers on record, in the order in which they were recorded, without the bytes of their bodies.
    package func transfers(onlyOpen: Bool = false) throws -> [TransferRecord] {
        try database.read { try Self.fetch($0, onlyOpen ? "status = 'open' ORDER BY number" : "1 ORDER BY number", []) }
    }

    /// The first transfers that wait for a later try, in the order in which they are tried.
    package func delayed(limit: Int, now: Int64) throws -> [TransferRecord] {
        try database.read {
            try Self.fetch($0, "status = 'open' AND due > ? ORDER BY due, number LIMIT ?", [now, limit])
        }
    }

    /// The keys of the transfers whose ends were not used.
    package func keysInUse() throws -> [String] {
        try database.read { try String.fetchAll($0, sql: "SELECT key FROM transfer WHERE status != 'used'") }
    }

    /// The transfers that have ended and whose ends were not used, in the order in which they were recorded.
    package func unused() throws -> [TransferRecord] {
        try database.read { try Self.fetch($0, "status NOT IN ('open', 'used') ORDER BY number", []) }
    }

    /// The number of open transfers.
    package func openCount() throws -> Int {
        try database.read { database in
            Int(try Int64.fetchOne(database, sql: "SELECT count(*) FROM transfer WHERE status = 'open'") ?? 0)
        }
    }

    /// How many transfers there are of a session, or of all with `nil`.
    package func counts(of session: String?, now: Int64) throws -> TransferCounts {
        try database.read { database in
            func count(_ condition: String, _ arguments: StatementArguments) throws -> Int {
                let query = try database.cachedStatement(
                    sql: "SELECT count(*) FROM transfer WHERE session = coalesce(?1, session) AND \(condition)")
                return Int(try Int64.fetchOne(query, arguments: arguments) ?? 0)
            }
            return TransferCounts(
                running: try count("status = 'open' AND due <= ?2", [session, now]),
                open: try count("status = 'open'", [session]),
                ends: try count("ended IS NOT NULL AND confirmed = 0", [session]))
        }
    }

    /// The ends of a session that no process has confirmed, in order.
    ///
    /// - Parameter limit: the most of them.
    package func events(of session: String, limit: Int) throws -> [TransferRecord] {
        try database.read { database in
            try Self.fetch(
                database, "session = ? AND ended IS NOT NULL AND confirmed = 0 ORDER BY ended LIMIT ?",
                [session, limit])
        }
    }

    /// The sessions with ends that no process has confirmed.
    package func sessionsWithEvents() throws -> [String] {
        try database.read { database in
            try String.fetchAll(
                database,
                sql: "SELECT DISTINCT session FROM transfer WHERE ended IS NOT NULL AND confirmed = 0 ORDER BY session")
        }
    }

    /// The steps of a transfer, in order.
    package func steps(of number: Int64) throws -> [TransferStep] {
        try database.read { database in
            try Row.fetchAll(
                database, sql: "SELECT * FROM step WHERE transfer = ? ORDER BY number", arguments: [number]
            ).compactMap { row in
                guard let kind = TransferStep.Kind(rawValue: try row.decode(String.self, forColumn: "kind")) else {
                    return nil
                }
                return TransferStep(
                    kind, time: try row.decode(Int64.self, forColumn: "time"),
                    session: try row.decode(String.self, forColumn: "session"),
                    process: Int32(truncatingIfNeeded: try row.decode(Int64.self, forColumn: "process")),
                    why: try row.decode(String?.self, forColumn: "why"))
            }
        }
    }

    // MARK: - Rows

    private static func fetch(
        _ database: Database, _ condition: String, _ arguments: StatementArguments, withContent: Bool = false
    ) throws -> [TransferRecord] {
        let query = try database.cachedStatement(
            sql: """
                SELECT number, key, session, status, sent, failures, due, ended, confirmed, began, started, why, progress, body,
                    ending, length(content) AS length, \(withContent ? "content" : "NULL AS content")
                FROM transfer WHERE \(condition)
                """)
        return try Row.fetchAll(query, arguments: arguments).map(record)
    }

    private static func record(_ row: Row) throws -> TransferRecord {
        func decoded<Value: Decodable>(_ type: Value.Type, _ column: String) throws -> Value? {
            try row.decode(String?.self, forColumn: column).map { try JSONLines.decode(type, from: Array($0.utf8)) }
        }
        guard var order = try decoded(TransferOrder.self, "body"),
            let status = TransferRecord.Status(rawValue: try row.decode(String.self, forColumn: "status"))
        else { throw DamagedTransfer() }
        if let content = try row.decode(Data?.self, forColumn: "content") { order.body = .bytes(content) }
        return TransferRecord(
            number: try row.decode(Int64.self, forColumn: "number"), order: order,
            size: try row.decode(Int64?.self, forColumn: "length") ?? order.size, status: status,
            progress: try decoded(UploadProgress.self, "progress"), sent: try row.decode(Int64.self, forColumn: "sent"),
            failures: Int(try row.decode(Int64.self, forColumn: "failures")),
            due: try row.decode(Int64.self, forColumn: "due"), why: try row.decode(String?.self, forColumn: "why"),
            end: try decoded(RequestEnd.self, "ending"), endNumber: try row.decode(Int64?.self, forColumn: "ended"),
            began: try row.decode(Int64.self, forColumn: "began"),
            hasStarted: try row.decode(Int64.self, forColumn: "started") == 1,
            isConfirmed: try row.decode(Int64.self, forColumn: "confirmed") == 1)
    }

    /// The order as text, and the bytes of its body, which lists do without.
    private static func parts(_ order: TransferOrder) throws -> (text: String, content: Data?) {
        guard case .bytes(let content) = order.body else { return (try text(order), nil) }
        var order = order
        order.body = .bytes(Data())
        return (try text(order), content)
    }

    private static func text(_ value: some Encodable) throws -> String {
        String(decoding: try JSONLines.encode(value), as: UTF8.self)
    }

    private static func add(_ database: Database, _ step: TransferStep, _ number: Int64) throws {
        try database.execute(
            sql: "INSERT INTO step (transfer, kind, time, session, process, why) VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [number, step.kind.rawValue, step.time, step.session, Int64(step.process), step.why])
        try database.execute(
            sql: """
                DELETE FROM step WHERE transfer = ?1 AND number <= (
                    SELECT number FROM step WHERE transfer = ?1 ORDER BY number DESC LIMIT 1 OFFSET ?2)
                """, arguments: [number, TransferLimits.steps])
    }
}

/// A row that no version of the program has written.
struct DamagedTransfer: Error, CustomStringConvertible {
    var description: String { "a transfer on record cannot be read" }
}
