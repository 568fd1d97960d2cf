/// The wait before the next attempt. It doubles with each failure. A random part of it spreads deliveries that failed
/// at the same moment.
enum Backoff {
    /// The wait after the first failure.
    static let first = Duration.seconds(2)
    /// The longest wait, whatever the number of failures.
    static let longest = Duration.seconds(3600)
    /// The longest wait that a sink can request.
    static let longestAsked = Duration.seconds(24 * 3600)

    /// The wait in milliseconds: a random time between half of the full wait and all of it.
    ///
    /// - Parameter asked: the wait that the sink requests, in milliseconds. The result is at least that.
    static func milliseconds(
        after failures: Int, asked: Int? = nil, using generator: inout some RandomNumberGenerator
    ) -> Int64 {
        // 20 doublings exceed the longest wait by far, and more of them could overflow.
        let whole = min(first * (1 << (min(max(failures, 1), 21) - 1)), longest).milliseconds
        let wanted = min(max(Int64(asked ?? 0), 0), longestAsked.milliseconds)
        return max(Int64.random(in: whole / 2...whole, using: &generator), wanted)
    }
}
