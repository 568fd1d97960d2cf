internal import Glibc
internal import Synchronization

/// The source of the times in rows. A test supplies its own.
public struct Clock: Sendable {
    /// The time as ISO 8601, UTC, to the second.
    public var now: @Sendable () -> String
    /// The time in nanoseconds since 1970, for comparison with the times of files.
    public var nanoseconds: @Sendable () -> Int64

    /// A clock from functions. `now` must return ISO 8601 in UTC.
    public init(
        now: @escaping @Sendable () -> String, nanoseconds: @escaping @Sendable () -> Int64 = Self.systemNanoseconds
    ) {
        self.now = now
        self.nanoseconds = nanoseconds
    }

    /// The machine's time in nanoseconds since 1970; for one after 2262, the largest number.
    @Sendable public static func systemNanoseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec)).nanoseconds
    }

    /// The machine's clock.
    public static let system = {
        let latest = LatestTime()
        return Clock { latest.text(at: systemNanoseconds() / 1_000_000_000) }
    }()
}

/// The text of the latest time. Many packages are stored within one second.
private final class LatestTime: Sendable {
    private let last = Mutex<(second: Int64, text: String)>((.min, ""))

    func text(at second: Int64) -> String {
        last.withLock { last in
            if last.second != second { last = (second, "\(Timestamp(seconds: second, nanoseconds: 0))") }
            return last.text
        }
    }
}
