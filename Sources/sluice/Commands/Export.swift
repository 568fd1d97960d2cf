import ArgumentParser
import ContainerTools
import ShareModel

/// `sluice export`: writes packages as a BagIt bag.
struct Export: ContainerCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write packages into a new folder as a BagIt bag (RFC 8493).",
        discussion: """
            'sluice ingest DIR' takes the bag in again, with the same ids, times and results of sinks. Other processes may \
            use the container meanwhile.

            Exit status: 0 all named packages are in the bag; 1 a package was left out, because its content is lost \
            or damaged, or its record cannot be read.
            """)

    @Argument(help: ArgumentHelp("A new or empty folder.", valueName: "dir"))
    var directory: PathArgument

    @Argument(
        help: ArgumentHelp(
            "Packages, each by its id, enough of its beginning, or its number in the last list. Without any, all packages.",
            valueName: "id"),
        transform: PackageID.parse)
    var ids: [String] = []

    @OptionGroup var container: ContainerOption

    @Flag(help: "Print a JSON object a line: findings, and at the end the result.")
    var json = false

    func run() async throws {
        let view = MaintenanceView(json: json, containerOption: container.again)
        let (root, folder) = (try container.location(), directory.path)
        let ids = try ResultNumbers.ids(of: ids, in: root)
        let sum = try await view.watch { report in
            try await ContainerMaintenance.export(root, to: folder, ids, report: report)
        }
        if json { try view.console.print(json: ["exported": sum]) }
        var lines: [StyledLine] = [
            "\(Units.count(sum.packages, "package")) in \(Units.count(sum.files, "file")), \(Units.bytes(sum.bytes))"
        ]
        if sum.receiptsAlone > 0 { lines.append("\(Units.count(sum.receiptsAlone, "receipt")) of failed packages") }
        if sum.leftOut > 0 { lines.append("\("\(Units.count(sum.leftOut, "package")) left out", .bad)") }
        try view.finish(lines, isComplete: sum.leftOut == 0)
    }
}
