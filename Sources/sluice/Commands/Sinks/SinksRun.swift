import ArgumentParser
import Ingestion
import ShareModel
import Synchronization

/// `sluice sinks run`: deliver files to one sink and show its answers.
struct SinksRun: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Deliver files or shares to one sink, and show its answers.",
        discussion: """
            Works as `sluice ingest` does, with the same identification, time limits, sandbox and settings, but with \
            this sink alone and in a temporary container. --out keeps the products. The sink's log goes to standard \
            error.

            Exit status: 0 the sink took or declined every delivery, or already had it; 1 a delivery failed, or the \
            sink does not accept an input; 64 usage.
            """)

    @Argument(help: ArgumentHelp("The sink: its id, or its folder.", valueName: "name|folder"))
    var name: PathArgument

    @Argument(help: ArgumentHelp("Files, folders or shares.", valueName: "path"))
    var paths: [PathsArgument] = []

    @Option(help: ArgumentHelp("Copy the products into this folder; nothing there is overwritten.", valueName: "dir"))
    var out: PathArgument?

    @OptionGroup var sandbox: SandboxOptions

    @Flag(help: "Print one JSON object a line.")
    var json = false

    func validate() throws {
        if paths.isEmpty { throw ValidationError("Name a file for the sink.") }
    }

    func run() async throws {
        let console = Console()
        var options = SinkPlaces().options
        sandbox.set(&options, console: console)
        let trial = try SinkTrial(sink: name.path, options: options)
        for caution in trial.cautions { console.say("\("warning:", .warning) \(caution)") }
        let isGood = Mutex(true)
        let inputs = paths.flatMap(\.paths)
        let (out, json) = (out?.path, json)
        let end = await Interruption.watch { _ in
            console.say("ending the sink")
        } _: { _ in
            try await trial.run(inputs, out: out) { log in
                for line in log.split(separator: "\n") { console.say("\("log", .dim)  \(line)") }
            } report: { answer in
                if !answer.isGood { isGood.withLock { $0 = false } }
                if json {
                    try console.print(json: ["answer": answer])
                } else {
                    console.print(SinkAnswerTree(answer: answer).lines)
                }
            }
        }
        if !end.isWithoutResult { _ = try end.result.get() }
        try console.finish()
        if end.cause != nil { return try ExitStatus.interrupted.leave() }
        try (isGood.withLock { $0 } ? ExitStatus.success : .incomplete).leave()
    }
}
