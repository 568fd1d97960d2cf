import Synchronization

/// Ends the process after some time without a connection and without work.
final class Idleness: Sendable {
    private struct State {
        var count = 0
        var generation = 0
        var isBusy = false
        var isOver = false
    }

    private static let patience = Duration.seconds(10)
    private let state = Mutex(State())
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) {
        self.end = end
        wait()
    }

    /// - Returns: `false` if the process is ending, and serves no connection any more.
    func began() -> Bool {
        state.withLock { state in
            state.count += 1
            state.generation += 1
            return !state.isOver
        }
    }

    func ended() {
        state.withLock { $0.count -= 1 }
        wait()
    }

    /// Ends the process now.
    func leave() {
        state.withLock { $0.isOver = true }
        end()
    }

    /// Says whether there is work without a connection.
    func set(busy: Bool) {
        let isLess = state.withLock { state in
            defer { state.isBusy = busy }
            if state.isBusy != busy { state.generation += 1 }
            return state.isBusy && !busy
        }
        if isLess { wait() }
    }

    private func wait() {
        let generation = state.withLock(\.generation)
        Task { [self] in
            try await Task.sleep(for: Self.patience)
            let isOver = state.withLock { state in
                state.isOver = state.count == 0 && !state.isBusy && state.generation == generation
                return state.isOver
            }
            if isOver { end() }
        }
    }
}
