internal import Dispatch
internal import Synchronization

/// What others want of a sink's line of work, which sleeps until they do.
final class LineCalls: Sendable {
    /// Somebody waits until all deliveries up to a number were tried.
    private struct Call {
        let upTo: Int64
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var calls: [Call] = []
        var isAwake = false
        var isFinished = false
    }

    private let state = Mutex(State())
    private let signal = DispatchSemaphore(value: 0)

    /// Waits until all deliveries up to a number that may be tried by now were tried.
    func settle(upTo number: Int64) async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                guard !state.isFinished else { return true }
                state.calls.append(Call(upTo: number, continuation: continuation))
                return false
            }
            if isOver { continuation.resume() } else { wake() }
        }
    }

    /// There may be something to do.
    func wake() {
        let sleeps = state.withLock { state in
            defer { state.isAwake = true }
            return !state.isAwake
        }
        if sleeps { signal.signal() }
    }

    /// No more calls come; those under way are answered when the line is done.
    func finish() {
        state.withLock { $0.isFinished = true }
        wake()
    }

    /// What ended a sleep.
    enum Waking {
        /// Somebody wants something.
        case woken
        /// No more comes.
        case over
        /// The time is up.
        case nothing
    }

    /// Blocks until somebody wants something, now or since the last time.
    ///
    /// - Parameter time: for how long at most; `nil` for ever.
    func sleep(for time: Duration? = nil) -> Waking {
        let deadline = time.map { DispatchTime.now() + .milliseconds(Int($0.milliseconds)) } ?? .distantFuture
        while true {
            let (isAwake, isFinished) = state.withLock { state in
                defer { state.isAwake = false }
                return (state.isAwake, state.isFinished)
            }
            guard !isFinished else { return .over }
            if isAwake { return .woken }
            guard signal.wait(timeout: deadline) == .success else { return .nothing }
        }
    }

    /// Whether no more comes, and nobody waits.
    var isOver: Bool { state.withLock { $0.isFinished && $0.calls.isEmpty } }

    /// The line is done: all calls are answered, those that come later at once.
    func end() {
        finish()
        answer(first: .max)
    }

    /// How many calls there are; those that come later are not answered by what is found now.
    var count: Int { state.withLock { $0.calls.count } }

    /// Answers those of the first `count` calls that wait for nothing from `number` on.
    func answer(first count: Int, before number: Int64 = .max) {
        let answered = state.withLock { state in
            let isAnswered = { (place: Int, call: Call) in place < count && call.upTo < number }
            let answered = state.calls.enumerated().filter { isAnswered($0.offset, $0.element) }.map(\.element)
            state.calls = state.calls.enumerated().filter { !isAnswered($0.offset, $0.element) }.map(\.element)
            return answered
        }
        answered.forEach { $0.continuation.resume() }
    }
}
