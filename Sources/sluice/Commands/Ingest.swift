import ArgumentParser
import Ingestion
import SystemPackage

/// `sluice ingest`: take in, deliver, sum up.
struct Ingest: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Take packages in, hand them to their sinks, sum up.",
        discussion: """
            A PATH is a file, a NAME.share folder, or a folder that is walked, one package a file. With '-', or without \
            a PATH where standard input is not a terminal, one JSON description is read from standard input.
            """)

    @Argument(help: ArgumentHelp("Files, folders, or '-' for standard input.", valueName: "path"))
    var paths: [PathsArgument] = []

    @OptionGroup var container: ContainerOption
    @OptionGroup var reading: ReadingOptions
    @OptionGroup var reserve: ReserveOption
    @OptionGroup var sandbox: SandboxOptions

    @Flag(help: "Show the decisions, storing nothing.")
    var dryRun = false

    @Flag(help: "Leave the deliveries pending, for 'sluice deliver'.")
    var noDeliver = false

    @Flag(help: "Print only what is neither accepted nor a duplicate.")
    var quiet = false

    @Flag(help: "Print a JSON object a line: receipts, at last the summary.")
    var json = false

    func validate() throws {
        if json && quiet { throw ValidationError("--json prints every receipt; use it without --quiet.") }
        _ = try reading.input(paths)
    }

    func run() async throws {
        var options = try reading.options(container: container)
        options.delivers = !noDeliver
        reserve.set(&options)
        sandbox.set(&options, console: Console())
        try await IngestRun(
            options: options, input: try reading.input(paths), style: json ? .json : quiet ? .troubleOnly : .lines,
            isPlan: dryRun, containerOption: container.again
        ).execute()
    }
}
