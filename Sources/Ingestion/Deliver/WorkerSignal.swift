internal import Dispatch
internal import Synchronization

/// Wakes the worker of a sink, and resumes the worker's callers after it has tried their deliveries.
final class WorkerSignal: Sendable {
    /// A delivery's place in the order of claims: those that were never tried by their numbers, then the others by the
    /// times at which they are due.
    struct Place {
        /// In milliseconds since 1970; 0 for a delivery that was never tried, or that is to be tried at once.
        var due: Int64
        var number: Int64
    }

    /// A caller that waits until all deliveries before a place were tried.
    private struct Caller {
        let upTo: Int64
        let due: Int64
        let continuation: CheckedContinuation<Void, Never>

        func isServed(before next: Place) -> Bool { next.due == 0 ? upTo < next.number : due < next.due }
    }

    private struct State {
        var callers: [Caller] = []
        var isAwake = false
        var isFinished = false
    }

    private let state = Mutex(State())
    private let semaphore = DispatchSemaphore(value: 0)

    /// Waits until the worker has tried the deliveries up to a number that were never tried.
    ///
    /// - Parameter due: a time. The call also waits for the deliveries that were tried before and are due by then; for
    ///   none with 0.
    func settle(upTo number: Int64, due: Int64 = 0) async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                guard !state.isFinished else { return true }
                state.callers.append(Caller(upTo: number, due: due, continuation: continuation))
                return false
            }
            if isOver { continuation.resume() } else { wake() }
        }
    }

    /// Ends the worker's sleep, now or as soon as it begins.
    func wake() {
        let sleeps = state.withLock { state in
            defer { state.isAwake = true }
            return !state.isAwake
        }
        // One signal is enough until the worker looks at the state.
        if sleeps { semaphore.signal() }
    }

    /// Announces that no more callers come. The worker still serves those that wait.
    func finish() {
        state.withLock { $0.isFinished = true }
        wake()
    }

    /// Why a sleep ended.
    enum Waking {
        /// There may be something to do.
        case woken
        /// No more callers come.
        case over
        /// The time is up.
        case nothing
    }

    /// Blocks until the worker is woken, or was woken since the last sleep.
    ///
    /// - Parameter time: the longest sleep; `nil` for no limit.
    func sleep(for time: Duration? = nil) -> Waking {
        let deadline = time.map { DispatchTime.now() + .milliseconds(Int($0.milliseconds)) } ?? .distantFuture
        while true {
            let (isAwake, isFinished) = state.withLock { state in
                defer { state.isAwake = false }
                return (state.isAwake, state.isFinished)
            }
            guard !isFinished else { return .over }
            if isAwake { return .woken }
            // The semaphore may hold the signal of a call that an earlier sleep has answered. So the state decides.
            guard semaphore.wait(timeout: deadline) == .success else { return .nothing }
        }
    }

    /// Whether no more callers come, and none waits.
    var isOver: Bool { state.withLock { $0.isFinished && $0.callers.isEmpty } }

    /// Announces that the worker is done. It resumes all callers, and later ones at once.
    func end() {
        finish()
        resume(first: .max)
    }

    /// The number of callers that wait. The worker takes it before a claim, because a claim says nothing about later
    /// callers.
    var count: Int { state.withLock { $0.callers.count } }

    /// Resumes those of the first `count` callers that wait for no delivery from `next` on.
    ///
    /// - Parameter next: the first delivery that was not tried; `nil` if there is none.
    func resume(first count: Int, before next: Place? = nil) {
        let resumed = state.withLock { state in
            let isDone = { (place: Int, caller: Caller) in
                place < count && next.map(caller.isServed(before:)) ?? true
            }
            let resumed = state.callers.enumerated().filter { isDone($0.offset, $0.element) }.map(\.element)
            state.callers = state.callers.enumerated().filter { !isDone($0.offset, $0.element) }.map(\.element)
            return resumed
        }
        resumed.forEach { $0.continuation.resume() }
    }
}
