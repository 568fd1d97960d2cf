#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What the process was given to open files with, put right before anything is opened.
enum Descriptors {
    /// How many descriptors a run with its sinks may come to need.
    private static let wanted: rlim_t = 4_096

    static func prepare() {
        fillStandardOnes()
        raiseLimit()
    }

    /// A standard stream that was closed is opened on nothing, the wrong way round, so that its use still fails: else
    /// the next file that is opened takes its number, and gets what was meant for people.
    private static func fillStandardOnes() {
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
            _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Takes of the limit of open files what may be had without asking.
    private static func raiseLimit() {
        #if canImport(Glibc)
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
        let files = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard getrlimit(files, &limit) == 0, limit.rlim_cur < wanted else { return }
        limit.rlim_cur = min(wanted, limit.rlim_max)
        // Where it is refused, the run says what it could not open.
        _ = setrlimit(files, &limit)
    }
}
