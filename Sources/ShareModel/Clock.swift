internal import FoundationEssentials
internal import Glibc
internal import Synchronization

/// Where the time in rows comes from; a test hands in its own.
public struct Clock: Sendable {
    /// The time as ISO 8601, UTC, to the second.
    public var now: @Sendable () -> String
    /// The time in nanoseconds since 1970, to hold against the times of files.
    public var nanoseconds: @Sendable () -> Int64

    /// A clock that gives what `now` returns, which must be ISO 8601 in UTC.
    public init(
        now: @escaping @Sendable () -> String, nanoseconds: @escaping @Sendable () -> Int64 = Self.systemNanoseconds
    ) {
        self.now = now
        self.nanoseconds = nanoseconds
    }

    /// The machine's time in nanoseconds since 1970.
    @Sendable public static func systemNanoseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// The machine's clock.
    public static let system = {
        let last = LastSecond()
        return Clock { last.text(at: systemNanoseconds() / 1_000_000_000) }
    }()
}

/// The text of the second that was asked for last: many packages come in in one, and to format it takes longer than
/// anything else that is done for a row.
private final class LastSecond: Sendable {
    private let last = Mutex<(second: Int64, text: String)>((.min, ""))

    func text(at second: Int64) -> String {
        last.withLock { last in
            if last.second != second {
                last = (second, Date(timeIntervalSince1970: Double(second)).formatted(.iso8601))
            }
            return last.text
        }
    }
}
