internal import Glibc
internal import ShareModel
internal import Synchronization

/// How long a connection waits for another process's transaction.
///
/// A transaction of Sluice should last less than a second, so a writer waits for its turn, however many there are. Only
/// `forget`, a migration, a package with tens of thousands of deliveries, and a process that was stopped in the middle
/// of a transaction keep the lock longer.
final class Patience: Sendable {
    /// The longest wait for a lock.
    static let limit = Duration.seconds(600)
    /// The longest wait of a call under ``shortened(_:)``.
    static let shortLimit = Duration.seconds(60)
    /// The longest time between two tries, in microseconds. SQLite's own wait tries every 100 ms, and finds no gap
    /// between the transactions of busy writers.
    private static let pause: UInt32 = 10_000

    private let tries = Atomic(Patience.tries(in: Patience.limit))

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
        // Random, so that two writers do not keep missing the same gap.
        usleep(UInt32.random(in: 1...Self.pause))
        return true
    }

    /// Runs a call that waits for ``shortLimit`` at most. It also shortens other calls meanwhile.
    func shortened<Value>(_ call: () throws -> Value) rethrows -> Value {
        tries.store(Self.tries(in: Self.shortLimit), ordering: .relaxed)
        defer { tries.store(Self.tries(in: Self.limit), ordering: .relaxed) }
        return try call()
    }
}
