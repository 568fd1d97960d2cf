internal import Synchronization
package import SystemPackage

/// The one confiner of a run. The first process of the first sink makes it, because the trial of the sandbox takes a
/// moment, and many runs deliver nothing.
package final class SharedConfiner: Sendable {
    private struct State {
        var making: Task<SinkConfiner, any Error>?
        var isCanceled = false
    }

    private let make: @Sendable () async throws -> SinkConfiner
    private let state = Mutex(State())

    /// - Parameters:
    ///   - launcher: the program `sluice-launch`; `nil` to search for it near the running program.
    ///   - notice: receives, once, the reason for which there is no sandbox.
    package convenience init(
        _ requirement: ContainmentRequirement, launcher: FilePath? = nil, notice: @escaping @Sendable (String) -> Void
    ) {
        self.init {
            let confiner = try await SinkConfiner(requirement: requirement, launcher: launcher)
            if let shortfall = confiner.shortfall {
                notice("sinks run without a sandbox, with all your permissions: \(shortfall)")
            }
            return confiner
        }
    }

    /// - Parameter make: makes the confiner; called at most once.
    package init(_ make: @escaping @Sendable () async throws -> SinkConfiner) { self.make = make }

    /// - Throws: ``SinkHostError`` if the launcher is missing, or if the run requires a sandbox and none works;
    ///   `CancellationError` after ``cancel()``, or if the task is canceled, which cancels the confiner.
    package var value: SinkConfiner {
        get async throws {
            let making = try state.withLock { state in
                if state.isCanceled { throw CancellationError() }
                // Stored before the first suspension, so that callers at the same time share one trial.
                let making = state.making ?? Task { [make] in try await make() }
                state.making = making
                return making
            }
            return try await withTaskCancellationHandler {
                try await making.value
            } onCancel: {
                cancel()
            }
        }
    }

    /// Ends the trial of the sandbox. A run that ends needs no confiner, and a sandbox that hangs would hold it up.
    package func cancel() {
        let making = state.withLock { state in
            state.isCanceled = true
            return state.making
        }
        making?.cancel()
    }
}
