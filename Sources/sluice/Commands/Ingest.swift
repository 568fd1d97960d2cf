import ArgumentParser
import Ingestion
import SystemPackage

/// `sluice ingest`: store packages, deliver them, print a summary.
struct Ingest: ContainerCommand {
    static let configuration = CommandConfiguration(
        commandName: "ingest",
        abstract: "Take packages in and deliver them to their sinks.",
        discussion: """
            A PATH is a file, a NAME.share folder, a web address, or any other folder; each file in it is one package. \
            With '-', the command reads standard input: descriptions in JSON, the body of a form \
            (multipart/form-data), one web address, or with --name any bytes. It does so without a PATH too, unless \
            standard input is a terminal.
            """)

    @OptionGroup var inputs: InputOptions
    @OptionGroup var container: ContainerOption
    @OptionGroup var reading: ReadingOptions
    @OptionGroup var reserve: ReserveOption
    @OptionGroup var sandbox: SandboxOptions

    @Option(
        help: ArgumentHelp(
            "Give this tag to each package, also to one that the container has already. Repeatable.", valueName: "word"),
        transform: TagArgument.parse)
    var tag: [PackageTag] = []

    @Flag(help: "Show the decisions and store nothing.")
    var dryRun = false

    @Flag(help: "Leave the deliveries pending, for 'sluice deliver'.")
    var noDeliver = false

    @Flag(help: "Print only packages and deliveries that failed, wholly or in part, or are open.")
    var quiet = false

    @Flag(help: "List every duplicate, not only the first \(IngestView.duplicateLimit).")
    var duplicates = false

    @Flag(help: "Print one JSON object a line: the receipts, then the summary.")
    var json = false

    func validate() throws {
        try TagArgument.check(tag)
        if duplicates, quiet { throw ValidationError("--duplicates and --quiet cannot be used together.") }
        if json && quiet { throw ValidationError("--json prints every receipt, so --quiet cannot be used with it.") }
    }

    func run() async throws {
        var options = try reading.options(container: container, isPlan: dryRun)
        options.transferSession = "ingest"
        inputs.set(&options)
        options.tags = tag
        options.delivers = !noDeliver
        reserve.set(&options)
        sandbox.set(&options, console: Console())
        if !dryRun { try await AgentClient(of: options.container).checkSandbox(options, again: container.again) }
        try await IngestRun(
            options: options, input: try inputs.input, form: json ? .json : quiet ? .troubleOnly : .lines,
            isPlan: dryRun, listsDuplicates: duplicates, containerOption: container.again
        ).execute()
    }
}
