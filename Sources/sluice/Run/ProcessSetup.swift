import CAllocator
import Glibc

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
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(files, &limit) == 0, limit.rlim_cur < wanted else { return }
        limit.rlim_cur = min(wanted, limit.rlim_max)
        // Where it is refused, the run says what it could not open.
        _ = setrlimit(files, &limit)
    }
}

/// The system's allocator, as this process wants it.
enum Allocator {
    /// Bounds the memory of a run however long it is.
    ///
    /// glibc gives each thread a heap ("arena") of its own and takes what was freed in one for that one alone, so that
    /// packages, which are made on one thread and let go on another, leave holes in all of them (mallopt(3)). With two it
    /// is as quick, and the peak stays where it was after the first batches.
    static func prepare() {
        mallopt(M_ARENA_MAX, 2)
    }
}
