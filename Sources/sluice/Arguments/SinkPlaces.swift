import Ingestion
import SystemPackage

/// The folders of the user's sinks and settings, from the environment. A relative `$XDG_…` counts as not set (XDG Base
/// Directory Specification 0.8).
struct SinkPlaces {
    /// The folders that `$SLUICE_SINKS` names.
    let named: [FilePath]
    /// The folders in ``named``, then `$XDG_DATA_HOME/sluice/sinks`, else `~/.local/share/sluice/sinks`.
    let folders: [FilePath]
    /// `$SLUICE_CONFIG`, else `$XDG_CONFIG_HOME/sluice`, else `~/.config/sluice`; `nil` if `$HOME` is not set either.
    let configuration: FilePath?
    /// `sluice/keychain` in `$XDG_DATA_HOME`, else in `~/.local/share`; `nil` if `$HOME` is not set either.
    let keychain: FilePath?

    init(
        environment: (String) -> FilePath? = Environment.path, list: (String) -> [FilePath] = Environment.paths
    ) {
        let home = environment("HOME")
        func base(_ name: String, _ other: String) -> FilePath? {
            environment(name).flatMap { $0.isAbsolute ? $0 : nil } ?? home?.appending(other)
        }
        named = list("SLUICE_SINKS")
        folders = named + (base("XDG_DATA_HOME", ".local/share").map { [$0.appending("sluice/sinks")] } ?? [])
        keychain = base("XDG_DATA_HOME", ".local/share")?.appending("sluice/keychain")
        configuration = environment("SLUICE_CONFIG") ?? base("XDG_CONFIG_HOME", ".config")?.appending("sluice")
    }

    /// Options with these folders and no container.
    var options: IngestOptions {
        var options = IngestOptions(container: "")
        set(&options)
        return options
    }

    func set(_ options: inout IngestOptions) {
        options.sinkFolders = folders
        options.configurationFolder = configuration
        options.keychainFolder = keychain
    }
}
