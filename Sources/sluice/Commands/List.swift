import ArgumentParser
import ContainerTools
import GroupContainer
import Ingestion
import ShareModel

/// `sluice list`: lists the packages of a container, in the order in which they were stored.
struct List: ContainerCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the packages of the container, in the order in which they were stored.",
        discussion: """
            The time of a package is that of its first arrival. A package from a bag keeps the time from its first \
            container, so it may be older than those before it. Exit status: 0 all are listed; 1 a record cannot be read.
            """)

    @Argument(
        help: ArgumentHelp(
            "List only packages that have these words, or that these filters choose, such as type:pdf, in:Invoices or "
                + "after:2024; see `sluice help search`.",
            valueName: "word"))
    var words: [String] = []

    @OptionGroup var container: ContainerOption

    @Flag(
        help: "List only packages that failed, wholly or in part, and were not replaced, and those with lost content.")
    var failed = false

    @Flag(help: "List only packages with a delivery that failed or was quarantined.")
    var quarantined = false

    @Flag(help: "List only packages with a delivery that is open.")
    var pending = false

    @Flag(
        help: """
            List only packages with a warning that were not replaced, such as one about content that was cut off, \
            that a sink found damaged, or that is not what it claims to be.
            """)
    var warned = false

    @Option(
        help: ArgumentHelp(
            "List only packages with this outcome. Repeatable.", discussion: "One of: \(outcomes).",
            valueName: "outcome"),
        transform: outcome)
    var outcome: [PackageOutcome] = []

    @Option(
        help: ArgumentHelp("List only packages with this tag.", valueName: "word"), transform: TagArgument.parse)
    var tag: PackageTag?

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
        guard [quarantined, failed, pending, warned, !outcome.isEmpty, tag != nil].filter(\.self).count < 2 else {
            throw ValidationError(
                "--failed, --quarantined, --pending, --warned, --outcome and --tag exclude one another; use one of them."
            )
        }
        if !words.isEmpty, quarantined || failed || pending || warned || !outcome.isEmpty {
            throw ValidationError(
                "words cannot be used with --failed, --quarantined, --pending, --warned or --outcome.")
        }
    }

    func run() async throws {
        let console = Console()
        let location = try container.location()
        let reader = try CatalogReader(reading: location)
        let query = words.isEmpty ? nil : try SearchQuery.parsed(words)
        var printer = ResultPrinter(console: console, json: json, container: location)
        var unreadable = UnreadablePackages(console: console, containerOption: container.again)
        if let query {
            let index = try SearchIndex(of: reader)
            IndexView(console: console).update(index)
            try index.forEachPackage(query, unreadable: { unreadable.warn($0) }) { try printer.print($0) }
        } else {
            try reader.forEachPackage(selection, unreadable: { unreadable.warn($0) }) { try printer.print($0) }
        }
        try printer.finish()
        if !json { try hints(reader, console, isEmpty: printer.count + unreadable.count == 0) }
        try unreadable.status.leave()
    }

    private func hints(_ reader: CatalogReader, _ console: Console, isEmpty: Bool) throws {
        if isEmpty { console.say(nothing) }
        if failed { try hint(reader, console) }
        // The lines of these packages give no reason. Those of failed ones do.
        if !isEmpty, quarantined || pending || warned {
            console.say("the reasons: \(command: "sluice show ID\(container.again)")")
        }
    }

    private var selection: PackageSelection {
        if quarantined { return .troubledDeliveries }
        if failed { return .troubled }
        if pending { return .openDeliveries }
        if warned { return .warned }
        if let tag { return .tagged(tag) }
        return outcome.isEmpty ? .all : .outcomes(Set(outcome))
    }

    /// Says how to list failed deliveries, because their packages came in well and `--failed` does not list them.
    private func hint(_ reader: CatalogReader, _ console: Console) throws {
        var count = 0
        try reader.forEachPackage(.troubledDeliveries, unreadable: { _ in count += 1 }) { _ in count += 1 }
        guard count > 0 else { return }
        let which: StyledLine = "\(Units.count(count, "package")) \(count == 1 ? "has" : "have") a delivery that failed"
        console.say("\(which): \(command: "sluice list --quarantined\(container.again)")")
    }

    private var nothing: StyledLine {
        if !words.isEmpty { return "nothing is found" }
        if quarantined { return "no delivery failed or was quarantined" }
        if pending { return "no delivery is open" }
        if warned { return "no package has a warning" }
        if let tag { return "no package has the tag \(name: tag.word)" }
        if outcome.isEmpty { return failed ? "nothing failed" : "the container holds no package" }
        return "no package has this outcome"
    }
}
