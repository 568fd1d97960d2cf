import ArgumentParser
import Ingestion
import ShareModel

/// `sluice list`: the packages that a container holds, oldest first.
struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the packages of the container, oldest first.")

    @OptionGroup var container: ContainerOption

    @Flag(help: "Only what failed, wholly or in part.")
    var failed = false

    @Flag(help: "Only what has a delivery that failed or was quarantined.")
    var quarantined = false

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

    func validate() throws {
        if quarantined, failed || !outcome.isEmpty {
            throw ValidationError("--quarantined goes by deliveries, --failed and --outcome by packages; use one.")
        }
    }

    func run() async throws {
        let console = Console()
        let reader = try ContainerReader(container: try container.location())
        var outcomes = Set(outcome)
        if failed { outcomes.formUnion([.failed, .partial]) }
        var printer = EntryPrinter(console: console, json: json)
        if quarantined {
            try reader.forEachTroubledDelivery { try printer.print($0) }
        } else {
            try reader.forEachPackage(outcomes: outcomes) { try printer.print($0) }
        }
        try console.finish()
        if printer.count == 0, !json { console.say(nothing) }
    }

    private var nothing: Line {
        if quarantined { return "no delivery failed or was quarantined" }
        if outcome.isEmpty { return failed ? "nothing failed" : "the container holds no package" }
        return "no such package"
    }
}
