import ArgumentParser
import Ingestion
import SinkConformance

/// `sluice sinks test`: test a sink against the protocol.
struct SinksTest: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Test whether a sink keeps the sink protocol.",
        discussion: """
            Runs the conformance suite on the sink's program, and then the sink's samples if it has any. The program \
            runs as in a delivery: in the sandbox, within its limits, and with the network only if its sink.json \
            requires it. Without a sandbox the program may do everything that you may.

            Exit status: 0 no check failed; 1 a check failed.
            """)

    @Argument(help: ArgumentHelp("The sink's folder, or its sink.json.", valueName: "path"))
    var path: PathArgument

    @Option(
        help: ArgumentHelp("The folder of the sink's samples. Default: samples, beside sink.json.", valueName: "dir"))
    var samples: PathArgument?

    @Option(help: ArgumentHelp("Run only the checks whose names begin with this. Repeatable.", valueName: "name"))
    var only: [String] = []

    @Flag(help: "Write each sample's expected.json from the sink's answers.")
    var record = false

    @OptionGroup var sandbox: SandboxOptions

    @Flag(help: "Print one JSON object a line: the checks, then the summary.")
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
                RemedyText.sentence($0, endingIn: .recordAnswer, .compareAnswer, containerOption: "")
            }
            if json {
                // A result consists of strings, so its JSON cannot fail.
                try? console.print(json: ["check": result])
            } else {
                console.print(CheckText.lines(result))
            }
        }
        if json {
            try console.print(json: ["summary": summary])
        } else {
            console.print(CheckText.line(summary, only: only))
        }
        try console.finish()
        if summary.failed > 0 { try ExitStatus.incomplete.leave() }
    }
}
