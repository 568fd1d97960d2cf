internal import Files
internal import ShareModel
internal import SinkKit
internal import SystemPackage

/// The options of bubblewrap for a sink: it may read the system's programs and libraries, has its own folders, and sees
/// no other file.
struct Sandbox: Sendable {
    let bubblewrap: FilePath
    let launcher: FilePath

    /// The places to search for bubblewrap.
    static let places: [FilePath] = ["/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap"]
    /// The size of `/tmp`, and also of `/dev/shm`, in bytes. Both are in memory.
    static let temporaryBytes = 256 << 20

    /// Paths in the sandbox: the sink's folders, its program if that is outside of its folder, and the launcher.
    static let (input, output, home): (FilePath, FilePath, FilePath) = ("/in", "/out", "/sink")
    private static let (programs, inner): (FilePath, FilePath) = ("/program", "/run/sluice-launch")
    private static let fontCache: FilePath = "/var/cache/fontconfig"

    /// Files of `/etc` for libraries, fonts, types and time zones, and the settings that LibreOffice cannot start without.
    private static let settings = [
        "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "fonts", "localtime", "mime.types", "magic",
        "magic.mime", "libreoffice",
    ]
    /// Files of `/etc` for a sink with the network: name resolution, and trusted certificates.
    private static let networkSettings = [
        "resolv.conf", "hosts", "nsswitch.conf", "services", "protocols", "gai.conf", "ssl/certs", "ssl/openssl.cnf",
        "ca-certificates", "pki/tls/certs", "pki/ca-trust/extracted",
    ]

    /// The command that runs a sink in a sandbox of its own.
    ///
    /// - Parameters:
    ///   - folder: the work folder, with `in/`, `out/`, `passwd` and `group`.
    ///   - user: the user that the sink runs as; `nil` for the host's own user, which must not be root.
    ///   - linger: see ``SinkConfiner/launch(_:folder:network:limits:linger:)``.
    func command(
        _ sink: InstalledSink, folder: FilePath, network: Bool, bounds: SinkBounds, user: UInt32?,
        linger: Duration = .zero
    ) -> [String] {
        let program = sink.isProgramInFolder ? Self.home : Self.programs
        let inside = sink.program.lastComponent.map { program.appending($0) } ?? program
        // The user of a sink of root has no other processes, so every kernel counts only those of the sink.
        let counts = user != nil || Kernel.countsProcessesByNamespace
        return [bubblewrap.string] + namespaces(network: network, isRoot: user != nil) + system()
            + etc(folder: folder, network: network) + own(sink, program: inside, folder: folder)
            // The root and `/dev` are in memory and have no size limit. bubblewrap obeys its options in order, and
            // makes mount points in both, so they become read-only last.
            + ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/tmp", "--", Self.inner.string, "confine"]
            + ["--first", network ? "--filter-network" : "--filter-local"]
            + (user.map { ["--user", "\($0)"] } ?? []) + bounds.options(countsProcesses: counts)
            + SinkLaunch.options(linger: linger)
            + ["--", inside.string] + sink.manifest.command.dropFirst()
    }

    private func namespaces(network: Bool, isRoot: Bool) -> [String] {
        // Root needs no user namespace to make the other namespaces, and inside of one it could not become the sink's
        // user. The two capabilities let it become that user, and are lost in doing so.
        (isRoot
            ? ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"] : ["--unshare-user"])
            + ["--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try"]
            + (network ? [] : ["--unshare-net"])
            // Without a new session, the sink could write input for the terminal (TIOCSTI, CVE-2017-5226).
            + ["--hostname", "sink", "--die-with-parent", "--new-session", "--as-pid-1"]
    }

    /// The programs and libraries of the system, the sandbox's own `/proc` and `/dev`, and memory for scratch files.
    private func system() -> [String] {
        var options = ["--ro-bind", "/usr", "/usr"] + Self.folders(above: Self.programs.appending("any"))
        // On a system with a merged `/usr`, these are links into it.
        for name in ["bin", "sbin", "lib", "lib32", "lib64", "libx32"] {
            let path = "/" + name
            if let target = FilePath(path).linkText {
                options += ["--symlink", target.string, path]
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

    /// Makes the folders above a path. bubblewrap would make them too, but only for their owner: a sink that runs as
    /// another user could not enter them.
    private static func folders(above path: FilePath) -> [String] {
        let above = path.removingLastComponent()
        guard !above.isEmpty, above != "/" else { return [] }
        return folders(above: above) + ["--dir", above.string]
    }
}
