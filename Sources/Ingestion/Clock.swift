#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

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
    public static let system = Clock { Date.now.formatted(.iso8601) }
}
