#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A process' end by its own hand.
enum Death {
    /// Dies of a signal as a program without any handler does: the runtime's would write a report first.
    static func die(of number: Int32) -> Never {
        signal(number, SIG_DFL)
        kill(getpid(), number)
        // Some signals are taken later than at once.
        while true { pause() }
    }
}
