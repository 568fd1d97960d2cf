import ArgumentParser
import ContainerTools
import ShareModel

/// `sluice backup`: copies the container while it is in use.
struct Backup: ContainerCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the container into a new folder, also while it is in use.",
        discussion: """
            The copy is a container: '--container DIR' reads it. To restore it, copy it to the place of the container that \
            was lost. The folder 'library' and the words for searches are not copied; 'sluice library' and the next \
            search make them again.

            Exit status: 0 the backup has everything; 1 it lacks an object, which is lost or damaged in the container.
            """)

    @Argument(help: ArgumentHelp("A new or empty folder.", valueName: "dir"))
    var directory: PathArgument

    @OptionGroup var container: ContainerOption

    @Flag(help: "Print a JSON object a line: findings, and at the end the result.")
    var json = false

    func run() async throws {
        let view = MaintenanceView(json: json, containerOption: container.again)
        let (root, folder) = (try container.location(), directory.path)
        let sum = try await view.watch { report in
            try await ContainerMaintenance.backup(root, to: folder, report: report)
        }
        if json { try view.console.print(json: ["backed_up": sum]) }
        var lines: [StyledLine] = [
            "\(Units.count(sum.packages, "package")) in \(Units.count(sum.objects, "object")), \(Units.bytes(sum.bytes))"
        ]
        if sum.leftOut > 0 { lines.append("\("\(Units.count(sum.leftOut, "object")) left out", .bad)") }
        if json { lines.forEach(view.console.say) } else { view.console.print(lines) }
        try view.console.finish()
        try (sum.leftOut == 0 ? ExitStatus.success : .incomplete).leave()
    }
}
