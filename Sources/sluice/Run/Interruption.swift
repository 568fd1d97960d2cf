import Dispatch
import Glibc
import Synchronization

/// Stops a run early: after SIGINT, SIGTERM or SIGHUP, or when standard output is lost.
///
/// The first cause cancels the work, which may still finish its commits. The process ends anyway if it waits too long for
/// another one: see ``OverdueEnd``. A second signal kills it, unless it is an echo of the first one: see
/// ``RepeatedSignal``.
enum Interruption {
    enum Cause: Sendable {
        case signal
        /// The reader closed standard output, or writing to it failed.
        case outputLost
    }

    /// The end of the work.
    struct End<Value: Sendable>: Sendable {
        var result: Result<Value, any Error>
        /// Why the work was stopped early; `nil` if it was not.
        var cause: Cause?

        /// Whether the cause stopped the work before it had a result.
        var isWithoutResult: Bool {
            guard case .failure(let error) = result else { return false }
            return cause != nil && error is CancellationError
        }
    }

    /// Runs the work and waits for its end, even after it was cancelled.
    ///
    /// - Parameters:
    ///   - announce: called once, with the first cause.
    ///   - work: gets a function that it calls to stop itself when output is lost.
    static func watch<Value: Sendable>(
        announce: @escaping @Sendable (Cause) -> Void,
        _ work: @escaping @Sendable (_ stop: @escaping @Sendable () -> Void) async throws -> Value
    ) async -> End<Value> {
        let (causes, continuation) = AsyncStream.makeStream(of: Cause.self)
        let sources = signals.map { signalSource($0) { continuation.yield(.signal) } }
        defer { sources.forEach { $0.cancel() } }
        for source in sources { await activate(source) }
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
            var overdue: (any DispatchSourceTimer)?
            defer { overdue?.cancel() }
            for await next in causes where cause == nil {
                cause = next
                group.cancelAll()
                overdue = OverdueEnd.begin()
                announce(next)
            }
            return End(result: await group.next() ?? .failure(CancellationError()), cause: cause)
        }
    }

    /// The signals that stop a run. One that `nohup` started goes on after the end of its terminal.
    private static var signals: [Int32] {
        var action = sigaction()
        sigaction(SIGHUP, nil, &action)
        let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        return [SIGINT, SIGTERM] + (handler == unsafeBitCast(SIG_IGN, to: Int.self) ? [] : [SIGHUP])
    }

    private static func signalSource(
        _ number: Int32, _ handler: @escaping @Sendable () -> Void
    ) -> any DispatchSourceSignal {
        // On Linux, the source itself replaces the signal's default action (`event_epoll.c` of libdispatch).
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        let signals = Mutex(RepeatedSignal())
        source.setEventHandler {
            switch signals.withLock({ $0.take(at: .now) }) {
            case .first: handler()
            case .echo: break
            // Without cleanup: the user wants the process gone, and a crash at any moment is safe.
            case .again: _exit(ExitStatus.interrupted.rawValue)
            }
        }
        return source
    }

    /// Returns once a signal reaches the source. Until then its default action kills the process, which has done no work.
    private static func activate(_ source: any DispatchSourceSignal) async {
        await withCheckedContinuation { continuation in
            source.setRegistrationHandler { continuation.resume() }
            source.activate()
        }
    }

    private static let queue = DispatchQueue(label: "sluice.signals")
}
