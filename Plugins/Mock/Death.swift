import Glibc

/// Ends the process with a signal.
enum Death {
    /// Dies like a program without a signal handler. The Swift runtime's handler would first write a report.
    static func die(of number: Int32) -> Never {
        signal(number, SIG_DFL)
        kill(getpid(), number)
        // The kernel may deliver the signal a little later.
        while true { pause() }
    }
}
