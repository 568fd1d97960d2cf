internal import Files
internal import Glibc
internal import ShareModel
internal import SinkKit
internal import Subprocess
internal import SystemPackage

/// Finds out whether the sandbox works on this machine. Version numbers do not tell: containers and distributions
/// forbid parts of it.
enum SandboxTrial {
    /// The exit status of the trial's sink. If it arrives here, the sink has run, and the launcher passes a status on.
    private static let status: Int32 = 7
    /// The trial reads at most this many bytes of bubblewrap's messages.
    private static let wordLimit = 2_000

    /// The time that the trial has. It takes a fraction of a second; a busy machine needs longer.
    static let clock = Duration.seconds(60)

    /// Runs a shell in the sandbox, with the options of every sink.
    ///
    /// - Parameter clock: the time after which the trial is ended.
    /// - Returns: the reason why it does not work, and the remedy; `nil` if it works.
    /// - Throws: `CancellationError` if the task is canceled. The processes of the trial have ended then.
    static func whyBroken(_ sandbox: Sandbox, clock: Duration = clock) async throws -> String? {
        let temporary = try TemporaryFolder(for: "sandbox")
        defer { withExtendedLifetime(temporary) {} }
        let folder = temporary.path
        for name in ["sink", "in", "out"] { try temporary.fileSystem.ensureFolder(folder.appending(name)) }
        for name in ["passwd", "group"] { try SmallFile.write([], to: folder.appending(name)) }
        let manifest = SinkManifest(
            id: "trial", version: "1", command: ["sh", "-c", "exit \(status)"], accepts: [])
        let sink = InstalledSink(manifest: manifest, program: "/bin/sh", folder: folder.appending("sink"))
        let command = sandbox.command(
            sink, folder: folder, network: false, bounds: .standard,
            user: geteuid() == 0 ? SinkUsers.range.lowerBound : nil)
        let arguments = ["supervise", "--parent", "\(getpid())", "--sandbox", "--"] + command
        return try await withThrowingTaskGroup(of: String?.self) { group in
            group.addTask { try await run(arguments, sandbox.launcher) }
            group.addTask {
                try await Task.sleep(for: clock)
                return "bubblewrap has not ended after \(clock.components.seconds) seconds; run "
                    + "\(sandbox.bubblewrap) by hand to see why"
            }
            // Canceling the task of the trial ends its processes; see `teardownSequence` below.
            defer { group.cancelAll() }
            let reason = try await group.next() ?? nil
            // A trial that was ended says nothing about the sandbox.
            try Task.checkCancellation()
            return reason
        }
    }

    private static func run(_ arguments: [String], _ launcher: FilePath) async throws -> String? {
        var options = PlatformOptions()
        options.processGroupID = 0
        options.teardownSequence = [.send(signal: .quit, allowedDurationToNextStep: SinkProcess.grace)]
        do {
            let result = try await Subprocess.run(
                .path(launcher), arguments: Arguments(arguments), environment: .custom(["PATH": "/usr/bin:/bin"]),
                platformOptions: options, input: .none, output: .discarded, error: .string(limit: wordLimit))
            if case .exited(status) = result.terminationStatus { return nil }
            let words = result.standardError.split(separator: "\n").last.map(String.init)
            return "bubblewrap does not work here (\(words ?? "\(result.terminationStatus)")); \(remedy(words ?? ""))"
        } catch let error as SubprocessError {
            return "bubblewrap cannot be tried here: \(error)"
        }
    }

    private static func remedy(_ words: String) -> String {
        // bubblewrap has `--size` since version 0.7.
        if words.contains("nknown option") { return "install bubblewrap 0.7 or later" }
        for (setting, forbidden, allowed) in settings where value(setting) == forbidden {
            return "user namespaces are forbidden; allow them: sysctl \(setting)=\(allowed)"
        }
        return "in a container, allow it to make namespaces, or run Sluice outside of it"
    }

    /// The settings that forbid user namespaces: name, forbidding value, allowing value. bubblewrap needs such
    /// a namespace unless root runs it.
    private static let settings = [
        ("kernel.unprivileged_userns_clone", "0", "1"), ("user.max_user_namespaces", "0", "10000"),
        ("kernel.apparmor_restrict_unprivileged_userns", "1", "0"),
    ]

    private static func value(_ setting: String) -> String? {
        let path = "/proc/sys/" + setting.split(separator: ".").joined(separator: "/")
        // A system without the setting has no file for it.
        guard let bytes = try? SmallFile.read(FilePath(path), limit: 4_096) else { return nil }
        return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).first.map(String.init)
    }
}
