import ArgumentParser
import Files
import GroupContainer
import ShareModel
import Sniffing

/// `sluice library`: keeps the current content under readable names.
struct LibraryCommand: ContainerCommand {
    static let configuration = CommandConfiguration(
        commandName: "library",
        abstract: "Bring the folder 'library' of the container up to date.",
        discussion: """
            The folder has the current content under names such as 'documents/2026/Invoice 42.pdf'. The year is the \
            one in which the content came in (UTC). Files that belong together, such as a photo and its sidecar, lie \
            together under one name. The command makes missing files again, and removes those of \
            replaced packages. Your own files stay. --rebuild too removes only files that this command made.

            The files share their blocks with the container, or are links into it. Change only copies of them: if root \
            writes through a link, the container's only copy changes. Exit status: 0 all is there; 1 content is missing, \
            or its record cannot be read.
            """)

    @Flag(help: "Remove the files that this command made, and make them again.")
    var rebuild = false

    @OptionGroup var container: ContainerOption

    @Flag(help: "Print the result as JSON.")
    var json = false

    func run() async throws {
        let console = Console()
        let root = try container.location().absolute
        // The MIME database belongs to Sniffing, which the container does not know. So the program passes it in.
        let report = try Librarian.update(root, rebuilding: rebuild, fits: SharedMIMEDatabase.system.fits)
        if json {
            try console.print(json: ["library": report])
        } else {
            let repair: StyledLine = "run \(command: "sluice verify --repair\(container.again)")"
            let verify: StyledLine = "run \(command: "sluice verify\(container.again)")"
            for package in report.missing { console.print(Self.line("missing", "content", package, repair)) }
            for package in report.unreadable { console.print(Self.line("unreadable", "record", package, verify)) }
            for package in report.lost {
                console.print(Self.line("lost", "content", package, "take the same content in again"))
            }
            for path in report.kept { console.print("kept  \(path)  \("changed by hand; no longer updated", .dim)") }
            console.print("\(report.added) added, \(report.removed) removed\(report.rebuilt ? ", built anew" : "")")
            console.print("library: \(root.appending("library").string)")
        }
        try console.finish()
        let leftOut = report.missing + report.unreadable + report.lost
        try (leftOut.isEmpty ? ExitStatus.success : .incomplete).leave()
    }

    /// A package that is left out, and the remedy.
    private static func line(
        _ word: String, _ part: String, _ package: PackageName, _ remedy: StyledLine
    ) -> StyledLine {
        "\(word, .bad)  \(part) of \(ShortID.of(package.id)) \(name: package.name); \(remedy)"
    }
}
