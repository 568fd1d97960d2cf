internal import CSocket
internal import Dispatch
internal import Glibc
internal import ShareModel
internal import Synchronization
internal import SystemPackage

/// Waits for all sockets of the process on one thread. While nothing happens, the thread sleeps without a timer.
///
/// It also runs the tasks that prefer it. A task that takes an event there needs no change of the thread, which costs more than
/// coding a short message.
final class EventLoop: TaskExecutor {
    /// What a socket is ready for.
    struct Readiness: OptionSet {
        let rawValue: UInt32

        static let readable = Readiness(rawValue: UInt32(CSOCKET_READABLE))
        static let writable = Readiness(rawValue: UInt32(CSOCKET_WRITABLE))
        /// Neither side can send any more. What was sent before can still be read.
        static let ended = Readiness(rawValue: UInt32(CSOCKET_ENDED))
    }

    /// The owner of a socket. The loop calls it on its thread only, and keeps it until it is removed.
    protocol Source: AnyObject, Sendable {
        func take(_ readiness: Readiness)
        /// Ends what is overdue.
        ///
        /// - Returns: the next deadline; `nil` if there is none.
        func expire(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant?
    }

    /// A registered socket.
    struct Token: Sendable, Hashable {
        fileprivate let number: UInt64
    }

    private struct State {
        var sources: [UInt64: any Source] = [:]
        var last: UInt64 = 0
        /// The loop looks for overdue work then.
        var alarm: ContinuousClock.Instant?
        /// The steps of tasks that wait for their turn.
        var jobs: [UnownedJob] = []
        /// The loop's thread, once it runs.
        var thread: pthread_t?
    }

    private static let made = Mutex<EventLoop?>(nil)

    /// The loop of the process. Its thread begins with the first call, and lasts.
    static func shared() throws(ChannelError) -> EventLoop {
        // A `throws(ChannelError)` closure is not inferred for `withLock`.
        try made.withLock { loop throws(ChannelError) in
            if let loop { return loop }
            let new = try EventLoop()
            loop = new
            return new
        }
    }

    /// The most sockets that one turn looks at.
    private static let turn = 64
    /// The token of the waker.
    private static let waking: UInt64 = 0

    private let selector: FileDescriptor
    private let waker: FileDescriptor
    private let state = Mutex(State())

    private init() throws(ChannelError) {
        selector = FileDescriptor(rawValue: csocket_selector())
        waker = FileDescriptor(rawValue: csocket_waker())
        guard selector.rawValue >= 0, waker.rawValue >= 0,
            csocket_select(selector.rawValue, waker.rawValue, Self.waking, UInt32(CSOCKET_READABLE), 1) == 0
        else {
            let error = ChannelError(system: Errno(rawValue: errno), "waiting for sockets")
            for descriptor in [selector, waker] where descriptor.rawValue >= 0 { try? descriptor.close() }
            throw error
        }
        // The loop never returns, so it has a thread of its own.
        DispatchQueue(label: "sluice.channel").async { self.run() }
    }

    /// Waits for a socket from now on, until ``remove(_:_:)``.
    func add(_ source: any Source, _ socket: FileDescriptor, _ interest: Readiness) throws(ChannelError) -> Token {
        let number = state.withLock { state in
            state.last += 1
            state.sources[state.last] = source
            return state.last
        }
        guard csocket_select(selector.rawValue, socket.rawValue, number, interest.rawValue, 1) == 0 else {
            let error = ChannelError(system: Errno(rawValue: errno), "waiting for a socket")
            state.withLock { _ = $0.sources.removeValue(forKey: number) }
            throw error
        }
        return Token(number: number)
    }

    /// Changes what a socket is waited for.
    func change(_ token: Token, _ socket: FileDescriptor, _ interest: Readiness) {
        _ = csocket_select(selector.rawValue, socket.rawValue, token.number, interest.rawValue, 0)
    }

    /// Waits for a socket again after ``pause(_:)``.
    func resume(_ token: Token, _ socket: FileDescriptor, _ interest: Readiness) {
        _ = csocket_select(selector.rawValue, socket.rawValue, token.number, interest.rawValue, 1)
    }

    /// Waits for a socket no longer, and keeps its source.
    func pause(_ socket: FileDescriptor) { _ = csocket_unselect(selector.rawValue, socket.rawValue) }

    /// Forgets a socket, before it is closed.
    func remove(_ token: Token, _ socket: FileDescriptor) {
        pause(socket)
        state.withLock { _ = $0.sources.removeValue(forKey: token.number) }
    }

    /// Looks for overdue work at this time at the latest.
    func wake(at deadline: ContinuousClock.Instant) {
        let isEarlier = state.withLock { state in
            if let alarm = state.alarm, alarm <= deadline { return false }
            state.alarm = deadline
            return true
        }
        if isEarlier { csocket_wake(waker.rawValue) }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isElsewhere = state.withLock { state in
            state.jobs.append(job)
            // The loop's thread looks for jobs before it sleeps, and a job that came before this one has woken it.
            return state.jobs.count == 1 && state.thread.map { pthread_equal($0, pthread_self()) } != 1
        }
        if isElsewhere { csocket_wake(waker.rawValue) }
    }

    /// Runs the jobs that are there now. One that comes meanwhile has its turn after the sockets.
    private func runJobs() {
        let jobs = state.withLock { state in
            defer { state.jobs = [] }
            return state.jobs
        }
        for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    private func run() {
        state.withLock { $0.thread = pthread_self() }
        var events = [csocket_event](repeating: csocket_event(), count: Self.turn)
        while true {
            let count = csocket_wait(selector.rawValue, &events, Int32(Self.turn), timeout())
            for event in events.prefix(Int(max(count, 0))) {
                guard event.token != Self.waking else {
                    csocket_calm(waker.rawValue)
                    continue
                }
                let source = state.withLock { $0.sources[event.token] }
                source?.take(Readiness(rawValue: event.readiness))
            }
            expire(.now)
            runJobs()
        }
    }

    /// The time until the next look for overdue work, in milliseconds; -1 if there is none.
    private func timeout() -> Int32 {
        let (alarm, hasJobs) = state.withLock { ($0.alarm, !$0.jobs.isEmpty) }
        if hasJobs { return 0 }
        guard let alarm else { return -1 }
        let rest = max((alarm - .now).milliseconds + 1, 0)
        return Int32(min(rest, Int64(Int32.max)))
    }

    private func expire(_ now: ContinuousClock.Instant) {
        let due = state.withLock { state -> [any Source] in
            guard let alarm = state.alarm, alarm <= now else { return [] }
            state.alarm = nil
            return Array(state.sources.values)
        }
        for deadline in due.compactMap({ $0.expire(now) }) { wake(at: deadline) }
    }
}
