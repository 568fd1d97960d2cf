import ArgumentParser
import Ingestion

/// `sluice inspect`: the decisions that `ingest` would make, with their reasons. It stores nothing.
struct Inspect: ContainerCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Show the decisions that ingest would make, and their reasons, and store nothing.")

    @OptionGroup var inputs: InputOptions
    @OptionGroup var container: ContainerOption
    @OptionGroup var reading: ReadingOptions

    @Flag(help: "Print one JSON object a line: the receipts, then the summary.")
    var json = false

    func run() async throws {
        var options = try reading.options(container: container, isPlan: true)
        inputs.set(&options)
        try await IngestRun(
            options: options, input: try inputs.input,
            form: json ? .json : .trees, isPlan: true, containerOption: container.again
        ).execute()
    }
}
