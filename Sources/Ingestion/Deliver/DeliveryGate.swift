internal import Dispatch
internal import GroupContainer
internal import ShareModel
internal import Synchronization

/// Lets one process at a time drive the sinks of a container. Waits on a thread of its own.
actor DeliveryGate {
    private let container: Container
    private var lock: KernelLock?
    private let executor = QueueExecutor("sluice.gate")

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(container: Container) { self.container = container }

    /// Waits until this process may drive the sinks.
    ///
    /// - Parameter ids: the deliveries that it would drive them for; `nil` for whatever is open.
    /// - Returns: `false` where another process has made them meanwhile.
    func open(for ids: [String]?) throws -> Bool {
        guard let lock = try turn(for: ids) else { return false }
        self.lock = lock
        // Whoever held the lock before and died has left its sinks' folders; nobody uses them now.
        try FolderTree.remove(container.layout.work)
        try FolderTree.make(container.layout.work)
        return true
    }

    func close() { lock = nil }

    /// The sinks with deliveries that this run has not tried.
    func openSinks(run: String) throws -> [String] { try container.deliveries.openSinks(run: run) }

    /// The lock, or `nil` where it is not needed any more.
    private func turn(for ids: [String]?) throws -> KernelLock? {
        if let lock = try container.tryLock(.deliver, .exclusive) { return lock }
        guard let ids, let watch = try? ChangeWatch(container.layout) else {
            return try container.lock(.deliver, .exclusive)
        }
        guard try container.deliveries.isOpen(anyOf: ids) else { return nil }
        let turn = Turn()
        // Nothing ends a wait for a kernel lock, so it is another thread's; who comes too late lets go at once.
        DispatchQueue(label: "sluice.turn").async { [container] in
            turn.come(Result { try container.lock(.deliver, .exclusive) })
            watch.stop()
        }
        while try container.deliveries.isOpen(anyOf: ids) {
            guard try !watch.wait() else { continue }
            return try turn.take()
        }
        return try turn.leave()
    }
}

/// One wait for the right to drive the sinks.
private final class Turn: Sendable {
    private enum State {
        case waiting
        case come(Result<KernelLock, any Error>)
        case left
    }

    private let state = Mutex(State.waiting)

    func come(_ lock: Result<KernelLock, any Error>) {
        state.withLock { state in
            if case .waiting = state { state = .come(lock) }
        }
    }

    func take() throws -> KernelLock? {
        try state.withLock { state in
            guard case .come(let lock) = state else { return nil }
            state = .left
            return try lock.get()
        }
    }

    /// Gives up; the lock goes to the next one, now or when it comes.
    func leave() throws -> KernelLock? {
        state.withLock { $0 = .left }
        return nil
    }
}

extension Receipt {
    /// The identifiers of its deliveries that are still to be made.
    var openDeliveries: [String] { providers.flatMap(\.deliveries).filter { $0.outcome == .pending }.map(\.id) }
}
