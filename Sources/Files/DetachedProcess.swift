internal import CFileSystem
internal import Glibc
package import SystemPackage

/// A process that outlives its starter: in a session of its own, without a terminal, and without standard streams.
package enum DetachedProcess {
    /// Starts a program.
    ///
    /// - Returns: the process. No one has to wait for its end.
    /// - Throws: `Errno` if it cannot be started.
    @discardableResult
    package static func start(_ program: FilePath, _ arguments: [String]) throws(Errno) -> Int32 {
        try start(program, arguments, cfilesystem_start_detached)
    }

    private typealias Call = (
        UnsafePointer<CChar>, UnsafePointer<UnsafeMutablePointer<CChar>?>, UnsafeMutablePointer<Int32>
    ) -> Int32

    private static func start(_ program: FilePath, _ arguments: [String], _ call: Call) throws(Errno) -> Int32 {
        let words: [UnsafeMutablePointer<CChar>?] = ([program.string] + arguments).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var process: Int32 = 0
        let failure = call(program.string, words, &process)
        guard failure == 0 else { throw Errno(rawValue: failure) }
        return process
    }

    /// Whether a program ends with the status 0; blocks its thread. One that takes longer than `limit` is killed.
    package static func succeeds(_ program: FilePath, _ arguments: [String], within limit: Duration) -> Bool {
        guard let process = try? start(program, arguments, cfilesystem_start_child) else { return false }
        let end = ContinuousClock.now + limit
        var status: Int32 = 0
        var ended: Int32 = 0
        while true {
            ended = waitpid(process, &status, WNOHANG)
            guard ended == 0 else { break }
            guard ContinuousClock.now < end else {
                kill(process, SIGKILL)
                waitpid(process, &status, 0)
                return false
            }
            usleep(pause)
        }
        return ended == process && status == 0
    }

    /// The time between two looks at a process, in microseconds.
    private static let pause: UInt32 = 2_000
}
