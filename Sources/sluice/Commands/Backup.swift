import ArgumentParser
import ContainerTools
import Files
import ShareModel

/// `sluice backup`: copies the container while it is in use.
struct Backup: ContainerCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the container into a new folder, also while it is in use.",
        discussion: """
            The copy is a container: '--container DIR' reads it. To restore it, copy it to a place where nothing is, and \
            name that place as the container, or copy it to the place of the one that was lost. What was open for the \
            sinks is open in the copy too, so deliver in one of both. The folder 'library' and the words for searches \
            are not copied; 'sluice library' and the next search make them again.

              sluice backup /mnt/disk/monday
              sluice verify --container /mnt/disk/monday

            Exit status: 0 the backup has everything; 1 it lacks an object, which is lost or damaged in the container; 2 \
            no backup was made; 130 interrupted. After 2 and 130, nothing of the backup is left.
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
            "backed up to \(SafeText.escape(bytes: folder.absolute.bytes)): \(Units.count(sum.packages, "package")) in "
                + "\(Units.count(sum.objects, "object")), \(Units.bytes(sum.bytes))"
        ]
        if sum.leftOut > 0 { lines.append("\("\(Units.count(sum.leftOut, "object")) left out", .bad)") }
        try view.finish(lines, isComplete: sum.leftOut == 0)
    }
}
