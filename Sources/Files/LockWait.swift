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
    package let number: Int
    private let inode: UInt64

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
    init(_ path: FilePath, _ descriptor: FileDescriptor) {
        var status = stat()
        inode = fstat(descriptor.rawValue, &status) == 0 ? UInt64(status.st_ino) : 0
        self.path = path
        since = .now
        number = Self.table.withLock { table in
            table.begun += 1
            return table.begun
        }
        Self.table.withLock { [self] in $0.waits[number] = self }
    }

    func end() { Self.table.withLock { _ = $0.waits.removeValue(forKey: number) } }

    /// The processes that hold the lock, without those that wait for another lock themselves: for such a process, the
    /// holders of that other lock. Empty if the system does not show them.
    package var holders: [LockHolder] {
        // Reading can fail or show too little, in a container for example. Then the holders are unknown.
        guard let bytes = try? SmallFile.read("/proc/locks", limit: Self.tableLimit) else { return [] }
        return LockTable(String(decoding: bytes, as: UTF8.self)).holders(of: inode, besides: getpid())
            .compactMap(LockHolder.init)
    }

    /// The most bytes of the system's table of locks.
    private static let tableLimit = 4 << 20
}

/// The system's table of locks on whole files, `/proc/locks` (proc_locks(5)).
struct LockTable {
    private var held: [UInt64: [Int32]] = [:]
    private var awaited: [Int32: UInt64] = [:]

    /// Lines such as `1: FLOCK  ADVISORY  WRITE 712 fe:00:1843 0 EOF`; a waiting process has `->` after the number.
    ///
    /// A file is known by its inode alone. Some file systems show another device here than `stat` does.
    init(_ text: String) {
        for line in text.split(separator: "\n") {
            var words = line.split(separator: " ").dropFirst()
            let isWaiting = words.first == "->"
            if isWaiting { words.removeFirst() }
            guard words.first == "FLOCK", let process = words.dropFirst(3).first.flatMap({ Int32($0) }),
                let inode = words.dropFirst(4).first?.split(separator: ":").last.flatMap({ UInt64($0) })
            else { continue }
            if isWaiting { awaited[process] = inode } else { held[inode, default: []].append(process) }
        }
    }

    /// See ``LockWait/holders``.
    func holders(of inode: UInt64, besides own: Int32) -> [Int32] {
        var found: [Int32] = []
        var seen: Set<UInt64> = [inode]
        var next = [inode]
        while let inode = next.popLast() {
            for process in held[inode] ?? [] where process != own && !found.contains(process) {
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
    /// The time since it was started.
    package let age: Duration
    /// Whether a signal such as SIGSTOP, or Ctrl-Z in its terminal, has stopped it.
    package let isStopped: Bool

    package init(process: Int32, command: String, age: Duration, isStopped: Bool) {
        (self.process, self.command, self.age, self.isStopped) = (process, command, age, isStopped)
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
            process: process, command: command.joined(separator: " "), age: .seconds(max(age, 0)),
            isStopped: ["T", "t"].contains(fields[0]))
    }
}
