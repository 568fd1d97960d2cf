// The README's package `app` compiles this file from outside of the package too: public API only, and no test.
import GroupContainer
import Synchronization

/// Circuit breakers in memory, for one process.
final class MemoryCircuitBreakers: CircuitBreakerStore {
    private let sinks = Mutex<[String: HeldSink]>([:])

    func held(_ sink: String) throws -> HeldSink? { sinks.withLock { $0[sink] } }

    func hold(_ sink: HeldSink) throws { sinks.withLock { $0[sink.sink] = sink } }

    func release(sink: String) throws { sinks.withLock { $0[sink] = nil } }

    func release(from time: Int64) throws { sinks.withLock { $0 = $0.filter { $0.value.due < time } } }
}
