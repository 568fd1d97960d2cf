internal import Glibc
internal import SinkKit

/// One run of another program, with bounds on its time and on its output.
public struct ChildProcess: Sendable {
    /// How a run ended.
    public enum Ending: Sendable, Equatable {
        case exited(Int32)
        case signaled(Int32)
        /// It exceeded the time, and was killed.
        case outOfTime
        /// It wrote more than the limit to its standard output, and was killed.
        case tooMuchOutput
    }

    /// The program's path.
    public var program: String
    /// Its arguments, without the name of the program.
    public var arguments: [String]
    /// An open file, which the program gets as descriptor 3; `nil` for none.
    public var file: Int32?
    /// Its environment, each variable as `NAME=value`, besides `PATH` and `LC_ALL`.
    public var variables: [String]
    /// The longest time of a run by the wall clock, in seconds.
    public var seconds: Int
    /// The most bytes of its standard output.
    public var outputLimit: Int
    /// The most bytes of its standard error that are kept; the rest is read and dropped.
    public var errorLimit: Int

    /// A run that has not begun.
    public init(
        program: String, arguments: [String], file: Int32? = nil, variables: [String] = [], seconds: Int,
        outputLimit: Int, errorLimit: Int
    ) {
        (self.program, self.arguments, self.file, self.variables) = (program, arguments, file, variables)
        (self.seconds, self.outputLimit, self.errorLimit) = (seconds, outputLimit, errorLimit)
    }

    /// Runs the program to its end. Processes that it started end with it, unless they left its process group.
    ///
    /// - Throws: `SinkFailure` if the system has no process or pipe left.
    public func run() throws -> (output: [UInt8], errors: [UInt8], ending: Ending) {
        var output = try Pipe(limit: outputLimit)
        defer { output.close() }
        var errors = try Pipe(limit: errorLimit)
        defer { errors.close() }
        let child = try spawn(output.writing, errors.writing)
        output.closeWriting()
        errors.closeWriting()
        let deadline = Self.now + Int64(seconds) * 1000
        var ending: Ending?
        while ending == nil, output.isOpen || errors.isOpen {
            // A process that the program left may hold the pipes open.
            let isLast = Self.hasEnded(child)
            let hasMore = Self.wait(for: &output, &errors, milliseconds: isLast ? 0 : 100)
            if output.isCut { ending = .tooMuchOutput }
            if Self.now >= deadline { ending = .outOfTime }
            if isLast, !hasMore { break }
        }
        // A program may close its output and run on.
        while ending == nil, !Self.hasEnded(child) {
            if Self.now >= deadline { ending = .outOfTime }
            usleep(2_000)
        }
        // The number of the group cannot belong to another one yet, because the child is not reaped.
        kill(-child, SIGKILL)
        // It may have joined another group.
        kill(child, SIGKILL)
        let ended = Self.reap(child)
        return (output.bytes, errors.bytes, ending ?? ended)
    }

    private func spawn(_ output: Int32, _ errors: Int32) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_adddup2(&actions, errors, 2)
        if let file { posix_spawn_file_actions_adddup2(&actions, file, 3) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The child must die of a closed pipe and of SIGTERM, whatever this process ignores.
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        // A group of its own, so that one signal ends its descendants too.
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
        var words = Self.strings([program] + arguments)
        defer { for word in words { free(word) } }
        // No variable of the host's user changes what the program does.
        var environment = Self.strings(["PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"] + variables)
        defer { for variable in environment { free(variable) } }
        var child: pid_t = 0
        let status = posix_spawn(&child, program, &actions, &attributes, &words, &environment)
        guard status == 0 else { throw Self.failure("\(program) cannot be started", status) }
        return child
    }

    /// C strings with a null pointer at the end. The caller frees them.
    private static func strings(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        texts.map { strdup($0) } + [nil]
    }

    /// Reads what has arrived, and waits for it if necessary; false if nothing has.
    private static func wait(for first: inout Pipe, _ second: inout Pipe, milliseconds: Int32) -> Bool {
        // The kernel skips negative descriptors.
        var descriptors = [
            pollfd(fd: first.reading, events: Int16(POLLIN), revents: 0),
            pollfd(fd: second.reading, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&descriptors, 2, milliseconds) > 0 else { return false }
        if descriptors[0].revents != 0 { first.read() }
        if descriptors[1].revents != 0 { second.read() }
        return true
    }

    /// Whether a child has ended; it stays to be reaped.
    private static func hasEnded(_ child: pid_t) -> Bool {
        var status = siginfo_t()
        // The number of the signal stays 0 if the child still runs. Without such a child, there is nothing to wait for.
        return waitid(P_PID, id_t(child), &status, WEXITED | WNOHANG | WNOWAIT) != 0 || status.si_signo != 0
    }

    private static func reap(_ child: pid_t) -> Ending {
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? .exited(status >> 8 & 0xFF) : .signaled(signal)
    }

    /// The time since the start of the machine, in milliseconds.
    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    fileprivate static func failure(_ what: String, _ number: Int32) -> SinkFailure {
        SinkFailure(.transient, "\(what): \(reason(number))")
    }
}

/// A pipe from a child process, and what came through it.
private struct Pipe {
    private(set) var reading: Int32
    private(set) var writing: Int32
    private(set) var bytes: [UInt8] = []
    /// Whether more bytes came than the limit.
    private(set) var isCut = false
    private let limit: Int

    init(limit: Int) throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw ChildProcess.failure("a pipe cannot be made", errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (reading, writing, self.limit) = (ends[0], ends[1], limit)
    }

    /// Whether more may come.
    var isOpen: Bool { reading >= 0 }

    mutating func read() {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1 << 16) { piece in
            let count = Glibc.read(reading, piece.baseAddress, piece.count)
            if count < 0, errno == EINTR || errno == EAGAIN { return }
            guard count > 0 else { return closeReading() }
            let room = limit - bytes.count
            isCut = isCut || count > room
            bytes.append(contentsOf: piece.prefix(min(count, room)))
        }
    }

    mutating func closeWriting() {
        if writing >= 0 { Glibc.close(writing) }
        writing = -1
    }

    private mutating func closeReading() {
        if reading >= 0 { Glibc.close(reading) }
        reading = -1
    }

    mutating func close() {
        closeReading()
        closeWriting()
    }
}
