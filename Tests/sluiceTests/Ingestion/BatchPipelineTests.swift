import ShareModel
import Synchronization
import Testing

@testable import Files
@testable import Ingestion

/// Batches run in order and within the window; a failure drops no committed batch.
@Suite(.timeLimit(.minutes(60))) struct BatchPipelineTests {
    private struct Broken: Error, Equatable { var what: String }

    /// The events of the batches. Each batch has one receipt, whose id is its number.
    private final class Log: Sendable {
        struct State {
            var read = 0
            var stored: [Int] = []
            var committed: [Int] = []
            var delivered: [Int] = []
            var announced: [Int] = []
            var reported: [Int] = []
            var mostAhead = 0
        }

        private let state = Mutex(State())

        func change<Value: Sendable>(_ body: (inout State) -> Value) -> Value { state.withLock { body(&$0) } }

        var now: State { state.withLock { $0 } }

        /// Waits until a condition holds, or the test's time limit cancels the task.
        func wait(_ isSo: (State) -> Bool) async { while !isSo(now), !Task.isCancelled { await Task.yield() } }
    }

    private let log = Log()

    private static func receipt(_ number: Int) -> Receipt {
        Receipt(id: "\(number)", source: .init(kind: .file, path: "file"), outcome: .accepted)
    }

    private static func number(_ receipts: [Receipt]) -> Int { receipts.first.flatMap { Int($0.id) } ?? -1 }

    /// Runs `count` batches; each closure runs inside its stage and may throw.
    private func run(
        _ count: Int, window: Int, read: @escaping @Sendable (Int) throws -> Void = { _ in },
        store: @escaping @Sendable (Int) async throws -> Void = { _ in },
        commit: @escaping @Sendable (Int) async throws -> Void = { _ in },
        deliver: @escaping @Sendable (Int) async throws -> Void = { _ in },
        announce: @escaping @Sendable (Int) async -> Void = { _ in },
        report: @escaping @Sendable (Int) async -> Void = { _ in }
    ) async throws {
        let log = log
        let stages = BatchStages<[Receipt]> {
            let number = log.change { state in
                defer { state.read += 1 }
                return state.read
            }
            guard number < count else { return nil }
            try read(number)
            return [Intake(final: Self.receipt(number))]
        } store: { batch in
            let number = Self.number(batch.map(\.receipt))
            try await store(number)
            log.change { state in
                state.stored.append(number)
                state.mostAhead = max(state.mostAhead, state.stored.count - state.reported.count)
            }
            return batch.map(\.receipt)
        } commit: { receipts in
            let number = Self.number(receipts)
            try await commit(number)
            log.change { $0.committed.append(number) }
            return receipts
        } deliver: { receipts in
            let number = Self.number(receipts)
            try await deliver(number)
            log.change { $0.delivered.append(number) }
            return receipts
        } report: { step, receipts in
            let number = Self.number(receipts)
            switch step {
            case .committed:
                await announce(number)
                log.change { $0.announced.append(number) }
            case .settled:
                await report(number)
                log.change { $0.reported.append(number) }
            }
        }
        var pipeline = BatchPipeline(stages, window: window, listener: QueueTaskExecutor("test"))
        try await pipeline.run()
    }

    @Test func batchesAreReportedInTheOrderOfTheInput() async throws {
        let log = log
        try await run(8, window: 4) { _ in
        } deliver: { number in
            // The first of each four is settled last.
            if number % 4 == 0 { await log.wait { $0.delivered.count >= number + 3 } }
        }
        #expect(log.now.reported == Array(0..<8))
        #expect(Set(log.now.delivered) == Set(0..<8))
        #expect(log.now.delivered.first != 0)
    }

    /// A slow sink does not keep a committed package from the listener.
    @Test func aBatchIsAnnouncedBeforeItsDeliveriesEnd() async throws {
        let log = log
        try await run(6, window: 3) { _ in
        } deliver: { number in
            if number == 0 { await log.wait { $0.announced.starts(with: [0, 1, 2]) } }
        } report: { number in
            #expect(log.now.announced.contains(number))
        }
        #expect(log.now.announced == Array(0..<6))
        #expect(log.now.reported == Array(0..<6))
    }

    @Test(arguments: [1, 2, 5]) func theWindowBoundsStoredBatches(_ window: Int) async throws {
        let log = log
        try await run(12, window: window) { _ in
        } deliver: { number in
            // The next batch is read meanwhile, and waits.
            if number == 0 { await log.wait { $0.committed.count >= window && $0.read > window } }
        }
        #expect(log.now.reported == Array(0..<12))
        #expect(log.now.mostAhead == window)
    }

    /// At most one batch is stored and one committed at a time.
    @Test func aBatchIsStoredWhileThePreviousOneIsCommitted() async throws {
        let log = log
        try await run(6, window: 4) { _ in
        } store: { number in
            #expect(log.now.committed.count >= number - 1)
        } commit: { number in
            if number < 5 { await log.wait { $0.stored.contains(number + 1) } }
        }
        #expect(log.now.stored == Array(0..<6))
        #expect(log.now.reported == Array(0..<6))
    }

    /// A stored batch holds a lock that a listener may need, for example to forget a package.
    @Test func aSlowListenerDoesNotDelayACommit() async throws {
        let log = log
        try await run(6, window: 4) { _ in
        } report: { number in
            if number == 0 { await log.wait { $0.committed.count == 4 } }
        }
        #expect(log.now.reported == Array(0..<6))
    }

    @Test func aFailedStoreDropsLaterBatches() async {
        let log = log
        await #expect(throws: Broken(what: "store 2")) {
            try await run(5, window: 4) { _ in
            } store: { number in
                // The previous batch is being committed, and the next one is read.
                guard number == 2 else { return }
                await log.wait { $0.read >= 4 }
                throw Broken(what: "store 2")
            } commit: { number in
                if number == 1 { await log.wait { $0.read >= 4 } }
            }
        }
        #expect(log.now.stored == [0, 1])
        #expect(log.now.committed == [0, 1])
        #expect(log.now.reported == [0, 1])
    }

    @Test func aCommittedBatchIsReportedEvenIfItsDeliveryFails() async {
        let log = log
        await #expect(throws: Broken(what: "deliver 1")) {
            try await run(3, window: 3) { _ in
            } deliver: { number in
                if number == 1 { throw Broken(what: "deliver 1") }
                if number == 0 { await log.wait { $0.committed.count >= 2 } }
            }
        }
        #expect(log.now.reported == log.now.committed)
        #expect(log.now.announced == log.now.committed)
        #expect(log.now.reported.starts(with: [0, 1]))
    }

    @Test func aFailedCommitDropsLaterBatches() async {
        let log = log
        await #expect(throws: Broken(what: "commit 1")) {
            let commit: @Sendable (Int) async throws -> Void = { number in
                // By then the next batch is stored, and the one after it is read.
                guard number == 1 else { return }
                await log.wait { $0.stored.contains(2) && $0.read >= 4 }
                throw Broken(what: "commit 1")
            }
            try await run(5, window: 4, commit: commit)
        }
        #expect(log.now.committed == [0])
        #expect(log.now.reported == [0])
    }

    @Test func aFailedReadLetsEarlierBatchesEnd() async {
        await #expect(throws: Broken(what: "read 2")) {
            try await run(5, window: 4) { number in if number == 2 { throw Broken(what: "read 2") } }
        }
        #expect(log.now.committed == [0, 1])
        #expect(log.now.reported == [0, 1])
        #expect(log.now.read == 3, "nothing is read after that")
    }

    @Test func theFirstErrorIsThrown() async {
        let log = log
        await #expect(throws: Broken(what: "deliver 0")) {
            let commit: @Sendable (Int) async throws -> Void = { number in
                guard number == 1 else { return }
                await log.wait { $0.reported == [0] }
                throw Broken(what: "commit 1")
            }
            try await run(4, window: 2, commit: commit, deliver: { _ in throw Broken(what: "deliver 0") })
        }
        #expect(log.now.reported == [0])
    }
}
