import ArgumentParser
import Ingestion

/// `sluice library`: the current content under readable names.
struct UpdateLibrary: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "library",
        abstract: "Bring the folder 'library' of the container up to date.",
        discussion: """
            It holds the current content under names such as 'documents/2026/Invoice 42.pdf'. The files share their \
            blocks with the container, or are links into it; change copies of them. What you put there stays.
            """)

    @Flag(help: "Build it anew.")
    var rebuild = false

    @OptionGroup var container: ContainerOption

    @Flag(help: "Print the result as JSON.")
    var json = false

    func run() async throws {
        let console = Console()
        let library = try Library(container: try container.location())
        let report = try library.update(rebuilding: rebuild)
        if json {
            try console.print(json: ["library": report])
        } else {
            for path in report.kept { console.print("kept  \(path)  \("not made by this program", .dim)") }
            console.print("\(report.added) added, \(report.removed) removed\(report.rebuilt ? ", built anew" : "")")
            console.print("library: \(library.folder.string)")
        }
        try console.finish()
    }
}
