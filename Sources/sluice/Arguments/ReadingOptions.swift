import ArgumentParser
import Ingestion
import SystemPackage

/// The options of commands that read packages.
struct ReadingOptions: ParsableArguments {
    private static let jobLimit = 64

    @Option(help: ArgumentHelp("How many packages are read at once, 1 to 64.", valueName: "n"))
    var jobs: Int?

    @Option(
        help: ArgumentHelp(
            "A folder that a package may name files in, besides its own. Repeatable.", valueName: "dir"))
    var allowRoot: [PathArgument] = []

    @Flag(help: "Read also files that stand as they stood when they came in.")
    var reread = false

    @Option(
        help: ArgumentHelp(
            "Skip files that were written to in the last so many seconds, as still being written.", valueName: "s"))
    var settle = 0

    func validate() throws {
        guard (0...86_400).contains(settle) else {
            throw ValidationError("--settle \(settle): name a number of seconds from 0 to 86400.")
        }
        if let jobs, !(1...Self.jobLimit).contains(jobs) {
            throw ValidationError("--jobs \(jobs): name a number from 1 to \(Self.jobLimit).")
        }
    }

    func options(container: ContainerOption) throws -> IngestOptions {
        var options = try container.options()
        options.allowedRoots = allowRoot.map(\.path)
        if let jobs { options.jobs = jobs }
        options.rereads = reread
        options.settleTime = .seconds(settle)
        return options
    }

    /// The input that the arguments name; without any, standard input, unless a person sits there.
    func input(_ paths: [PathsArgument]) throws -> IngestInput {
        let paths = paths.flatMap(\.paths)
        guard paths.contains("-") else {
            if !paths.isEmpty { return .paths(paths) }
            if Terminal.inputIsTerminal {
                throw ValidationError("Name a PATH to take in, or '-' for a JSON description on standard input.")
            }
            return .standardInput
        }
        guard paths.count == 1 else {
            throw ValidationError("'-' is standard input and stands alone. A file of that name is ./-")
        }
        return .standardInput
    }
}
