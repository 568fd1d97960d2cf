import ArgumentParser
import Ingestion

/// `sluice inspect`: the same decisions as `ingest`, and their reasons, storing nothing.
struct Inspect: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show what ingest would decide, and why, storing nothing.")

    @Argument(help: ArgumentHelp("Files, folders, or '-' for standard input.", valueName: "path"))
    var paths: [PathsArgument] = []

    @OptionGroup var container: ContainerOption
    @OptionGroup var reading: ReadingOptions

    @Flag(help: "Print a JSON object a line: receipts, at last the summary.")
    var json = false

    func validate() throws { _ = try reading.input(paths) }

    func run() async throws {
        try await IngestRun(
            options: try reading.options(container: container), input: try reading.input(paths),
            style: json ? .json : .trees, isPlan: true, containerOption: container.again
        ).execute()
    }
}
