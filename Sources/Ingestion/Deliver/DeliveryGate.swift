internal import Dispatch
internal import GroupContainer
internal import ShareModel
internal import Synchronization

/// Lets one process at a time drive the sinks of a container, and tells it what the others hand in meanwhile. Waits on
/// threads of its own.
actor DeliveryGate {
    private let container: Container
    private let clock: Clock
    private let onChange: @Sendable () -> Void
    private var lock: KernelLock?
    private var watch: ChangeWatch?
    private let turn: Turn
    private let executor = QueueExecutor("sluice.gate")

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameter onChange: told of each commit of any process while this one drives the sinks.
    init(container: Container, clock: Clock, onChange: @escaping @Sendable () -> Void) {
        self.container = container
        self.clock = clock
        self.onChange = onChange
        turn = Turn(container: container)
    }

    /// Waits until this process may drive the sinks, which it then may until ``close()``.
    ///
    /// - Parameter packages: those whose deliveries it would drive; `nil` for whatever is open.
    /// - Returns: `false` where another process has made them meanwhile, or the wait was ended.
    func open(for packages: [String]?) throws -> Bool {
        guard lock == nil else { return true }
        guard let lock = try take(for: packages) else { return false }
        // Whoever held the lock before and died has left its sinks' folders; nobody uses them now.
        try FolderTree.remove(container.layout.work)
        try FolderTree.make(container.layout.work)
        self.lock = lock
        listen()
        return true
    }

    func close() {
        watch?.stop()
        (watch, lock) = (nil, nil)
    }

    /// A system that cannot watch has others wait until this process is done.
    private func listen() {
        guard let watch = try? ChangeWatch(container.layout) else { return }
        self.watch = watch
        DispatchQueue(label: "sluice.listen").async { [onChange] in
            while (try? watch.wait()) ?? false { onChange() }
        }
    }

    /// Ends a wait for others' work, now or as soon as it begins.
    nonisolated func stopWaiting() { turn.stop() }

    /// The lock, or `nil` where it is not needed any more.
    private func take(for packages: [String]?) throws -> KernelLock? {
        if let lock = try container.tryLock(.deliver, .exclusive) { return lock }
        guard let watch = try? ChangeWatch(container.layout) else {
            return try container.lock(.deliver, .exclusive)
        }
        turn.wait(with: watch)
        defer { turn.leave() }
        while try packages.map(isOpen) ?? true {
            guard try !watch.wait() else { continue }
            return try turn.take()
        }
        return nil
    }

    private func isOpen(_ packages: [String]) throws -> Bool {
        try container.deliveries.isOpen(anyOf: packages, now: clock.nanoseconds() / 1_000_000)
    }
}

/// The wait for the right to drive the sinks, on a thread of its own, since nothing ends a wait for a kernel lock. One for
/// a run: who needs it no more leaves, and lets the lock go at once when it comes.
private final class Turn: Sendable {
    private struct State {
        var isWaiting = false
        var isStopped = false
        var watch: ChangeWatch?
        var lock: Result<KernelLock, any Error>?
    }

    private let container: Container
    private let state = Mutex(State())

    init(container: Container) { self.container = container }

    /// Begins to wait, or goes on with it; the watch is stopped when the lock is there.
    func wait(with watch: ChangeWatch) {
        let begins = state.withLock { state in
            state.watch = watch
            if state.isStopped { watch.stop() }
            defer { state.isWaiting = true }
            return !state.isWaiting
        }
        guard begins else { return }
        DispatchQueue(label: "sluice.turn").async { [self] in
            let lock = Result { try container.lock(.deliver, .exclusive) }
            state.withLock { state in
                state.isWaiting = false
                guard let watch = state.watch else { return }
                state.lock = lock
                watch.stop()
            }
        }
    }

    /// The lock, once; `nil` where it has not come.
    func take() throws -> KernelLock? {
        try state.withLock { state in
            defer { state.lock = nil }
            return try state.lock?.get()
        }
    }

    func leave() {
        state.withLock { state in
            state.watch = nil
            state.lock = nil
        }
    }

    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.watch?.stop()
        }
    }
}
