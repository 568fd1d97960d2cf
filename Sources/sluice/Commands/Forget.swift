import ArgumentParser
import GroupContainer
import ShareModel

/// `sluice forget`: remove a package and its content.
struct Forget: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Remove packages, and their content that no other package names.",
        discussion: "This cannot be undone. The sources are not touched, nor is what sinks wrote elsewhere.")

    @Argument(
        help: ArgumentHelp("Packages, each by its id or enough of its beginning.", valueName: "id"),
        transform: PackageID.parse)
    var ids: [String]

    @OptionGroup var container: ContainerOption

    @Flag(help: "Print what was forgotten as JSON.")
    var json = false

    func run() async throws {
        let console = Console()
        var sum = try await ContainerMaintenance.forget(try container.location(), ids)
        sum.warnings = sum.warnings.map { RemedyText.sentence($0, endingIn: .collectLeftovers) }
        if json { try console.print(json: ["forgotten": sum]) }
        var lines = sum.packages.map { "forgot  \(ShortID.of($0.id), .dim)  \(name: $0.name)" as StyledLine }
        lines.append("\(Units.count(sum.objects, "object")) removed, \(Units.bytes(sum.bytes)) freed")
        if sum.handedOver > 0 {
            lines.append("\(Units.count(sum.handedOver, "delivery")) handed over to packages with the same content")
        }
        if json { lines.forEach(console.say) } else { console.print(lines) }
        for warning in sum.warnings { console.say("\("warning:", .warning) \(warning)") }
        try console.finish()
    }
}
