import ArgumentParser
import Ingestion
import SystemPackage

/// The options of commands that read packages.
struct ReadingOptions: ParsableArguments {
    private static let jobLimit = 64

    @Option(help: ArgumentHelp("The number of packages to read at the same time, 1 to 64.", valueName: "n"))
    var jobs: Int?

    @Option(
        help: ArgumentHelp(
            "Let packages name files in this folder too, besides their own. Repeatable.", valueName: "dir"))
    var allowRoot: [PathArgument] = []

    @Flag(help: "Read files again even if they have not changed since they were stored.")
    var reread = false

    @Option(
        help: ArgumentHelp(
            """
            Skip files that changed within this time, as a program may still be writing them: 5, 5s, 2m. In a share, \
            and in a folder that is one document, the newest change counts.
            """,
            valueName: "duration"),
        transform: DurationArgument.parse)
    var settle = DurationArgument(seconds: 0)

    func validate() throws {
        guard (0...86_400).contains(settle.seconds) else {
            throw ValidationError("--settle \(settle.text): give a time from 0s to 1d.")
        }
        if let jobs, !(1...Self.jobLimit).contains(jobs) {
            throw ValidationError("--jobs \(jobs): give a number from 1 to \(Self.jobLimit).")
        }
    }

    func options(container: ContainerOption, isPlan: Bool) throws -> IngestOptions {
        var options = try container.options(isPlan: isPlan)
        options.allowedRoots = allowRoot.map(\.path)
        if let jobs { options.jobs = jobs }
        options.rereads = reread
        options.settleTime = .seconds(settle.seconds)
        return options
    }
}
