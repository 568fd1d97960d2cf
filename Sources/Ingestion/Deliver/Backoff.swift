/// How long something that failed rests before it is tried again: twice as long each time, and by chance a little less, so
/// that many do not come back at the same moment.
enum Backoff {
    /// After the first failure.
    static let first = Duration.seconds(2)
    /// At most, whatever the number of failures.
    static let longest = Duration.seconds(3600)
    /// At most, where the sink itself says how long.
    static let longestAsked = Duration.seconds(24 * 3600)

    /// The rest after so many failures, in milliseconds: between half of its length and all of it.
    ///
    /// - Parameter asked: what the sink asked for, in milliseconds; it waits at least that long.
    static func milliseconds(
        after failures: Int, asked: Int? = nil, using generator: inout some RandomNumberGenerator
    ) -> Int64 {
        let whole = min(first * (1 << (min(max(failures, 1), 21) - 1)), longest).milliseconds
        let wanted = min(max(Int64(asked ?? 0), 0), longestAsked.milliseconds)
        return max(Int64.random(in: whole / 2...whole, using: &generator), wanted)
    }
}

extension Duration {
    /// Whole milliseconds.
    var milliseconds: Int64 { components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000 }
}
