import Testing

@testable import Ingestion

/// What others want of a sink's line of work.
@Suite(.timeLimit(.minutes(1))) struct LineCallsTests {
    private let calls = LineCalls()

    private func settling(upTo number: Int64, calls wanted: Int) async -> Task<Void, Never> {
        let task = Task { [calls] in await calls.settle(upTo: number) }
        while calls.count < wanted { await Task.yield() }
        return task
    }

    @Test func aCallBeforeTheSleepIsNotLost() {
        calls.wake()
        calls.wake()
        #expect(calls.sleep() == .woken)
        calls.wake()
        #expect(calls.sleep() == .woken, "each sleep ends by what came since the last")
        calls.finish()
        #expect(calls.sleep() == .over)
        #expect(calls.sleep() == .over)
    }

    @Test func nothingComesAfterTheEnd() {
        calls.wake()
        calls.finish()
        #expect(calls.sleep() == .over)
    }

    @Test func aCallEndsTheSleep() async {
        let executor = QueueExecutor("sleeper")
        let sleeper = Sleeper(executor: executor, calls: calls)
        async let isAwake = sleeper.sleep()
        let task = await settling(upTo: 3, calls: 1)
        #expect(await isAwake)
        calls.answer(first: 1)
        await task.value
    }

    @Test func onlyWhatIsDoneIsAnswered() async {
        let low = await settling(upTo: 5, calls: 1)
        let high = await settling(upTo: 10, calls: 2)
        let late = await settling(upTo: 1, calls: 3)
        calls.answer(first: 2, before: 5)
        #expect(calls.count == 3, "number 5 is still open")
        calls.answer(first: 2, before: 6)
        await low.value
        #expect(calls.count == 2, "the third came later than what was found")
        calls.answer(first: 0)
        #expect(calls.count == 2)
        calls.answer(first: 2, before: 10)
        await late.value
        #expect(calls.count == 1)
        calls.end()
        await high.value
        #expect(calls.count == 0)
        await calls.settle(upTo: 1)
        #expect(calls.sleep() == .over)
    }

    /// Sleeps on a thread of its own.
    private actor Sleeper {
        private let executor: QueueExecutor
        private let calls: LineCalls

        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        init(executor: QueueExecutor, calls: LineCalls) { (self.executor, self.calls) = (executor, calls) }

        func sleep() -> Bool { calls.sleep() == .woken }
    }
}
