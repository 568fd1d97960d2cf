internal import Dispatch

/// Blocking work of an async function.
package enum BlockingCall {
    /// Runs one call that blocks on a thread outside of Swift's shared pool, which has only as many threads as the machine has
    /// processors. The call runs to its end even if the task is canceled.
    package static func run<Value: Sendable>(_ call: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "sluice.blocking").async { continuation.resume(with: Result(catching: call)) }
        }
    }
}
