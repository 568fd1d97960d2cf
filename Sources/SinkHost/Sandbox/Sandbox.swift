internal import FoundationEssentials
internal import ShareModel
internal import SinkKit
internal import SystemPackage

/// What a sink sees in the sandbox, as options of bubblewrap: the system to read, its own folders, and nothing else.
struct Sandbox: Sendable {
    let bubblewrap: FilePath
    let launcher: FilePath

    /// Where bubblewrap is looked for.
    static let places: [FilePath] = ["/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap"]
    /// What a sink can put into `/tmp`, and again into `/dev/shm`, in bytes; it lies in memory.
    static let temporaryBytes = 256 << 20

    /// Where the sink finds its folders, the program where it lies elsewhere, and the launcher.
    static let (input, output, home): (FilePath, FilePath, FilePath) = ("/in", "/out", "/sink")
    private static let (programs, inner): (FilePath, FilePath) = ("/program", "/run/sluice-launch")
    private static let fontCache: FilePath = "/var/cache/fontconfig"

    /// Of `/etc`: how libraries, fonts, types and times are found.
    private static let settings = [
        "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "fonts", "localtime", "mime.types", "magic",
        "magic.mime",
    ]
    /// Of `/etc`, with the network: how names are resolved, and whom to believe.
    private static let networkSettings = [
        "resolv.conf", "hosts", "nsswitch.conf", "services", "protocols", "gai.conf", "ssl/certs", "ssl/openssl.cnf",
        "ca-certificates", "pki/tls/certs", "pki/ca-trust/extracted",
    ]

    /// The command that runs a sink in a sandbox of its own.
    ///
    /// - Parameters:
    ///   - folder: the one with `in/`, `out/`, `passwd` and `group`.
    ///   - user: whom the sink runs as; `nil` for the host's own user, which must not be root.
    ///   - linger: see ``SinkConfiner/launch(_:folder:network:limits:linger:)``.
    func command(
        _ sink: InstalledSink, folder: FilePath, network: Bool, bounds: SinkBounds, user: UInt32?,
        linger: Duration = .zero
    ) -> [String] {
        let program = sink.isProgramInFolder ? Self.home : Self.programs
        let inside = sink.program.lastComponent.map { program.appending($0) } ?? program
        let counts = user != nil || Kernel.countsProcessesByNamespace
        return [bubblewrap.string] + namespaces(network: network, isRoot: user != nil) + system()
            + etc(folder: folder, network: network) + own(sink, program: inside, folder: folder)
            + ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/tmp", "--", Self.inner.string, "confine"]
            + ["--first", network ? "--filter-network" : "--filter-local"]
            + (user.map { ["--user", "\($0)"] } ?? []) + bounds.options(countsProcesses: counts)
            + SinkLaunch.options(linger: linger)
            + ["--", inside.string] + sink.manifest.command.dropFirst()
    }

    private func namespaces(network: Bool, isRoot: Bool) -> [String] {
        // Root makes the others without a user namespace, in which it could become nobody else. It keeps what it takes
        // to become another, and loses that by doing so.
        (isRoot
            ? ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"] : ["--unshare-user"])
            + ["--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try"]
            + (network ? [] : ["--unshare-net"])
            + ["--hostname", "sink", "--die-with-parent", "--new-session", "--as-pid-1"]
    }

    /// The programs and libraries of the system, its processes and devices.
    private func system() -> [String] {
        var options = ["--ro-bind", "/usr", "/usr"] + Self.folders(above: Self.programs.appending("any"))
        for name in ["bin", "sbin", "lib", "lib32", "lib64", "libx32"] {
            let path = "/" + name
            if let target = Self.link(path) {
                options += ["--symlink", target, path]
            } else {
                options += ["--ro-bind-try", path, path]
            }
        }
        if let runtime = SwiftRuntime.folder, !runtime.starts(with: "/usr") {
            options += Self.folders(above: runtime) + ["--ro-bind", runtime.string, runtime.string]
        }
        let temporary = { ["--perms", "1777", "--size", "\(Self.temporaryBytes)", "--tmpfs", $0] }
        return options + Self.folders(above: Self.fontCache) + [
            "--ro-bind-try", Self.fontCache.string, Self.fontCache.string,
        ]
            + ["--proc", "/proc", "--dev", "/dev"] + temporary("/dev/shm") + temporary("/tmp")
    }

    private func etc(folder: FilePath, network: Bool) -> [String] {
        let names = Self.settings + (network ? Self.networkSettings : [])
        return names.flatMap { name in
            let path = FilePath("/etc").appending(name)
            return Self.folders(above: path) + ["--ro-bind-try", path.string, path.string]
        }
            + ["passwd", "group"].flatMap { ["--ro-bind", folder.appending($0).string, "/etc/\($0)"] }
    }

    private func own(_ sink: InstalledSink, program: FilePath, folder: FilePath) -> [String] {
        let program = sink.isProgramInFolder ? [] : ["--ro-bind", sink.program.string, program.string]
        return program + Self.folders(above: Self.inner) + [
            "--ro-bind", launcher.string, Self.inner.string, "--ro-bind", sink.folder.string, Self.home.string,
            "--ro-bind", folder.appending("in").string, Self.input.string,
            "--bind", folder.appending("out").string, Self.output.string,
        ]
    }

    /// Makes the folders above a path: those that bubblewrap makes by itself, root's other users may not enter.
    private static func folders(above path: FilePath) -> [String] {
        let above = path.removingLastComponent()
        guard !above.components.isEmpty else { return [] }
        return folders(above: above) + ["--dir", above.string]
    }

    private static func link(_ path: String) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: path)
    }
}
