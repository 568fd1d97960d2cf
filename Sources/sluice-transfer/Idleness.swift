import Synchronization

/// Ends the process after some time without a connection.
final class Idleness: Sendable {
    private struct State {
        var count = 0
        var generation = 0
    }

    private static let patience = Duration.seconds(10)
    private let state = Mutex(State())
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) {
        self.end = end
        wait()
    }

    func began() {
        state.withLock { state in
            state.count += 1
            state.generation += 1
        }
    }

    func ended() {
        state.withLock { $0.count -= 1 }
        wait()
    }

    private func wait() {
        let generation = state.withLock(\.generation)
        Task { [self] in
            try await Task.sleep(for: Self.patience)
            guard state.withLock({ $0.count == 0 && $0.generation == generation }) else { return }
            end()
        }
    }
}
