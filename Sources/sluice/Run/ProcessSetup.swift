import CAllocator
import Dispatch
import Glibc
import Ingestion

/// What a process takes over from the one that started it, and must not depend on.
enum Inheritance {
    static func prepare() {
        // With a mask of 0777, this user could not open the files of a new container.
        umask(umask(0o077) & 0o077)
        // A thread that starts a program may block signals, and then no signal would interrupt that program.
        var none = sigset_t()
        sigemptyset(&none)
        sigprocmask(SIG_SETMASK, &none, nil)
        // Otherwise no status of a program that this one starts could be had.
        signal(SIGCHLD, SIG_DFL)
    }
}

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

/// The threads, open files and memory that a run cannot do without.
///
/// The libraries below the program report no such error: with too few threads they wait for ever, and with too few open
/// files or too little memory they crash.
enum ProcessNeeds {
    /// More than a run with the bundled sinks has at a time.
    static let threads = 32
    /// A share has 7 beside the first, because it starts no sink. Starting 32 threads takes as long as a commit.
    static let threadsOfAShare = 12
    /// The same for open files.
    static let files: rlim_t = 128
    /// The least address space, in bytes: the stacks of the threads, two heaps, and what libraries reserve.
    static let memory: rlim_t = 1 << 30

    /// How often the check for threads is repeated.
    private static let attempts = 20
    /// The time between two checks, in microseconds.
    private static let pause: UInt32 = 50_000

    /// - Throws: an error that ends the program before it opens anything.
    static func check(threads: Int = threads) throws {
        try check(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), files, "open files", "ulimit -n \(files)")
        try check(__rlimit_resource_t(RLIMIT_AS.rawValue), memory, "bytes of memory", "ulimit -v \(memory >> 10)")
        try checkThreads(threads)
    }

    private static func check(
        _ resource: __rlimit_resource_t, _ wanted: rlim_t, _ noun: String, _ command: String
    ) throws {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < wanted else { return }
        throw IngestionError(
            .container, "the limit of \(noun) is \(limit.rlim_cur), and \(wanted) are needed; raise it: \(command)")
    }

    /// Starts all of the threads at once. No limit tells how many the system still allows, because other processes of
    /// the user count too.
    private static func checkThreads(_ threads: Int) throws {
        var possible = start(threads)
        // Other runs may have been started at the same moment, and check too.
        for _ in 0..<attempts where possible < threads {
            usleep(pause)
            possible = start(threads)
        }
        guard possible == threads else {
            throw IngestionError(
                .container,
                "the system allows only \(possible) more threads, and \(threads) are needed; raise the limit of "
                    + "processes (ulimit -u), or end other programs")
        }
    }

    /// - Returns: the number of threads that were there at the same time, at most `threads`.
    private static func start(_ threads: Int) -> Int {
        let gate = DispatchSemaphore(value: 0)
        var started: [pthread_t] = []
        defer {
            for _ in started { gate.signal() }
            for thread in started { pthread_join(thread, nil) }
        }
        while started.count < threads {
            var thread = pthread_t()
            let failure = pthread_create(
                &thread, nil,
                { gate in
                    if let gate { Unmanaged<DispatchSemaphore>.fromOpaque(gate).takeUnretainedValue().wait() }
                    return nil
                }, Unmanaged.passUnretained(gate).toOpaque())
            guard failure == 0 else { break }
            started.append(thread)
        }
        return started.count
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
