internal import Files
internal import Glibc
package import ShareModel
package import SinkKit
package import SystemPackage

/// Says how sinks are started in this run: in a sandbox where it works here, within limits in any case.
package struct SinkConfiner: Sendable {
    /// What every sink of the run gets.
    package var level: Containment { sandbox == nil ? .limits : .sandbox }
    /// Why there is no sandbox, and the remedy; `nil` where there is one, or none was asked for.
    package let shortfall: String?

    private let launcher: FilePath
    private let sandbox: Sandbox?
    private let users = SinkUsers()

    /// Looks for the launcher and for bubblewrap, and tries once whether that works here.
    ///
    /// - Parameters:
    ///   - launcher: the program `sluice-launch`; `nil` to look for it beside `program`, and in `../libexec/sluice`.
    ///   - program: the program that runs.
    ///   - bubblewraps: where bubblewrap may be; the first that is there is taken.
    /// - Throws: where the launcher is missing, or the sandbox is required and cannot be had: why, and the remedy.
    package init(
        requirement: ContainmentRequirement, launcher: FilePath? = nil, program: FilePath = ProgramPath.current,
        bubblewraps: [FilePath] = Sandbox.places
    ) async throws {
        let launcher = try Self.find(launcher, beside: program)
        self.launcher = launcher
        guard requirement != .off else {
            (sandbox, shortfall) = (nil, nil)
            return
        }
        let sandbox = bubblewraps.first(where: Self.isExecutable).map { Sandbox(bubblewrap: $0, launcher: launcher) }
        if let sandbox {
            shortfall = try await SandboxTrial.whyBroken(sandbox)
        } else {
            shortfall = "bubblewrap is not installed; install the package bubblewrap"
        }
        self.sandbox = shortfall == nil ? sandbox : nil
        if requirement == .required, let shortfall {
            throw SinkHostError(.usage, "there is no sandbox for sinks, and this run requires one: \(shortfall)")
        }
    }

    /// Says how to start one process of a sink.
    ///
    /// - Parameters:
    ///   - folder: `work/<sink>/<n>`, with `in/` and `out/` in it; this process's alone. Gets a few files of its own.
    ///     The two stay the same folders as long as the process lives; what the host puts below them is seen at once.
    ///   - network: whether the sink may call other machines. Only a sandbox can keep it from that.
    ///   - limits: what the sink may use, where the defaults do not fit.
    ///   - linger: how long what the sink started may take to end after it. How many are ended then is the last that the
    ///     supervisor says: see ``SinkLaunch/countLeft(in:)``. Zero: they are ended with it, and nothing is said.
    /// - Throws: a `SinkFailure` where the folder cannot be written to, or the sink's user could not read the sink.
    package func launch(
        _ sink: InstalledSink, folder: FilePath, network: Bool, limits: SinkManifest.Limits?, linger: Duration = .zero
    ) throws -> SinkLaunch {
        let (sink, folder) = (sink.absolute, folder.absolute)
        let bounds = SinkBounds.make(limits)
        guard let sandbox else { return try launch(sink, folder: folder, bounds: bounds, linger: linger) }
        let user = geteuid() == 0 ? users.next() : nil
        if user != nil { try sink.checkIsReadableByAll() }
        try Self.writeUser(user ?? geteuid(), in: folder)
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
        _ sink: InstalledSink, folder: FilePath, bounds: SinkBounds, linger: Duration
    ) throws -> SinkLaunch {
        let temporary = folder.appending("tmp")
        try FolderTree.make(temporary)
        let command =
            [launcher.string, "confine", "--folder", temporary.string] + bounds.options(countsProcesses: false)
            + ["--", sink.program.string] + sink.manifest.command.dropFirst()
        return SinkLaunch(
            executable: launcher, arguments: Self.supervised(command, isSandbox: false, linger: linger),
            environment: Self.environment(temporary: temporary), containment: .limits, ownerID: nil, views: [])
    }

    private static func supervised(_ command: [String], isSandbox: Bool, linger: Duration) -> [String] {
        ["supervise", "--parent", "\(getpid())"] + (isSandbox ? ["--sandbox"] : [])
            + SinkLaunch.options(linger: linger) + ["--"] + command
    }

    private static func environment(temporary: FilePath) -> [String: String] {
        [
            "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": temporary.string,
            "TMPDIR": temporary.string,
        ]
    }

    /// What programs that ask for their user's name are told.
    private static func writeUser(_ user: UInt32, in folder: FilePath) throws {
        let group = user == geteuid() ? getegid() : user
        try folder.appending("passwd").write("sink:x:\(user):\(group):sink:/tmp:/bin/sh\n")
        try folder.appending("group").write("sink:x:\(group):\n")
    }

    private static func find(_ named: FilePath?, beside program: FilePath) throws -> FilePath {
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
