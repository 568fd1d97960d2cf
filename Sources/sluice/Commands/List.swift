import ArgumentParser
import Ingestion
import ShareModel

/// `sluice list`: the packages that a container holds, oldest first.
struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the packages of the container, oldest first.")

    @OptionGroup var container: ContainerOption

    @Flag(help: "Only what failed, wholly or in part.")
    var failed = false

    @Option(
        help: ArgumentHelp(
            "Only packages of this outcome. Repeatable.", discussion: "One of: \(outcomes).", valueName: "outcome"),
        transform: outcome)
    var outcome: [PackageOutcome] = []

    @Flag(help: "Print a JSON object a line.")
    var json = false

    private static var outcomes: String { PackageOutcome.allCases.map(\.rawValue).joined(separator: ", ") }

    private static func outcome(_ word: String) throws -> PackageOutcome {
        guard let outcome = PackageOutcome(rawValue: word) else { throw ValidationError("one of: \(outcomes)") }
        return outcome
    }

    func run() async throws {
        let console = Console()
        let reader = try ContainerReader(container: try container.location())
        var outcomes = Set(outcome)
        if failed { outcomes.formUnion([.failed, .partial]) }
        var count = 0
        try reader.forEachPackage(outcomes: outcomes) { entry in
            count += 1
            if json {
                try console.print(json: ["package": entry], flushing: false)
            } else {
                console.print(EntryLine(entry: entry).line, flushing: false)
            }
            if console.isOutputGone { try console.finish() }
        }
        try console.finish()
        if count == 0, !json { console.say(nothing) }
    }

    private var nothing: Line {
        if outcome.isEmpty { return failed ? "nothing failed" : "the container holds no package" }
        return "no such package"
    }
}
