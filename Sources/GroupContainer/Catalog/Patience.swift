internal import Files
internal import Glibc
internal import ShareModel
internal import Synchronization
internal import SystemPackage

/// How long a connection waits for another process's transaction.
///
/// A transaction of Sluice should last less than a second, so a writer waits for its turn, however many there are. Only
/// `forget`, a migration, a package with tens of thousands of deliveries, and a process that was stopped in the middle
/// of a transaction keep the lock longer. So a wait that lasts is a ``LockWait``, and a canceled task ends it.
final class Patience: Sendable {
    /// The longest wait for a lock.
    static let limit = Duration.seconds(600)
    /// The longest wait of a call under ``shortened(_:)``.
    static let shortLimit = Duration.seconds(60)
    /// The time after which a wait is a ``LockWait``.
    private static let silence = Duration.milliseconds(500)
    /// The longest time between two tries, in microseconds. SQLite's own wait tries every 100 ms, and finds no gap
    /// between the transactions of busy writers.
    private static let pause: UInt32 = 10_000

    private let tries = Atomic(Patience.tries(in: Patience.limit))
    /// The index of the write-ahead log.
    private let index: FilePath
    /// What is known about the wait of a thread.
    private struct Wait {
        var notice: LockWait?
        /// The tries before the cancellation of its task was seen.
        var triesBeforeCancellation: Int?
    }

    /// The waits by their threads. A call runs, with all its waits, in the caller's thread.
    private let waits = Mutex<[pthread_t: Wait]>([:])

    /// - Parameter index: the index of the catalog's write-ahead log, which has its locks.
    init(index: FilePath) { self.index = index }

    private static func tries(in limit: Duration) -> Int {
        // The mean of the random pauses is half of the longest one.
        Int(limit.milliseconds * 1_000 / Int64(pause / 2))
    }

    /// Waits a moment; `false` at the end of the patience. SQLite calls this again and again while another connection
    /// has the lock.
    ///
    /// - Parameter tries: the number of earlier calls for the same lock.
    @Sendable func wait(tries: Int) -> Bool {
        guard tries < self.tries.load(ordering: .relaxed) else { return false }
        // SQLite calls in the thread of the task.
        guard !Task.isCancelled || isWorthATry(tries) else { return false }
        if tries == Self.tries(in: Self.silence) { announce() }
        // Random, so that two writers do not keep missing the same gap.
        usleep(UInt32.random(in: 1...Self.pause))
        return true
    }

    private func announce() {
        let wait = LockWait(writingTo: index)
        let former = waits.withLock { waits in
            let former = waits[pthread_self()]?.notice
            waits[pthread_self(), default: Wait()].notice = wait
            return former
        }
        former?.end()
    }

    /// Whether a canceled task may try again.
    private func isWorthATry(_ tries: Int) -> Bool {
        let before = waits.withLock { waits in
            // A call may wait for one lock after the other, and the tries of each begin at 0.
            let before = min(waits[pthread_self()]?.triesBeforeCancellation ?? tries, tries)
            waits[pthread_self(), default: Wait()].triesBeforeCancellation = before
            return before
        }
        return tries - before < Self.tries(in: LockWait.canceledLimit)
    }

    /// Ends the ``LockWait`` of this thread, which has got the lock, or has given up.
    func end() { waits.withLock { $0.removeValue(forKey: pthread_self()) }?.notice?.end() }

    /// Runs a call that waits for ``shortLimit`` at most. It also shortens other calls meanwhile.
    func shortened<Value>(_ call: () throws -> Value) rethrows -> Value {
        tries.store(Self.tries(in: Self.shortLimit), ordering: .relaxed)
        defer { tries.store(Self.tries(in: Self.limit), ordering: .relaxed) }
        return try call()
    }
}
