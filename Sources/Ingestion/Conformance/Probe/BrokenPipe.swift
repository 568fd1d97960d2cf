#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// A pipe that nobody reads is an error of the write, not a signal to this process.
enum BrokenPipe {
    /// Holds SIGPIPE back on this thread.
    static func ignore() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
