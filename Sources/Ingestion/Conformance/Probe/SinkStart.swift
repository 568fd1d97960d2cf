internal import SystemPackage

/// How a sink under test is started: the one place that knows the command line, the environment and what the sink sees.
struct SinkStart {
    let sink: InstalledSink
    /// The sink's own: its home, its temporary files, and where it starts.
    let home: FilePath
    let temporary: FilePath
    let current: FilePath

    /// The program and its arguments, started in ``current``.
    var command: [String] {
        let arguments = Array(sink.manifest.command.dropFirst())
        return ["/bin/sh", "-c", #"cd "$0" && exec "$@""#, current.string, sink.program.string] + arguments
    }

    var environment: [String] {
        ["PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8", mark, "TMPDIR=\(temporary)"]
    }

    /// An entry of the environment that no other process has: by it, what the sink has started is found again.
    var mark: String { "HOME=\(home)" }

    /// What the sink must call a file of ours.
    func seen(_ path: FilePath) -> String { path.string }
}
