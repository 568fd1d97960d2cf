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

    /// Whether another file is in its place, whose start did not fail a moment ago.
    package var isReplaced: Bool {
        guard let present = try? SystemFileSystem.system.identity(of: path), present != identity else { return false }
        guard let failed = failed.withLock(\.self) else { return true }
        return .now - failed > Self.pause
    }

    /// Notes that the new file could not be started.
    package func noteFailure() { failed.withLock { $0 = .now } }
}
