internal import Files
internal import Glibc
package import ShareModel
internal import SinkKit
package import SystemPackage

/// The command that starts the supervisor with one process of a sink, and the paths under which the sink sees the
/// host's folders.
///
/// The supervisor does not touch the standard streams. It ends as the sink did: with the same status, or by the same
/// signal. By then, no process that the sink started is left. The host ends a sink by signals to the supervisor only:
/// - SIGTERM goes to the sink and to every process that it started. They may finish their work first.
/// - SIGQUIT ends all of them, also those in a session of their own. The host can rely on it.
/// - SIGKILL ends the supervisor and the sink, and in the sandbox every process. Without a sandbox, processes in a
///   session of their own survive. SIGKILL is for a supervisor that does not end after SIGQUIT.
///
/// When the host dies, in whatever way, the supervisor ends all of these processes too.
package struct SinkLaunch: Sendable {
    /// The supervisor.
    package let executable: FilePath
    /// The arguments of the supervisor, without its name.
    package let arguments: [String]
    /// The whole environment.
    package let environment: [String: String]
    package let containment: Containment
    /// The user that the sink runs as; `nil` if it is the host's own user. It differs for a host that is root, in a
    /// sandbox.
    package let ownerID: UInt32?
    /// Folders of the host, and the paths under which the sink sees them; empty without a sandbox.
    package let views: [(host: FilePath, sink: FilePath)]

    /// A path of the host as the sink sees it: `…/in/7/beach.jpg` is `/in/7/beach.jpg` in the sandbox.
    package func inside(_ path: FilePath) -> FilePath {
        for view in views {
            if let way = path.way(from: view.host) { return view.sink.appending(way) }
        }
        return path
    }

    /// Makes the sink's user the owner of a file or folder in `in/` or `out/`, so that the sink can use it. Call this
    /// for each one that the host makes there. It does nothing if the sink runs as the host's own user.
    package func give(_ path: FilePath) throws {
        guard let ownerID else { return }
        guard path.withPlatformString({ lchown($0, ownerID, ownerID) }) == 0 else {
            throw SinkFailure(.transient, "\(path) cannot be given to the sink's user: \(Errno(rawValue: errno))")
        }
    }
}

extension SinkLaunch {
    /// The option of the launcher for a time to linger; none for zero.
    package static func options(linger: Duration) -> [String] {
        let milliseconds = linger / .milliseconds(1)
        return milliseconds > 0 ? ["--linger", "\(Int(milliseconds))"] : []
    }

    /// The number of processes that the supervisor had to end after the sink. It is in the last line of the log: by
    /// then no other process is left that could write there.
    package static func countLeft(in log: String) -> Int {
        guard let line = log.split(whereSeparator: \.isNewline).last, let range = line.firstRange(of: leftWords),
            range.lowerBound == line.startIndex
        else { return 0 }
        return Int(line[range.upperBound...]) ?? 0
    }

    private static let leftWords = "sluice-launch: processes that outlived the sink: "
}
