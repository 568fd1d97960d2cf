import Dispatch
import Glibc
import Synchronization

/// What stops a run before its end: Ctrl-C and its kin, or the loss of standard output.
///
/// The first cause cancels the work, which may still finish what it must; a second signal kills the process.
enum Interruption {
    enum Cause: Sendable {
        case signal
        /// Nobody reads standard output any more, or it cannot be written.
        case outputLost
    }

    /// How the work ended, and why it was stopped before that; `nil` where it was not.
    struct End<Value: Sendable>: Sendable {
        var result: Result<Value, any Error>
        var cause: Cause?
    }

    /// Runs the work to its end, also after it was stopped. The work is given what stops it from within.
    ///
    /// `announce` is called once, when the first cause comes.
    static func watch<Value: Sendable>(
        announce: @escaping @Sendable (Cause) -> Void,
        _ work: @escaping @Sendable (_ stop: @escaping @Sendable () -> Void) async throws -> Value
    ) async -> End<Value> {
        let (causes, continuation) = AsyncStream.makeStream(of: Cause.self)
        let sources = [SIGINT, SIGTERM].map { signalSource($0) { continuation.yield(.signal) } }
        defer { sources.forEach { $0.cancel() } }
        return await withTaskGroup(of: Result<Value, any Error>.self) { group in
            group.addTask {
                // Ends the wait for a cause below.
                defer { continuation.finish() }
                do {
                    return .success(try await work { continuation.yield(.outputLost) })
                } catch {
                    return .failure(error)
                }
            }
            var cause: Cause?
            for await next in causes where cause == nil {
                cause = next
                group.cancelAll()
                announce(next)
            }
            return End(result: await group.next() ?? .failure(CancellationError()), cause: cause)
        }
    }

    private static func signalSource(
        _ number: Int32, _ handler: @escaping @Sendable () -> Void
    ) -> any DispatchSourceSignal {
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        let arrivals = Mutex(0)
        source.setEventHandler {
            let count = arrivals.withLock { count in
                count += Int(1)
                return count
            }
            if count > 1 { _exit(ExitStatus.interrupted.rawValue) }
            handler()
        }
        source.activate()
        return source
    }

    private static let queue = DispatchQueue(label: "sluice.signals")
}
