internal import Glibc
internal import Synchronization
package import SystemPackage

/// The file of this program, for a process that lives so long that an upgrade may replace it.
package final class ProgramFile: Sendable {
    /// The time after a start of the new file that failed until the next attempt. The file may still be written.
    private static let pause = Duration.seconds(10)

    package let path: FilePath
    private let identity: String?
    private let failed = Mutex<ContinuousClock.Instant?>(nil)

    /// - Parameter path: the file that this process runs.
    package init(_ path: FilePath) {
        self.path = path
        identity = try? SystemFileSystem.system.identity(of: path)
    }

    /// Whether another file is in its place, which can be started.
    package var isReplaced: Bool {
        guard let present = try? SystemFileSystem.system.identity(of: path), present != identity else { return false }
        guard let failed = failed.withLock(\.self) else { return true }
        return .now - failed > Self.pause
    }

    /// Continues as the program of the new file, with the arguments of this process.
    ///
    /// - Parameter descriptors: further open files that the program gets.
    /// - Throws: `Errno` if the file cannot be started. Then nothing has changed.
    package func execute(keeping descriptors: [FileDescriptor]) throws(Errno) -> Never {
        do {
            try ProcessImage.become(path, Array(CommandLine.arguments.dropFirst()), keeping: descriptors)
        } catch {
            failed.withLock { $0 = .now }
            throw error
        }
    }
}
