#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Where the time in rows comes from; a test hands in its own.
public struct Clock: Sendable {
    /// The time as ISO 8601, UTC, to the second.
    public var now: @Sendable () -> String

    /// A clock that gives what `now` returns, which must be ISO 8601 in UTC.
    public init(now: @escaping @Sendable () -> String) { self.now = now }

    /// The machine's clock.
    public static let system = Clock { Date.now.formatted(.iso8601) }
}
