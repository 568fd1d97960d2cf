import ShareModel
import Synchronization
import Testing

@testable import Ingestion

/// Batches on their way: in order, within the window, and none forgotten when one fails.
@Suite(.timeLimit(.minutes(1))) struct ConveyorTests {
    private struct Broken: Error, Equatable { var what: String }

    /// What happened to the batches, each of which has one receipt that bears its number.
    private final class Log: Sendable {
        struct State {
            var read = 0
            var stored: [Int] = []
            var committed: [Int] = []
            var settled: [Int] = []
            var told: [Int] = []
            var mostAhead = 0
        }

        private let state = Mutex(State())

        func change<Value: Sendable>(_ body: (inout State) -> Value) -> Value { state.withLock { body(&$0) } }

        var now: State { state.withLock { $0 } }

        /// Waits until something is so, or the test's time is up.
        func wait(_ isSo: (State) -> Bool) async { while !isSo(now), !Task.isCancelled { await Task.yield() } }
    }

    private let log = Log()

    private static func receipt(_ number: Int) -> Receipt {
        Receipt(id: "\(number)", source: .init(kind: .file, path: "file"), outcome: .accepted)
    }

    private static func number(_ receipts: [Receipt]) -> Int { receipts.first.flatMap { Int($0.id) } ?? -1 }

    /// Runs so many batches; each step may do more, or throw.
    private func run(
        _ count: Int, window: Int, read: @escaping @Sendable (Int) throws -> Void = { _ in },
        store: @escaping @Sendable (Int) async throws -> Void = { _ in },
        commit: @escaping @Sendable (Int) async throws -> Void = { _ in },
        settle: @escaping @Sendable (Int) async throws -> Void = { _ in },
        tell: @escaping @Sendable (Int) async -> Void = { _ in }
    ) async throws {
        let log = log
        var conveyor = Conveyor<[Receipt]>(window: window, listener: TaskQueue("test"))
        try await conveyor.run {
            let number = log.change { state in
                defer { state.read += 1 }
                return state.read
            }
            guard number < count else { return nil }
            try read(number)
            return [Intake(receipt: Self.receipt(number))]
        } store: { batch in
            let number = Self.number(batch.map(\.receipt))
            try await store(number)
            log.change { state in
                state.stored.append(number)
                state.mostAhead = max(state.mostAhead, state.stored.count - state.told.count)
            }
            return batch.map(\.receipt)
        } commit: { receipts in
            let number = Self.number(receipts)
            try await commit(number)
            log.change { $0.committed.append(number) }
            return receipts
        } settle: { receipts in
            let number = Self.number(receipts)
            try await settle(number)
            log.change { $0.settled.append(number) }
            return receipts
        } tell: { receipts in
            await tell(Self.number(receipts))
            log.change { $0.told.append(Self.number(receipts)) }
        }
    }

    @Test func theyAreToldInTheOrderInWhichTheyWereRead() async throws {
        let log = log
        try await run(8, window: 4) { _ in
        } settle: { number in
            // The first of each four is settled last.
            if number % 4 == 0 { await log.wait { $0.settled.count >= number + 3 } }
        }
        #expect(log.now.told == Array(0..<8))
        #expect(Set(log.now.settled) == Set(0..<8))
        #expect(log.now.settled.first != 0)
    }

    @Test(arguments: [1, 2, 5]) func noMoreAreUnderwayThanTheWindowHolds(_ window: Int) async throws {
        let log = log
        try await run(12, window: window) { _ in
        } settle: { number in
            // One more is read meanwhile, and waits.
            if number == 0 { await log.wait { $0.committed.count >= window && $0.read > window } }
        }
        #expect(log.now.told == Array(0..<12))
        #expect(log.now.mostAhead == window)
    }

    /// Neither waits for the other, and no more than one of each is under way.
    @Test func theNextIsStoredWhileOneIsCommitted() async throws {
        let log = log
        try await run(6, window: 4) { _ in
        } store: { number in
            #expect(log.now.committed.count >= number - 1)
        } commit: { number in
            if number < 5 { await log.wait { $0.stored.contains(number + 1) } }
        }
        #expect(log.now.stored == Array(0..<6))
        #expect(log.now.told == Array(0..<6))
    }

    /// What is stored holds a lock that a listener may wait for, say to forget what it hears of.
    @Test func whatIsStoredIsCommittedHoweverLongOneListens() async throws {
        let log = log
        try await run(6, window: 4) { _ in
        } tell: { number in
            if number == 0 { await log.wait { $0.committed.count == 4 } }
        }
        #expect(log.now.told == Array(0..<6))
    }

    @Test func aFailedStoreLetsGoWhatComesLater() async {
        let log = log
        await #expect(throws: Broken(what: "store 2")) {
            try await run(5, window: 4) { _ in
            } store: { number in
                // The one before is being committed, and the one behind is read.
                guard number == 2 else { return }
                await log.wait { $0.read >= 4 }
                throw Broken(what: "store 2")
            } commit: { number in
                if number == 1 { await log.wait { $0.read >= 4 } }
            }
        }
        #expect(log.now.stored == [0, 1])
        #expect(log.now.committed == [0, 1])
        #expect(log.now.told == [0, 1])
    }

    @Test func whatIsCommittedIsToldThoughItCouldNotBeSettled() async {
        let log = log
        await #expect(throws: Broken(what: "settle 1")) {
            try await run(3, window: 3) { _ in
            } settle: { number in
                if number == 1 { throw Broken(what: "settle 1") }
                if number == 0 { await log.wait { $0.committed.count >= 2 } }
            }
        }
        #expect(log.now.told == log.now.committed)
        #expect(log.now.told.starts(with: [0, 1]))
    }

    @Test func aFailedCommitLetsGoWhatWasReadLater() async {
        let log = log
        await #expect(throws: Broken(what: "commit 1")) {
            let commit: @Sendable (Int) async throws -> Void = { number in
                // The one behind is stored by then, and the one behind that is read.
                guard number == 1 else { return }
                await log.wait { $0.stored.contains(2) && $0.read >= 4 }
                throw Broken(what: "commit 1")
            }
            try await run(5, window: 4, commit: commit)
        }
        #expect(log.now.committed == [0])
        #expect(log.now.told == [0])
    }

    @Test func aFailedReadLetsTheRestEnd() async {
        await #expect(throws: Broken(what: "read 2")) {
            try await run(5, window: 4) { number in if number == 2 { throw Broken(what: "read 2") } }
        }
        #expect(log.now.committed == [0, 1])
        #expect(log.now.told == [0, 1])
        #expect(log.now.read == 3, "nothing is read after that")
    }

    @Test func theFirstErrorIsTheOneThatIsThrown() async {
        let log = log
        await #expect(throws: Broken(what: "settle 0")) {
            let commit: @Sendable (Int) async throws -> Void = { number in
                guard number == 1 else { return }
                await log.wait { $0.told == [0] }
                throw Broken(what: "commit 1")
            }
            try await run(4, window: 2, commit: commit, settle: { _ in throw Broken(what: "settle 0") })
        }
        #expect(log.now.told == [0])
    }
}
