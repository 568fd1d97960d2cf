internal import Synchronization

/// The user ids that sinks get where the host is root: root is held to no limit of processes, and to few of files.
final class SinkUsers: Sendable {
    /// No distribution gives these to a person or a service of its own; systemd hands them out in passing, as we do.
    static let range: ClosedRange<UInt32> = 61_184...65_519

    private let count: Atomic<UInt32>

    /// Begins anywhere: another process does the same at the same time.
    init() { count = Atomic(UInt32.random(in: 0..<UInt32(Self.range.count))) }

    /// The next one; none is given twice within some thousand.
    func next() -> UInt32 {
        let number = count.wrappingAdd(1, ordering: .relaxed).oldValue
        return Self.range.lowerBound + number % UInt32(Self.range.count)
    }
}
