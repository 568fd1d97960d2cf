import ArgumentParser
import Files
import GroupContainer
import Sniffing

/// `sluice library`: the current content under readable names.
struct LibraryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "library",
        abstract: "Bring the folder 'library' of the container up to date.",
        discussion: """
            It holds the current content under names such as 'documents/2026/Invoice 42.pdf': the year is the one in \
            which it came in (UTC). What is missing is made again, and what was replaced goes. What you put there stays, \
            also with --rebuild: it takes away and makes again only what this command made.

            The files share their blocks with the container, or are links into it. Change copies of them: who writes into \
            a link as root writes into the container's only copy. Exit status: 0 all is there; 1 content is missing.
            """)

    @Flag(help: "Build it anew.")
    var rebuild = false

    @OptionGroup var container: ContainerOption

    @Flag(help: "Print the result as JSON.")
    var json = false

    func run() async throws {
        let console = Console()
        let root = try container.location().absolute
        let report = try Librarian.update(root, rebuilding: rebuild, fits: SharedMIMEDatabase.system.fits)
        if json {
            try console.print(json: ["library": report])
        } else {
            for package in report.missing {
                let id = ShortID.of(package.id)
                console.print("\("missing", .bad)  content of \(id) \(package.name); run `sluice verify --repair`")
            }
            for path in report.kept { console.print("kept  \(path)  \("changed by somebody; no longer ours", .dim)") }
            console.print("\(report.added) added, \(report.removed) removed\(report.rebuilt ? ", built anew" : "")")
            console.print("library: \(root.appending("library").string)")
        }
        try console.finish()
        try (report.missing.isEmpty ? ExitStatus.success : .incomplete).leave()
    }
}
