internal import CFileSystem
internal import Glibc
package import SystemPackage

/// A process that outlives its starter: in a session of its own, without a terminal, and without standard streams.
package enum DetachedProcess {
    /// Starts a program. No one waits for its end.
    ///
    /// - Throws: `Errno` if it cannot be started.
    package static func start(_ program: FilePath, _ arguments: [String]) throws(Errno) {
        let words: [UnsafeMutablePointer<CChar>?] = ([program.string] + arguments).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        let failure = cfilesystem_start_detached(program.string, words)
        guard failure == 0 else { throw Errno(rawValue: failure) }
    }
}
