import ArgumentParser
import Files
import GroupContainer
import Ingestion
import SystemPackage

/// Where the group container is.
enum ContainerLocation {
    /// `--container`, else `$SLUICE_CONTAINER`, else `$XDG_DATA_HOME/sluice/<group>`, else
    /// `~/.local/share/sluice/<group>`; `nil` if `$HOME` is not set either.
    ///
    /// An empty variable counts as not set, and so does a relative `$XDG_DATA_HOME` (XDG Base Directory Specification
    /// 0.8).
    static func resolve(option: FilePath?, environment: (String) -> FilePath?) -> FilePath? {
        if let named = option ?? environment("SLUICE_CONTAINER") { return named }
        let folder = FilePath("sluice").appending(ContainerLayout.defaultGroup)
        if let data = environment("XDG_DATA_HOME"), data.isAbsolute { return data.appending(folder.components) }
        return environment("HOME").map { $0.appending(".local/share").appending(folder.components) }
    }

    /// The folder for what programs remember between runs (XDG Base Directory Specification 0.8); `nil` without `$HOME`.
    static func state(environment: (String) -> FilePath?) -> FilePath? {
        let named = environment("XDG_STATE_HOME").flatMap { $0.isAbsolute ? $0 : nil }
        return named ?? environment("HOME")?.appending(".local/state")
    }

    /// The identifier of this machine: `$SLUICE_MACHINE`, else the random one in `$XDG_STATE_HOME/sluice/machine`, else
    /// the one in `~/.local/state/sluice/machine`; `nil` if it cannot be stored.
    ///
    /// - Parameter isPlan: whether nothing may be written. An identifier that is not stored then stands for a new one.
    /// - Throws: a usage error if `$SLUICE_MACHINE` is blank or longer than 64 bytes.
    static func machine(
        isPlan: Bool = false,
        environment: (String) -> FilePath? = Environment.path, text: (String) -> String? = Environment.text
    ) throws -> String? {
        // A container of the system, or another user, may have a new home folder in each run. The random identifier
        // would be a new one each time, and no file would be known from an earlier run.
        if let named = text("SLUICE_MACHINE") {
            guard let id = MachineIdentifier.parse(named) else {
                throw ValidationError("SLUICE_MACHINE does not name a machine: give a name of 1 to 64 bytes.")
            }
            return id
        }
        guard let file = state(environment: environment)?.appending("sluice/machine") else { return nil }
        return isPlan ? MachineIdentifier.planned(from: file, .system) : MachineIdentifier.load(from: file, .system)
    }
}

/// A command that uses a container.
protocol ContainerCommand: AsyncParsableCommand {
    var container: ContainerOption { get }
    /// Whether its end says which deliveries wait for a login.
    var saysWhatNeedsALogin: Bool { get }
}

extension ContainerCommand {
    var saysWhatNeedsALogin: Bool { true }
}

/// The option of every command that uses a container.
struct ContainerOption: ParsableArguments {
    @Option(
        name: .customLong("container"),
        help: ArgumentHelp(
            "The group container.",
            discussion: "Default: $SLUICE_CONTAINER, else $XDG_DATA_HOME/sluice/group.sluice.default, "
                + "else ~/.local/share/sluice/group.sluice.default.",
            valueName: "dir"))
    var directory: PathArgument?

    /// - Throws: a usage error if neither the option nor the environment names a folder.
    func location() throws -> FilePath {
        guard let location = ContainerLocation.resolve(option: directory?.path, environment: Environment.path) else {
            throw ValidationError("HOME is not set, so there is no default container. Name one: --container DIR")
        }
        return location
    }

    /// Whether the option or `$SLUICE_CONTAINER` names the folder.
    var isNamed: Bool { directory != nil || Environment.path("SLUICE_CONTAINER") != nil }

    /// The options of a run on the container, with the user's sinks and settings.
    ///
    /// - Parameter isPlan: whether the run writes nothing.
    func options(isPlan: Bool = false) throws -> IngestOptions {
        var options = IngestOptions(container: try location())
        // Without the container: the words are stored in receipts.
        options.remedyWords = { RemedyText.words($0, containerOption: "") }
        SinkPlaces().set(&options)
        options.machine = try ContainerLocation.machine(isPlan: isPlan)
        options.agentCommand = AgentStart.command(for: options.container)
        return options
    }

    /// The option for the commands that a message suggests: ` --container DIR`, quoted for a shell; empty if the user
    /// did not give it.
    var again: StyledLine {
        // As a literal, because interpolation would cut a long path short, and a cut path names another folder. The
        // shell's quoting already escapes everything that a terminal would act upon.
        directory.map { StyledLine(stringLiteral: " --container " + ShellQuote.quote($0.path)) } ?? ""
    }
}
