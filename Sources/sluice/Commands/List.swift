import ArgumentParser
import GroupContainer
import ShareModel

/// `sluice list`: lists the packages of a container, oldest first.
struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the packages of the container, oldest first.")

    @OptionGroup var container: ContainerOption

    @Flag(
        help: "List only packages that failed, wholly or in part, and were not replaced, and those with lost content.")
    var failed = false

    @Flag(help: "List only packages with a delivery that failed or was quarantined.")
    var quarantined = false

    @Option(
        help: ArgumentHelp(
            "List only packages with this outcome. Repeatable.", discussion: "One of: \(outcomes).",
            valueName: "outcome"),
        transform: outcome)
    var outcome: [PackageOutcome] = []

    @Flag(help: "Print a JSON object a line.")
    var json = false

    private static var outcomes: String { PackageEntry.outcomes.map(\.rawValue).joined(separator: ", ") }

    private static func outcome(_ word: String) throws -> PackageOutcome {
        guard let outcome = PackageEntry.outcomes.first(where: { $0.rawValue == word }) else {
            throw ValidationError("one of: \(outcomes)")
        }
        return outcome
    }

    func validate() throws {
        guard [quarantined, failed, !outcome.isEmpty].filter(\.self).count < 2 else {
            throw ValidationError("--failed, --quarantined and --outcome exclude one another; use one of them.")
        }
    }

    func run() async throws {
        let console = Console()
        let reader = try CatalogReader(reading: try container.location())
        var printer = EntryPrinter(console: console, json: json)
        try reader.forEachPackage(selection) { try printer.print($0) }
        try console.finish()
        guard !json else { return }
        if printer.count == 0 { console.say(nothing) }
        if failed { try hint(reader, console) }
    }

    private var selection: PackageSelection {
        if quarantined { return .troubledDeliveries }
        if failed { return .troubled }
        return outcome.isEmpty ? .all : .outcomes(Set(outcome))
    }

    /// Says how to list failed deliveries, because their packages came in well and `--failed` does not list them.
    private func hint(_ reader: CatalogReader, _ console: Console) throws {
        var count = 0
        try reader.forEachPackage(.troubledDeliveries) { _ in count += 1 }
        guard count > 0 else { return }
        let which: StyledLine = "\(Units.count(count, "package")) \(count == 1 ? "has" : "have") a delivery that failed"
        console.say("\(which): sluice list --quarantined\(container.again)")
    }

    private var nothing: StyledLine {
        if quarantined { return "no delivery failed or was quarantined" }
        if outcome.isEmpty { return failed ? "nothing failed" : "the container holds no package" }
        return "no such package"
    }
}
