import Testing

@testable import Files
@testable import Ingestion

/// The signal wakes the worker of a sink and resumes the worker's callers.
@Suite(.timeLimit(.minutes(60))) struct WorkerSignalTests {
    private let signal = WorkerSignal()

    private func settling(upTo number: Int64, due: Int64 = 0, callers wanted: Int) async -> Task<Void, Never> {
        let task = Task { [signal] in await signal.settle(upTo: number, due: due) }
        while signal.count < wanted { await Task.yield() }
        return task
    }

    @Test func aCallBeforeTheSleepIsNotLost() {
        signal.wake()
        signal.wake()
        #expect(signal.sleep() == .woken)
        signal.wake()
        #expect(signal.sleep() == .woken, "a call since the last sleep ends the next one")
        signal.finish()
        #expect(signal.sleep() == .over)
        #expect(signal.sleep() == .over)
    }

    @Test func nothingComesAfterTheEnd() {
        signal.wake()
        signal.finish()
        #expect(signal.sleep() == .over)
    }

    @Test func aCallEndsTheSleep() async {
        let executor = QueueExecutor("sleeper")
        let sleeper = Sleeper(executor: executor, signal: signal)
        async let isAwake = sleeper.sleep()
        let task = await settling(upTo: 3, callers: 1)
        #expect(await isAwake)
        signal.resume(first: 1)
        await task.value
    }

    @Test func onlyWhatIsDoneIsAnswered() async {
        let low = await settling(upTo: 5, callers: 1)
        let high = await settling(upTo: 10, callers: 2)
        let late = await settling(upTo: 1, callers: 3)
        signal.resume(first: 2, before: WorkerSignal.Place(due: 0, number: 5))
        #expect(signal.count == 3, "number 5 is still open")
        signal.resume(first: 2, before: WorkerSignal.Place(due: 0, number: 6))
        await low.value
        #expect(signal.count == 2, "the third caller came after the claim")
        signal.resume(first: 0)
        #expect(signal.count == 2)
        signal.resume(first: 2, before: WorkerSignal.Place(due: 0, number: 10))
        await late.value
        #expect(signal.count == 1)
        signal.end()
        await high.value
        #expect(signal.count == 0)
        await signal.settle(upTo: 1)
        #expect(signal.sleep() == .over)
    }

    /// Deliveries that were tried before come after all others, in the order of their times.
    @Test func onlyACallerThatWantsRetriesWaitsForThem() async {
        let plain = await settling(upTo: 5, callers: 1)
        let thorough = await settling(upTo: 5, due: 900, callers: 2)
        signal.resume(first: 2, before: WorkerSignal.Place(due: 900, number: 1))
        await plain.value
        #expect(signal.count == 1, "number 1 is due by 900")
        signal.resume(first: 1, before: WorkerSignal.Place(due: 901, number: 1))
        await thorough.value
        let last = await settling(upTo: 5, due: 900, callers: 1)
        signal.resume(first: 1)
        await last.value
    }

    /// Sleeps on a thread of its own.
    private actor Sleeper {
        private let executor: QueueExecutor
        private let signal: WorkerSignal

        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        init(executor: QueueExecutor, signal: WorkerSignal) { (self.executor, self.signal) = (executor, signal) }

        func sleep() -> Bool { signal.sleep() == .woken }
    }
}
