import ArgumentParser
import Ingestion
import SinkConformance

/// `sluice sinks test`: whether a sink keeps the protocol.
struct SinksTest: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Test whether a sink keeps the sink protocol.",
        discussion: """
            Runs the sink's program through the conformance suite, and its samples where it has some: in the sandbox that \
            it has in every delivery, within its limits, and with the network where its sink.json says that it needs it. \
            Without a sandbox the program may do what you may. Exit status: 0 the sink keeps the protocol; 1 a check failed.
            """)

    @Argument(help: ArgumentHelp("The sink's folder, or its sink.json.", valueName: "path"))
    var path: PathArgument

    @Option(
        help: ArgumentHelp("The folder of the sink's samples (default: samples beside sink.json).", valueName: "dir"))
    var samples: PathArgument?

    @Option(help: ArgumentHelp("Only checks whose names begin so. Repeatable.", valueName: "name"))
    var only: [String] = []

    @Flag(help: "Write each sample's expected.json from what the sink answers.")
    var record = false

    @OptionGroup var sandbox: SandboxOptions

    @Flag(help: "Print a JSON object a line: each check, then the summary.")
    var json = false

    func run() async throws {
        let console = Console()
        var options = ConformanceOptions { try FileSniffer.mediaType(of: $0, named: $1) }
        options.samples = samples?.path
        options.records = record
        options.only = only
        sandbox.set(&options, console: console)
        let suite = try ConformanceSuite(sink: path.path, options: options)
        let summary = try await suite.run { [json] result in
            var result = result
            result.remedy = result.remedy.map {
                RemedyText.sentence($0, endingIn: .recordAnswer, .compareAnswer)
            }
            if json {
                try? console.print(json: ["check": result])
            } else {
                console.print(CheckText.lines(result))
            }
        }
        if json {
            try console.print(json: ["summary": summary])
        } else {
            console.print(CheckText.line(summary))
        }
        try console.finish()
        if summary.failed > 0 { try ExitStatus.incomplete.leave() }
    }
}
