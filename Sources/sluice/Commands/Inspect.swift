import ArgumentParser
import Ingestion

/// `sluice inspect`: the decisions that `ingest` would make, with their reasons. It stores nothing.
struct Inspect: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the decisions that ingest would make, and their reasons, and store nothing.")

    @Argument(help: ArgumentHelp("Files, folders, or '-' for standard input.", valueName: "path"))
    var paths: [PathsArgument] = []

    @OptionGroup var container: ContainerOption
    @OptionGroup var reading: ReadingOptions

    @Flag(help: "Print one JSON object a line: the receipts, then the summary.")
    var json = false

    func validate() throws { _ = try reading.input(paths) }

    func run() async throws {
        try await IngestRun(
            options: try reading.options(container: container), input: try reading.input(paths),
            form: json ? .json : .trees, isPlan: true, containerOption: container.again
        ).execute()
    }
}
