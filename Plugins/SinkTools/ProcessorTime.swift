internal import Glibc

/// The processor time for a part of one delivery. Readers stop when it is over, long before the kernel ends the process.
public struct ProcessorTime: Sendable {
    private let end: Int

    /// A time that begins now.
    ///
    /// - Parameter seconds: the processor time of this process from now on.
    public init(seconds: Int) { end = clock() + seconds * Int(CLOCKS_PER_SEC) }

    /// Whether readers must stop.
    public var isOver: Bool { clock() >= end }
}
