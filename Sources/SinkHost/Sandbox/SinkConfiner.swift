package import Files
internal import Glibc
package import ShareModel
package import SinkKit
package import SystemPackage

/// Prepares the start of sinks: in a sandbox if it works on this machine, and within limits in any case.
package struct SinkConfiner: Sendable {
    /// The containment of every sink of the run.
    package var level: Containment { sandbox == nil ? .limits : .sandbox }
    /// Why there is no sandbox, and the remedy; `nil` if there is one, or if the run turned it off.
    package let shortfall: String?

    private let launcher: FilePath
    private let sandbox: Sandbox?
    private let users = SinkUsers()

    /// Finds the launcher and bubblewrap, and tries the sandbox once.
    ///
    /// - Parameters:
    ///   - launcher: the program `sluice-launch`; `nil` to search for it beside `program` and in `../libexec/sluice`.
    ///   - program: the running program.
    ///   - bubblewraps: the places to search for bubblewrap. The first executable one is used.
    ///   - clock: the time that the trial has.
    /// - Throws: ``SinkHostError`` with the remedy if the launcher is missing, or if the sandbox is required and does
    ///   not work.
    package init(
        requirement: ContainmentRequirement, launcher: FilePath? = nil, program: FilePath = ProgramPath.current,
        bubblewraps: [FilePath] = Sandbox.places, clock: Duration = SandboxTrial.clock
    ) async throws {
        let launcher = try Self.launcher(launcher, beside: program)
        self.launcher = launcher
        guard requirement != .off else {
            (sandbox, shortfall) = (nil, nil)
            return
        }
        let sandbox = bubblewraps.first(where: Self.isExecutable).map { Sandbox(bubblewrap: $0, launcher: launcher) }
        if let sandbox {
            shortfall = try await SandboxTrial.whyBroken(sandbox, clock: clock)
        } else {
            shortfall = "bubblewrap is not installed; install the package bubblewrap"
        }
        self.sandbox = shortfall == nil ? sandbox : nil
        if requirement == .required, let shortfall {
            throw SinkHostError(.usage, "there is no sandbox for sinks, and this run requires one: \(shortfall)")
        }
    }

    /// Prepares the start of one process of a sink.
    ///
    /// - Parameters:
    ///   - folder: `work/<sink>/<n>`, which belongs to this process and contains `in/` and `out/`. The call adds a few
    ///     files. Keep both folders as long as the process lives: the sandbox mounts them, and shows at once what the
    ///     host adds.
    ///   - network: whether the sink may use the network. Only a sandbox can forbid it.
    ///   - limits: limits that replace the defaults.
    ///   - linger: the time that the sink's own processes have to end after the sink. The supervisor then logs how many
    ///     it had to end: see ``SinkLaunch/countLeft(in:)``. With zero, it ends them with the sink and logs nothing.
    /// - Throws: a `SinkFailure` if the folder is not writable, or if the sink's user cannot read the sink.
    package func launch(
        _ sink: InstalledSink, folder: FilePath, network: Bool, limits: SinkManifest.Limits?,
        linger: Duration = .zero, on fileSystem: any FileSystem
    ) throws -> SinkLaunch {
        let (sink, folder) = (sink.absolute, folder.absolute)
        let bounds = SinkBounds.make(limits)
        guard let sandbox else {
            return try launch(sink, folder: folder, bounds: bounds, linger: linger, on: fileSystem)
        }
        // The limit of processes does not bind root, so a sink of root runs as another user.
        let user = geteuid() == 0 ? users.next() : nil
        if user != nil { try sink.checkIsReadableByAll() }
        try Self.writeUser(user ?? geteuid(), in: folder, on: fileSystem)
        let command = sandbox.command(
            sink, folder: folder, network: network, bounds: bounds, user: user, linger: linger)
        let (input, output) = (folder.appending("in"), folder.appending("out"))
        let launch = SinkLaunch(
            executable: launcher, arguments: Self.supervised(command, isSandbox: true, linger: linger),
            environment: Self.environment(temporary: "/tmp"), containment: .sandbox, ownerID: user,
            views: [(input, Sandbox.input), (output, Sandbox.output), (sink.folder, Sandbox.home)])
        try launch.give(input)
        try launch.give(output)
        return launch
    }

    private func launch(
        _ sink: InstalledSink, folder: FilePath, bounds: SinkBounds, linger: Duration, on fileSystem: any FileSystem
    ) throws -> SinkLaunch {
        let temporary = folder.appending("tmp")
        try fileSystem.ensureFolders(temporary)
        let command =
            [launcher.string, "confine", "--folder", temporary.string] + bounds.options(countsProcesses: false)
            + ["--", sink.program.string] + sink.manifest.command.dropFirst()
        return SinkLaunch(
            executable: launcher, arguments: Self.supervised(command, isSandbox: false, linger: linger),
            environment: Self.environment(temporary: temporary), containment: .limits, ownerID: nil, views: [])
    }

    private static func supervised(_ command: [String], isSandbox: Bool, linger: Duration) -> [String] {
        // The supervisor compares its parent with this id, so it also notices a host that died before it looked.
        ["supervise", "--parent", "\(getpid())"] + (isSandbox ? ["--sandbox"] : [])
            + SinkLaunch.options(linger: linger) + ["--"] + command
    }

    /// All of the environment. The host's variables may contain secrets of other sinks, so none is passed on.
    private static func environment(temporary: FilePath) -> [String: String] {
        [
            "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": temporary.string,
            "TMPDIR": temporary.string,
        ]
    }

    /// The `passwd` and `group` of the sandbox. Programs that look up their user find a name there.
    private static func writeUser(_ user: UInt32, in folder: FilePath, on fileSystem: any FileSystem) throws {
        let group = user == geteuid() ? getegid() : user
        try SmallFile.write(
            Array("sink:x:\(user):\(group):sink:/tmp:/bin/sh\n".utf8), to: folder.appending("passwd"), on: fileSystem)
        try SmallFile.write(Array("sink:x:\(group):\n".utf8), to: folder.appending("group"), on: fileSystem)
    }

    /// The program `sluice-launch`.
    ///
    /// - Throws: `SinkHostError` if it is not there.
    package static func launcher(_ named: FilePath?, beside program: FilePath) throws -> FilePath {
        if let named = named?.absolute {
            guard isExecutable(named) else {
                throw SinkHostError(.usage, "the program that starts sinks, \(named), is not there, or not executable")
            }
            return named
        }
        let name: FilePath.Component = "sluice-launch"
        let beside = program.absolute.removingLastComponent()
        let installed = beside.removingLastComponent().appending("libexec/sluice").appending(name)
        let places = [beside.appending(name), installed]
        guard let launcher = places.first(where: isExecutable) else {
            throw SinkHostError(
                .usage,
                "the program that starts sinks is neither at \(places[0]) nor at \(places[1]); build or install all of "
                    + "Sluice again")
        }
        return launcher
    }

    private static func isExecutable(_ path: FilePath) -> Bool {
        path.withPlatformString { access($0, X_OK) == 0 }
    }
}
