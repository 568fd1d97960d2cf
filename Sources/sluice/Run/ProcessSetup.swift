import CAllocator
import Glibc

/// The standard streams and the limit of open files, which the program sets right before it opens anything.
enum Descriptors {
    /// Enough for a run with its sinks.
    private static let wanted: rlim_t = 4_096

    static func prepare() {
        fillStandardOnes()
        raiseLimit()
    }

    /// Opens `/dev/null` in the place of each closed standard stream.
    ///
    /// Otherwise the next file that the program opens would get that number, and messages would be written into it. The
    /// direction is the wrong one on purpose: reading or writing the stream still fails, as it must.
    private static func fillStandardOnes() {
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
            _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Raises the soft limit of open files as far as the hard limit allows.
    private static func raiseLimit() {
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(files, &limit) == 0, limit.rlim_cur < wanted else { return }
        limit.rlim_cur = min(wanted, limit.rlim_max)
        // A refusal needs no message here: if the limit is too low, the run reports the file that it could not open.
        _ = setrlimit(files, &limit)
    }
}

/// The settings of the system's allocator.
enum Allocator {
    /// Limits glibc to two heaps ("arenas"), which keeps the memory of a long run bounded (mallopt(3)).
    ///
    /// By default glibc makes a heap for each thread, and reuses freed memory only within its own heap. A package is
    /// made on one thread and freed on another, so every heap would fill with holes. With two heaps a run is as fast,
    /// and its peak stays where it was after the first batches.
    static func prepare() {
        mallopt(M_ARENA_MAX, 2)
    }
}
