internal import Glibc
internal import Synchronization
package import SystemPackage

/// A lock for which a thread of this process waits now, because another process holds it.
package struct LockWait: Sendable {
    /// The lock's file.
    package let path: FilePath
    /// When the wait began.
    package let since: ContinuousClock.Instant
    /// Names this wait among all waits of the process.
    private let number: Int
    private let file: LockTable.File?

    /// The longest wait of a task after its cancellation. Its last commits may still find a gap between those of others.
    package static let canceledLimit = Duration.seconds(5)

    private struct Table {
        var begun = 0
        var waits: [Int: LockWait] = [:]
    }

    /// Locks belong to a process, and so does this table, as the system's `/proc/locks` belongs to the machine.
    private static let table = Mutex(Table())

    /// All waits, the oldest first.
    package static var present: [LockWait] {
        table.withLock { $0.waits.values.sorted { $0.number < $1.number } }
    }

    /// Adds a wait to ``present`` until ``end()``.
    init(_ path: FilePath, _ descriptor: FileDescriptor) { self.init(path, LockTable.File(of: descriptor)) }

    /// Adds a wait for SQLite's lock of writers to ``present`` until ``end()``.
    ///
    /// - Parameter index: the index of the write-ahead log. It is not opened, because a close would end this process's locks
    ///   on it.
    package init(writingTo index: FilePath) { self.init(index, LockTable.File(at: index)) }

    private init(_ path: FilePath, _ file: LockTable.File?) {
        self.file = file
        self.path = path
        since = .now
        let (path, since, file) = (path, since, file)
        number = Self.table.withLock { table in
            table.begun += 1
            table.waits[table.begun] = LockWait(path: path, since: since, file: file, number: table.begun)
            return table.begun
        }
    }

    private init(path: FilePath, since: ContinuousClock.Instant, file: LockTable.File?, number: Int) {
        (self.path, self.since, self.file, self.number) = (path, since, file, number)
    }

    package func end() { Self.table.withLock { _ = $0.waits.removeValue(forKey: number) } }

    /// The processes that hold the lock, without those that wait for another lock themselves: for such a process, the
    /// holders of that other lock. Empty if the system does not show them.
    package var holders: [LockHolder] {
        guard let file else { return [] }
        // The system gives a long table in pieces, and a lock between two of them is missing if others were released
        // meanwhile.
        for _ in 0..<Self.attempts {
            // Reading can fail or show too little, in a container for example. Then the holders are unknown.
            guard let bytes = try? SmallFile.read("/proc/locks", limit: Self.tableLimit) else { return [] }
            let processes = LockTable(String(decoding: bytes, as: UTF8.self)).holders(of: file, besides: getpid())
            if !processes.isEmpty { return processes.compactMap(LockHolder.init) }
        }
        return []
    }

    /// How often the table is read for a lock that it does not show.
    private static let attempts = 5

    /// The most bytes of the system's table of locks.
    private static let tableLimit = 4 << 20
}

/// The system's table of locks on whole files, and of SQLite's writers, `/proc/locks` (proc_locks(5)).
struct LockTable {
    /// A file as the table shows it: `fe:00:1843`.
    struct File: Hashable {
        /// The device's numbers, in hexadecimal digits.
        var device: Substring
        var inode: UInt64

        init(device: Substring, inode: UInt64) { (self.device, self.inode) = (device, inode) }

        init?(of descriptor: FileDescriptor) {
            var status = stat()
            guard fstat(descriptor.rawValue, &status) == 0 else { return nil }
            self.init(status)
        }

        init?(at path: FilePath) {
            var status = stat()
            guard path.withPlatformString({ stat($0, &status) }) == 0 else { return nil }
            self.init(status)
        }

        private init(_ status: stat) {
            // As makedev(3) puts the numbers together; Glibc's module lacks the functions.
            let number = UInt64(status.st_dev)
            let major = (number >> 8) & 0xFFF | (number >> 32) & ~0xFFF
            let minor = number & 0xFF | (number >> 12) & ~0xFF
            let numbers = [major, minor].map { String($0, radix: 16) }
            device = numbers.map { $0.count < 2 ? "0\($0)" : $0 }.joined(separator: ":")[...]
            inode = UInt64(status.st_ino)
        }

        init?(_ text: Substring) {
            guard let colon = text.lastIndex(of: ":"), let inode = UInt64(text[colon...].dropFirst()) else {
                return nil
            }
            (device, self.inode) = (text[..<colon], inode)
        }
    }

    private var held: [File: [Int32]] = [:]
    private var awaited: [Int32: File] = [:]

    /// The byte of a write-ahead log's index that a writer locks: WAL_WRITE_LOCK in SQLite's "WAL-mode File Format", 2.3.
    private static let writersByte = 120

    /// Lines such as `1: FLOCK  ADVISORY  WRITE 712 fe:00:1843 0 EOF`; a waiting process has `->` after the number.
    init(_ text: String) {
        for line in text.split(separator: "\n") {
            var words = line.split(separator: " ").dropFirst()
            let isWaiting = words.first == "->"
            if isWaiting { words.removeFirst() }
            guard words.first == "FLOCK" || Self.isWriter(words),
                let process = words.dropFirst(3).first.flatMap({ Int32($0) }),
                let file = words.dropFirst(4).first.flatMap(File.init)
            else { continue }
            if isWaiting { awaited[process] = file } else { held[file, default: []].append(process) }
        }
    }

    /// Whether the words are those of a lock that SQLite's writers may hold. SQLite itself never waits for one.
    private static func isWriter(_ words: ArraySlice<Substring>) -> Bool {
        let words = Array(words)
        guard words.count == 7, words[0] == "POSIX", words[2] == "WRITE", let first = Int(words[5]) else {
            return false
        }
        return first <= writersByte && writersByte <= Int(words[6]) ?? .max
    }

    /// See ``LockWait/holders``.
    func holders(of file: File, besides own: Int32) -> [Int32] {
        // Some file systems show another device here than `stat` does. Then the inode alone has to do.
        let files = held[file] == nil ? held.keys.filter { $0.inode == file.inode } : [file]
        var found: [Int32] = []
        var seen = Set(files)
        var next = files
        while let file = next.popLast() {
            for process in held[file] ?? [] where process != own && !found.contains(process) {
                // Each lock is followed once, so two processes that wait for each other end the search.
                if let other = awaited[process], held[other]?.isEmpty == false, seen.insert(other).inserted {
                    next.append(other)
                } else {
                    found.append(process)
                }
            }
        }
        return found
    }
}

/// A process that holds a lock.
package struct LockHolder: Sendable, Equatable {
    package let process: Int32
    /// Its program and arguments, as the process states them, separated by spaces.
    package let command: String
    /// When it was started, in clock ticks since the boot. A later process with its number has another start.
    package let start: Int64
    /// The time since it was started.
    package let age: Duration
    /// Whether a signal such as SIGSTOP, or Ctrl-Z in its terminal, has stopped it.
    package let isStopped: Bool

    package init(process: Int32, command: String, start: Int64, age: Duration, isStopped: Bool) {
        (self.process, self.command, self.start) = (process, command, start)
        (self.age, self.isStopped) = (age, isStopped)
    }

    /// The most bytes of a command.
    private static let commandLimit = 4_096

    /// Reads proc_pid_stat(5) and proc_pid_cmdline(5); `nil` if the process is gone.
    init?(_ process: Int32) {
        let folder = FilePath("/proc").appending(String(process))
        guard let status = try? SmallFile.read(folder.appending("stat"), limit: Self.commandLimit),
            let words = try? SmallFile.read(folder.appending("cmdline"), limit: 1 << 20)
        else { return nil }
        // The name in parentheses is the choice of the process. The fields after it begin with the third one.
        let fields = String(decoding: status, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 19, let start = Int64(fields[19]) else { return nil }
        var now = timespec()
        clock_gettime(CLOCK_BOOTTIME, &now)
        let age = Int64(now.tv_sec) - start / Int64(max(sysconf(Int32(_SC_CLK_TCK)), 1))
        let command = words.prefix(Self.commandLimit).split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        self.init(
            process: process, command: command.joined(separator: " "), start: start, age: .seconds(max(age, 0)),
            isStopped: ["T", "t"].contains(fields[0]))
    }
}
