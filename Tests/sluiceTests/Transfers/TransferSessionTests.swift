import Accounts
import CSQLite
import Foundation
import ShareModel
import Synchronization
import SystemPackage
import Testing

@testable import Files
@testable import GroupChannel
@testable import GroupContainer
@testable import Transfers

/// The sessions of transfers, with a real transfer process and a real server.
@Suite(.serialized, .timeLimit(.minutes(5))) struct TransferSessionTests {
    private let scene: AccountScene

    init() throws {
        scene = try AccountScene()
        try scene.addAccount(kind: "token", asks: false, "--url", scene.service.address + "/files")
        let login = try scene.program.run(["account", "login", "notes", "--user", "ada"], input: "token-of-ada\n")
        try #require(login.status == 0, "\(login.errors)")
    }

    // MARK: - Who is connected

    @Test func aSecondProcessIsTurnedAwayAtOnce() async throws {
        let (first, second) = (client(), client())
        let session = try await TransferSession.join("share", by: first)
        await #expect(throws: TransferSession.Refusal.inUseByAnotherProcess(process: getpid())) {
            try await TransferSession.join("share", by: second)
        }
        try await session.leave()
        try await TransferSession.join("share", by: second).leave()
    }

    @Test func eachSessionHasItsOwnEnds() async throws {
        let client = client()
        try await record(["a"], in: "share", client)
        try await record(["b"], in: "ingest", client)
        #expect(try await ends(of: "ingest", client).map(\.key) == ["b"])
        #expect(try await ends(of: "share", client).map(\.key) == ["a"])
        #expect(try await ends(of: "share", client).isEmpty)
        #expect(Set(try scene.service.files.compactMap { $0[2].text }) == ["a", "b"])
    }

    /// The kernel closes the connection of a process that dies. What it has not confirmed comes again, in order.
    @Test func whatWasNotConfirmedComesAgain() async throws {
        let client = client()
        let keys = (1...5).map { "k\($0)" }
        try await record(keys, in: "share", client)
        for _ in 0..<3 {
            let connection = try await client.connectForEvents()
            // The end of the last connection may still be on its way.
            while try await connection.request(JoinOrder(session: "share")).answer != .joined {}
            for await event in connection.events {
                guard case .message(let message) = event, let own = message.value as? TransferEvents else { continue }
                if own.events.contains(where: { $0.end != nil }) { break }
            }
            connection.close()
        }
        var all: [String] = []
        while all.count < keys.count { all += try await ends(of: "share", client).map(\.key) }
        #expect(all == keys)
    }

    /// As a stopped process: it has got an end, and says nothing for ten seconds.
    @Test func aSilentProcessIsDisconnected() async throws {
        let client = client()
        let silent = try await client.connectForEvents()
        _ = try await silent.request(JoinOrder(session: "share"))
        try await record(["a"], in: "share", client)
        var session: TransferSession?
        while session == nil { session = try? await TransferSession.join("share", by: client) }
        var last: ChannelEvent?
        for await event in silent.events { last = event }
        guard case .invalidated(.goodbye(let why))? = last else {
            Issue.record("\(String(describing: last))")
            return
        }
        #expect(why == "no confirmation in time")
        try await session?.leave()
        #expect(try await ends(of: "share", client).map(\.key) == ["a"])
    }

    /// A process that is at work on an end for longer than that keeps its session.
    @Test func aBusyProcessStaysConnected() async throws {
        let client = client()
        try await record(["a"], in: "share", client)
        let session = try await TransferSession.join("share", by: client)
        let work = TransferLimits.confirmation + .seconds(1)
        try await session.run { _ in
            // It waits for nothing.
            try await BlockingCall.run { _ = poll(nil, 0, Int32(work.milliseconds)) }
            return false
        }
        try await session.leave()
        #expect(try await ends(of: "share", client).isEmpty)
    }

    // MARK: - The end of a session

    @Test func aSessionThatFinishesTakesNoMore() async throws {
        let client = client()
        try scene.service.change(["files_delay": 3_600])
        try await record(["a"], in: "share", client, waits: false)
        let session = try await TransferSession.join("share", by: client)
        try await session.leave(.finishAndInvalidate)
        guard case .refused(let failure) = await client.record(order("b", "share")) else {
            Issue.record("it takes a transfer")
            return
        }
        #expect(failure.why.contains("is ending"))
        try scene.service.change(["files_delay": 0])
        var found: [TransferEvent] = []
        while found.isEmpty { found = try await ends(of: "share", client) }
        #expect(found.map(\.kind) == [.finished])
        // Nothing is left in it, so a new one of the same name begins.
        try await record(["b"], in: "share", client)
        #expect(try await ends(of: "share", client).map(\.key) == ["b"])
    }

    @Test func aSessionThatIsCanceledEndsAll() async throws {
        let client = client()
        try scene.service.change(["files_delay": 3_600])
        try await record(["a", "b"], in: "share", client, waits: false)
        try await record(["c"], in: "other", client, waits: false)
        while try scene.service.waiting == 0 { await Task.yield() }
        try await TransferSession.join("share", by: client).leave(.invalidateAndCancel)
        let found = try await ends(of: "share", client)
        #expect(found.map(\.key) == ["a", "b"] && found.allSatisfy { $0.kind == .canceled })
        #expect(try await client.look() == 1)
        try scene.service.change(["files_delay": 0])
    }

    // MARK: - Many, and at any moment

    @Test func tenThousandEndsComeInOrder() async throws {
        let client = client()
        try await record(["first"], in: "share", client)
        try await client.look()
        // The process would take minutes to make them.
        try copy("first", times: 9_999)
        var keys: [String] = []
        let session = try await TransferSession.join("share", by: client)
        let found = Mutex<[Int64]>([])
        try await session.run { events in
            found.withLock { $0 += events.filter { $0.end != nil }.map(\.number) }
            return !events.contains { $0.kind == .drained }
        }
        try await session.leave()
        keys = found.withLock { $0 }.map(String.init)
        #expect(keys.count == 10_000 && keys == (1...10_000).map(String.init))
        #expect(try await ends(of: "share", client).isEmpty)
    }

    /// Connections that end at any moment between the end of a transfer and its confirmation lose nothing.
    @Test func aDeathAtTheEndLosesNothing() async throws {
        let client = client()
        var known: Set<String> = []
        var keys: [String] = []
        for round in 0..<24 {
            let key = "r\(round)"
            keys.append(key)
            let connection = try await client.connectForEvents()
            _ = try await connection.request(JoinOrder(session: "share"))
            guard case .recorded = await client.record(order(key, "share")) else {
                Issue.record("it is not recorded")
                return
            }
            // From before the end to after it.
            for _ in 0..<(round * round) { await Task.yield() }
            connection.close()
        }
        while known.count < keys.count {
            for end in try await ends(of: "share", client) { #expect(known.insert(end.key).inserted, "\(end.key)") }
        }
        #expect(known == Set(keys))
        let names = try scene.service.files.compactMap { $0[2].text }
        #expect(names.count == keys.count && Set(names) == known)
    }

    /// The transfer process itself dies. What was recorded goes on with the next one.
    @Test func aDeathOfTheTransferProcessLosesNothing() async throws {
        let client = client()
        try scene.service.change(["files_delay": 3_600])
        let keys = ["a", "b", "c"]
        try await record(keys, in: "share", client, waits: false)
        while try scene.service.waiting < keys.count { await Task.yield() }
        let connection = try await client.connectForEvents()
        kill(connection.peer.process, SIGKILL)
        for await _ in connection.events {}
        try scene.service.change(["files_delay": 0])
        var found: Set<String> = []
        while found.count < keys.count { found.formUnion(try await ends(of: "share", self.client()).map(\.key)) }
        #expect(found == Set(keys))
    }

    /// A request that must not be repeated, of which no one knows whether it arrived, is not.
    @Test func anUnknownOutcomeIsNotRepeated() async throws {
        let client = client()
        try scene.service.change(["files_delay": 3_600])
        var order = order("a", "share")
        (order.head.method, order.head.headers) = ("POST", [])
        guard case .recorded = await client.record(order) else {
            Issue.record("it is not recorded")
            return
        }
        while try scene.service.waiting == 0 { await Task.yield() }
        let connection = try await client.connectForEvents()
        kill(connection.peer.process, SIGKILL)
        for await _ in connection.events {}
        try scene.service.change(["files_delay": 0])
        let found = try await ends(of: "share", self.client())
        guard case .failed(let failure)? = found.first?.kind else {
            Issue.record("\(found)")
            return
        }
        #expect(failure.mayHaveArrived)
    }

    // MARK: -

    private var root: FilePath { scene.program.container }

    private func client() -> TransferClient {
        TransferClient(
            container: root, run: ContainerLayout(root: root).run,
            program: FilePath(Program.folder.appending(path: "sluice-transfer").path), accountProgram: nil)
    }

    private func order(_ key: String, _ session: String) -> TransferOrder {
        let layout = ContainerLayout(root: root)
        let places = AccountPlaces(
            container: root, markers: layout.accounts, locks: layout.run, wake: layout.changes,
            definitions: scene.folder["config/accounts"], keychain: scene.folder["data/sluice/keychain"])
        let login = AccountName("notes").map { AccountUser(account: $0, user: "ada") }
        let head = RequestHead(method: "PUT", url: "/\(key)", headers: [], login: login, places: places, hosts: [])
        return TransferOrder(
            key: key, session: session, head, body: .bytes(Data(key.utf8)), resumption: .none, state: nil, delivery: 1,
            agent: [])
    }

    /// Records transfers one after the other.
    ///
    /// - Parameter waits: whether each one has ended before the next one begins.
    private func record(_ keys: [String], in session: String, _ client: TransferClient, waits: Bool = true) async throws
    {
        for key in keys {
            let answer = await client.record(order(key, session))
            guard case .recorded = answer else { throw Program.Failure("\(answer)") }
            while waits, try TransferStore(reading: root)?.transfer(key: key)?.status == .open { await Task.yield() }
        }
    }

    /// Takes the ends of a session that are there.
    private func ends(of session: String, _ client: TransferClient) async throws -> [TransferEvent] {
        var joined: TransferSession?
        while joined == nil {
            // The end of this process's last connection may still be on its way.
            do { joined = try await TransferSession.join(session, by: client) } catch TransferSession.Refusal
                .inUseByAnotherProcess(process: getpid())
            {}
        }
        let own = try #require(joined)
        let found = Mutex<[TransferEvent]>([])
        try await own.run { events in
            found.withLock { $0 += events.filter { $0.end != nil } }
            return !events.contains { $0.kind == .drained }
        }
        try await own.leave()
        return found.withLock { $0 }
    }

    /// Copies a transfer that has ended.
    private func copy(_ key: String, times: Int) throws {
        var database: OpaquePointer?
        defer { sqlite3_close(database) }
        try #require(sqlite3_open(root.appending(TransferStore.file).string, &database) == SQLITE_OK)
        sqlite3_busy_timeout(database, 60_000)
        let sql = """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(times))
            INSERT INTO transfer (key, session, body, status, ending, ended, began)
            SELECT key || i, session, body, status, ending, ended + i, began FROM transfer, n WHERE key = '\(key)'
            """
        try #require(sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK)
    }
}
