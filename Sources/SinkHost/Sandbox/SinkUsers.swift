internal import Synchronization

/// The user ids for sinks of a host that runs as root. Root itself has no limit of processes, and owns
/// most files of the system.
final class SinkUsers: Sendable {
    /// No distribution assigns these ids to users or services. systemd uses them for temporary users (`DynamicUser`),
    /// as this program does.
    static let range: ClosedRange<UInt32> = 61_184...65_519

    private let count: Atomic<UInt32>

    /// Starts at a random id, because another host on this machine may count at the same time.
    init() { count = Atomic(UInt32.random(in: 0..<UInt32(Self.range.count))) }

    /// The next id. It does not come again within 4,336 calls.
    func next() -> UInt32 {
        // Only the numbers must differ. No other memory depends on them, so the order is relaxed.
        let number = count.wrappingAdd(1, ordering: .relaxed).oldValue
        return Self.range.lowerBound + number % UInt32(Self.range.count)
    }
}
