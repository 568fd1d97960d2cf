/// Blocking work of an async function.
package enum BlockingCall {
    /// Runs one call that blocks on a thread outside of Swift's shared pool, which has only as many threads as the machine has
    /// processors. The call belongs to the caller's task, so it can see the cancellation, which alone does not end it.
    package static func run<Value: Sendable>(_ call: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withTaskExecutorPreference(QueueExecutor("sluice.blocking")) { try call() }
    }
}
