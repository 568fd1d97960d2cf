internal import Glibc
package import ShareModel
internal import SinkKit
package import SystemPackage

/// How to start one process of a sink: the supervisor's command, and what the sink sees of the host's folders.
///
/// The supervisor passes the standard streams on untouched, and ends as the sink did: with its status, or of its signal.
/// By then, nothing that the sink started is left. The host ends a sink by signals to the supervisor's process alone:
/// - SIGTERM goes to the sink and all that it started, which may end in their own time;
/// - SIGQUIT ends all of them, also those with a session of their own. This is the one that the host can rely on;
/// - SIGKILL ends the supervisor and the sink, and in the sandbox all. Without a sandbox, what the sink has put into a
///   session of its own survives it: SIGKILL is for a supervisor that has not ended some time after SIGQUIT.
///
/// When the host dies, however it does, all of it ends too.
package struct SinkLaunch: Sendable {
    /// The supervisor.
    package let executable: FilePath
    /// What the supervisor is told, without its name.
    package let arguments: [String]
    /// All of the environment.
    package let environment: [String: String]
    /// What stands between the sink and everything else.
    package let containment: Containment
    /// The user that the sink runs as, where that is another than the host's: as root, in a sandbox.
    package let ownerID: UInt32?
    /// Folders of the host, and where the sink sees them; empty without a sandbox.
    package let views: [(host: FilePath, sink: FilePath)]

    /// A path of the host as the sink must be told it: `…/in/7/beach.jpg` is `/in/7/beach.jpg` in the sandbox.
    package func inside(_ path: FilePath) -> FilePath {
        for view in views {
            var rest = path
            if rest.removePrefix(view.host) { return view.sink.appending(rest.components) }
        }
        return path
    }

    /// Gives a file or folder in `in/` or `out/` to the sink, which could neither read nor fill it else. Needed for each
    /// one that the host makes there after the launch; does nothing where the sink runs as the host's own user.
    package func give(_ path: FilePath) throws {
        guard let ownerID else { return }
        guard path.withPlatformString({ lchown($0, ownerID, ownerID) }) == 0 else {
            throw SinkFailure(.transient, "\(path) cannot be given to the sink's user: \(Errno(rawValue: errno))")
        }
    }
}

extension SinkLaunch {
    /// How the launcher is told of a time to linger.
    package static func options(linger: Duration) -> [String] {
        let milliseconds = linger / .milliseconds(1)
        return milliseconds > 0 ? ["--linger", "\(Int(milliseconds))"] : []
    }

    /// How many processes the supervisor had to end after the sink, by its last words on standard error; by then, nobody
    /// else is left to write there.
    package static func countLeft(in log: String) -> Int {
        guard let line = log.split(separator: "\n").last, let range = line.firstRange(of: leftWords),
            range.lowerBound == line.startIndex
        else { return 0 }
        return Int(line[range.upperBound...]) ?? 0
    }

    private static let leftWords = "sluice-launch: processes that outlived the sink: "
}
