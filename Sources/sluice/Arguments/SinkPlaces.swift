import Ingestion
import SystemPackage

/// Where a person's sinks and settings are, by the environment. A relative `$XDG_…` counts as not set (XDG Base Directory
/// Specification 0.8).
struct SinkPlaces {
    /// The folders that `$SLUICE_SINKS` names.
    let named: [FilePath]
    /// Those, then the person's own: `$XDG_DATA_HOME/sluice/sinks`, else `~/.local/share/sluice/sinks`.
    let folders: [FilePath]
    /// `$SLUICE_CONFIG`, else `$XDG_CONFIG_HOME/sluice`, else `~/.config/sluice`; `nil` where there is no home either.
    let configuration: FilePath?

    init(
        environment: (String) -> FilePath? = Environment.path, list: (String) -> [FilePath] = Environment.paths
    ) {
        let home = environment("HOME")
        func base(_ name: String, _ other: String) -> FilePath? {
            environment(name).flatMap { $0.isAbsolute ? $0 : nil } ?? home?.appending(other)
        }
        named = list("SLUICE_SINKS")
        folders = named + (base("XDG_DATA_HOME", ".local/share").map { [$0.appending("sluice/sinks")] } ?? [])
        configuration = environment("SLUICE_CONFIG") ?? base("XDG_CONFIG_HOME", ".config")?.appending("sluice")
    }

    /// The options of a run that has these places, and no container of its own.
    var options: IngestOptions {
        var options = IngestOptions(container: "")
        set(&options)
        return options
    }

    func set(_ options: inout IngestOptions) {
        options.sinkFolders = folders
        options.configurationFolder = configuration
    }
}
