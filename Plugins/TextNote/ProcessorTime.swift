import Glibc

/// The processor time for one delivery. Readers stop when it is over, long before the kernel ends the process.
struct ProcessorTime {
    /// The seconds after which the rest of a text is left out.
    static let seconds = 10

    /// The calls of a handler between two looks at the clock.
    static let calls = 1024

    private let end = clock() + Self.seconds * Int(CLOCKS_PER_SEC)

    /// Whether readers must stop.
    var isOver: Bool { clock() >= end }
}
