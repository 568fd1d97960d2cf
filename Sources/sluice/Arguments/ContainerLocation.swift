import ArgumentParser
import Files
import Ingestion
import SystemPackage

/// Where the group container is.
enum ContainerLocation {
    static let group = "group.sluice.default"

    /// `--container`, else `$SLUICE_CONTAINER`, else `$XDG_DATA_HOME/sluice/<group>`, else
    /// `~/.local/share/sluice/<group>`. Empty variables count as not set, and so does a relative `$XDG_DATA_HOME`
    /// (XDG Base Directory Specification 0.8); `nil` where there is no home either.
    static func resolve(option: FilePath?, environment: (String) -> FilePath?) -> FilePath? {
        if let named = option ?? environment("SLUICE_CONTAINER") { return named }
        if let data = environment("XDG_DATA_HOME"), data.isAbsolute { return data.appending("sluice/\(group)") }
        return environment("HOME").map { $0.appending(".local/share/sluice/\(group)") }
    }

    /// The random identifier of this machine: in `$XDG_STATE_HOME/sluice/machine`, else `~/.local/state/sluice/machine`;
    /// `nil` where it cannot be kept.
    static func machine(environment: (String) -> FilePath?) -> String? {
        let state = environment("XDG_STATE_HOME").flatMap { $0.isAbsolute ? $0 : nil }
        guard let folder = state ?? environment("HOME")?.appending(".local/state") else { return nil }
        return MachineIdentifier.load(from: folder.appending("sluice/machine"), .system)
    }
}

/// The option that every command on a container has.
struct ContainerOption: ParsableArguments {
    @Option(
        name: .customLong("container"),
        help: ArgumentHelp(
            "The group container.",
            discussion: "Without it: $SLUICE_CONTAINER, else $XDG_DATA_HOME/sluice/group.sluice.default, "
                + "else ~/.local/share/sluice/group.sluice.default.",
            valueName: "dir"))
    var directory: PathArgument?

    /// - Throws: a usage error where no place can be named.
    func location() throws -> FilePath {
        guard let location = ContainerLocation.resolve(option: directory?.path, environment: Environment.path) else {
            throw ValidationError("There is no home to keep the container in. Name a place: --container DIR")
        }
        return location
    }

    /// The options of a run on the container, with the person's own sinks and settings.
    func options() throws -> IngestOptions {
        var options = IngestOptions(container: try location())
        options.remedyWords = RemedyText.words
        SinkPlaces().set(&options)
        options.machine = ContainerLocation.machine(environment: Environment.path)
        return options
    }

    /// The option as a command that follows must have it: ` --container DIR`, quoted for a shell; nothing where it was
    /// not given.
    var again: StyledLine {
        // Quoting leaves nothing that a terminal would act upon, and a path that is cut short names something else.
        directory.map { StyledLine(stringLiteral: " --container " + ShellQuote.quote($0.path)) } ?? ""
    }
}
