import ArgumentParser
import ContainerTools
import Ingestion
import ShareModel

/// `sluice forget`: removes packages and their content.
struct Forget: ContainerCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Remove packages, and the content that only they have.",
        discussion: """
            This cannot be undone. The sources stay, and so do the files that sinks wrote elsewhere. Later runs over a \
            folder skip what was forgotten; a source that you name is taken in again.
            """)

    @Argument(
        help: ArgumentHelp(
            "Packages, each by its id, enough of its beginning, or its number in the last list.", valueName: "id"),
        transform: PackageID.parse)
    var ids: [String]

    @OptionGroup var container: ContainerOption

    @Flag(help: "Show what would be removed, and remove nothing.")
    var dryRun = false

    @Flag(help: "Print the result as JSON.")
    var json = false

    /// The fewest digits of an id. A word of one or two is more likely to be a number of another list.
    private static let shortestID = 4

    func run() async throws {
        let console = Console()
        let location = try container.location()
        // A list on another terminal is not the one that the person sees, and a package cannot be brought back.
        let ids = try ResultNumbers.ids(of: ids, in: location, seenIn: ResultNumbers.session)
        if !dryRun, let short = ids.first(where: { $0.count < Self.shortestID }) {
            throw IngestionError(
                .usage,
                "'\(short)' may be a mistake, and a package cannot be brought back; write at least "
                    + "\(Self.shortestID) digits of its id")
        }
        var sum = try await ContainerMaintenance.forget(location, ids, isPlan: dryRun)
        // A library names no commands, so the warnings get theirs here.
        sum.warnings = sum.warnings.map {
            RemedyText.sentence($0, endingIn: .collectLeftovers, containerOption: container.again)
        }
        if !dryRun { try await Pipeline(options: container.options()).cancelOrphanedTransfers() }
        if json { try console.print(json: [dryRun ? "would_forget" : "forgotten": sum]) }
        let verb = dryRun ? "would forget" : "forgot"
        var lines = sum.packages.flatMap { package -> [StyledLine] in
            let start: StyledLine = "\(verb)  \(ShortID.of(package.id), .dim)  "
            return Self.named(package, after: start, columns: console.outputTerminal.columns)
        }
        let objects = Units.count(sum.objects, "object")
        lines.append("\(objects) \(dryRun ? "would be removed" : "removed"), \(Units.bytes(sum.bytes)) freed")
        if sum.handedOver > 0 {
            let moved = dryRun ? "would move" : "moved"
            lines.append("\(Units.count(sum.handedOver, "delivery")) \(moved) to packages with the same content")
        }
        lines += current(sum)
        if json { lines.forEach(console.say) } else { console.print(lines) }
        for warning in sum.warnings { console.say("\("warning:", .warning) \(warning)") }
        try console.finish()
    }

    /// A line that ends in the package's name and its later names. On a terminal, the later names are below it if there is
    /// no room beside it.
    static func named(_ package: PackageName, after start: StyledLine, columns: Int?) -> [StyledLine] {
        let name = SafeText.escape(name: package.name)
        let (room, later) = (columns.map { max(8, $0 - start.width) }, later(package))
        let line = start + ("\(room.map { DisplayWidth.fitMiddle(name, columns: $0) } ?? name)" as StyledLine)
        guard let columns, (line + later).width > columns, later.width > 0 else { return [line + later] }
        return [line, later.fitted(to: columns)]
    }

    private static func later(_ package: PackageName) -> StyledLine {
        guard let names = package.alsoNamed, !names.isEmpty else { return "" }
        let list = names.map { SafeText.escape(name: $0) }.joined(separator: ", ")
        return "  \("also named", .dim) \(list, .dim)"
    }

    /// The most ids that a suggested command names. A longer one is no help.
    private static let suggestedIDs = 20

    /// Says which versions come back, because they may hold what the forgotten ones were forgotten for.
    private func current(_ sum: Forgotten) -> [StyledLine] {
        guard !sum.current.isEmpty else { return [] }
        let end: StyledLine = "\("\(dryRun ? "would be" : "is") current again", .warning)"
        let lines = sum.current.map { package -> StyledLine in
            "\(ShortID.of(package.id), .dim)  \(name: package.name), the version before, \(end)"
        }
        // After a dry run, the packages that it names are still there.
        let ids = ((dryRun ? sum.packages : []) + sum.current).map { ShortID.of($0.id) }
        guard ids.count <= Self.suggestedIDs else { return lines }
        let them = sum.current.count == 1 ? "it" : "them"
        let command: StyledLine = "sluice forget \(ids.joined(separator: " "))\(container.again)"
        return lines + ["to forget \(them) too: \(command: command)"]
    }
}
