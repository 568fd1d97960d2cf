import ArgumentParser
import Files
import GroupContainer
import Sniffing

/// `sluice library`: keeps the current content under readable names.
struct LibraryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "library",
        abstract: "Bring the folder 'library' of the container up to date.",
        discussion: """
            The folder has the current content under names such as 'documents/2026/Invoice 42.pdf'. The year is the \
            one in which the content came in (UTC). The command makes missing files again, and removes those of \
            replaced packages. Your own files stay. --rebuild too removes only files that this command made.

            The files share their blocks with the container, or are links into it. Change only copies of them: if root \
            writes through a link, the container's only copy changes. Exit status: 0 all is there; 1 content is missing.
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
            for package in report.missing {
                let id = ShortID.of(package.id)
                console.print("\("missing", .bad)  content of \(id) \(package.name); run `sluice verify --repair`")
            }
            for package in report.lost {
                let id = ShortID.of(package.id)
                console.print("\("lost", .bad)  content of \(id) \(package.name); take the same content in again")
            }
            for path in report.kept { console.print("kept  \(path)  \("changed by hand; no longer updated", .dim)") }
            console.print("\(report.added) added, \(report.removed) removed\(report.rebuilt ? ", built anew" : "")")
            console.print("library: \(root.appending("library").string)")
        }
        try console.finish()
        try (report.missing.isEmpty && report.lost.isEmpty ? ExitStatus.success : .incomplete).leave()
    }
}
