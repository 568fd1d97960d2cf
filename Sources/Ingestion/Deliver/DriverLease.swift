internal import Dispatch
internal import Files
internal import GroupContainer
internal import ShareModel
internal import Synchronization

/// The right of one process at a time to drive the sinks of a container. It is a kernel lock, so it ends with its
/// process.
///
/// The process with the lease also watches for the commits of other processes. Waiting blocks the lease's own thread.
actor DriverLease {
    private let container: Container
    private let clock: Clock
    private let notice: @Sendable (String) -> Void
    private let makeWatch: @Sendable (_ forLease: Bool) throws -> FileWatch
    private let onChange: @Sendable () -> Void
    private let wait = LeaseWait()
    private var lock: KernelLock?
    private var listening: FileWatch?
    /// The thread that listens. It holds what the caller holds, so it ends before ``close()`` returns.
    private let listener = DispatchGroup()
    private var hasNoticed = false
    private let executor = QueueExecutor("sluice.lease")

    /// The time between two attempts if the system cannot report the end of another process's lease.
    private static let lookInterval = Duration.milliseconds(200)
    /// The time between two attempts after another process has closed the lock file. The kernel reports the closing
    /// just before it frees the lock, so the first attempt may come too early.
    private static let shortInterval = Duration.milliseconds(20)
    /// The number of such attempts.
    private static let shortLooks = 25

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - notice: called with a message for a person if the container cannot be watched.
    ///   - watch: watches the container for commits, and with `forLease` also for the end of a lease. Tests replace it.
    ///   - onChange: called after each commit of any process while this one has the lease.
    init(
        container: Container, clock: Clock, notice: @escaping @Sendable (String) -> Void,
        watch: (@Sendable (_ forLease: Bool) throws -> FileWatch)? = nil, onChange: @escaping @Sendable () -> Void
    ) {
        self.container = container
        self.clock = clock
        self.notice = notice
        makeWatch =
            watch ?? { [layout = container.layout] forLease in
                try forLease ? layout.watchChanges(orReleasesOf: .deliver) : layout.watchChanges()
            }
        self.onChange = onChange
    }

    /// The longest step by which a clock is usually set back.
    private static let clockStep = Duration.seconds(3_600)

    /// Waits for the lease. This process then has it until ``close()``.
    ///
    /// - Parameter packages: the packages whose deliveries the caller needs; `nil` for every open delivery.
    /// - Returns: `false` if the deliveries of `packages` ended meanwhile, or if ``stopWaiting()`` ended the wait.
    func open(for packages: [String]?) throws -> Bool {
        guard lock == nil else { return true }
        guard let lock = try take(for: packages) else { return false }
        // A process that died with the lease left the folders of its sinks. No process uses them now.
        container.fileSystem.removeTree(container.layout.work)
        try container.fileSystem.ensureFolders(container.layout.work)
        // No delivery waits longer than this. A later time comes from a clock that was ahead, and would never pass.
        let (latest, now) = (Backoff.longestAsked + Self.clockStep, clock.nanoseconds() / 1_000_000)
        try container.endWaits(from: now + latest.milliseconds, now: now)
        self.lock = lock
        listen()
        return true
    }

    /// Gives the lease up.
    func close() {
        listening?.stop()
        listener.wait()
        (listening, lock) = (nil, nil)
    }

    /// Ends a wait for the lease, now or as soon as it begins.
    nonisolated func stopWaiting() { wait.stop() }

    private func listen() {
        guard let watch = watchOrNotice(forLease: false) else { return }
        listening = watch
        // Waiting for a change blocks a thread.
        DispatchQueue(label: "sluice.listen").async(group: listener) { [onChange] in
            while (try? watch.wait()) ?? false { onChange() }
        }
    }

    private func watchOrNotice(forLease: Bool) -> FileWatch? {
        do {
            return try makeWatch(forLease)
        } catch {
            if !hasNoticed {
                notice(
                    "the container cannot be watched, so this run notices the deliveries of other runs late: \(error); "
                        + "raise fs.inotify.max_user_instances")
            }
            hasNoticed = true
            return nil
        }
    }

    /// The lock; `nil` if the caller does not need it any more.
    private func take(for packages: [String]?) throws -> KernelLock? {
        // The lock file stays open between attempts, because closing it would wake the other waiters.
        let attempt = try container.lockAttempt(.deliver)
        if let lock = try attempt.take() { return lock }
        // The watch begins before the first look at the lock and the deliveries, so it reports each change after that
        // look.
        let watch = watchOrNotice(forLease: true)
        wait.begin(watch)
        defer { wait.end() }
        var shortLooks = 0
        while !wait.isStopped {
            if let lock = try attempt.take() { return lock }
            // The deliveries need no query between two short looks, because the watch reported no commit.
            if let packages, shortLooks == 0 || shortLooks == Self.shortLooks, try !isOpen(packages) { return nil }
            guard let watch else {
                wait.sleep(for: Self.lookInterval)
                continue
            }
            switch try watch.wake(atMost: shortLooks > 0 ? Self.shortInterval : nil) {
            case .written: shortLooks = Self.shortLooks
            case .timedOut: shortLooks -= 1
            case .stopped: return nil
            }
        }
        return nil
    }

    private func isOpen(_ packages: [String]) throws -> Bool {
        try container.isOpen(anyOf: packages, now: clock.nanoseconds() / 1_000_000)
    }
}

/// A wait for the lease that another thread can end.
private final class LeaseWait: Sendable {
    private struct State {
        var isStopped = false
        var watch: FileWatch?
    }

    private let state = Mutex(State())
    private let stopped = DispatchSemaphore(value: 0)

    var isStopped: Bool { state.withLock(\.isStopped) }

    func begin(_ watch: FileWatch?) { state.withLock { $0.watch = watch } }

    func end() { state.withLock { $0.watch = nil } }

    /// Blocks its thread for the time, or until ``stop()``.
    func sleep(for time: Duration) {
        _ = stopped.wait(timeout: .now() + .milliseconds(Int(time.milliseconds)))
    }

    /// Ends this wait and all later ones.
    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.watch?.stop()
        }
        stopped.signal()
    }
}
