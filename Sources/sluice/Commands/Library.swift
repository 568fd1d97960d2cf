import ArgumentParser
import ContainerTools
import Files
import ShareModel
import Sniffing
import SystemPackage

/// `sluice library`: keeps the current content under readable names.
struct LibraryCommand: ContainerCommand {
    static let configuration = CommandConfiguration(
        commandName: "library",
        abstract: "Bring the folder 'library' of the container up to date.",
        discussion: """
            The folder has the current content under names such as 'documents/2026/Invoice 42.pdf'. The year is that \
            of the date by which a search finds the content: when a photo was taken, a mail was sent, or a file was \
            changed last. A name such as IMG_1234 or scan0001 gives way to the title, or follows the date. A link is a \
            page that opens it. Files that belong together, such as a photo and its sidecar, lie together under one \
            name. With --layout source, the folders are those that the files came from.

            The command makes missing files again, and removes those of replaced packages. Your own files stay. \
            --rebuild too removes only files that this command made. A file keeps its name until a rebuild, whatever \
            sinks find later.

            The files share their blocks with the container, or are links into it. Change only copies of them: if root \
            writes through a link, the container's only copy changes. Exit status: 0 all is there; 1 content is missing, \
            or its record cannot be read.
            """)

    @Flag(help: "Remove the files that this command made, and make them again.")
    var rebuild = false

    @Option(
        help: ArgumentHelp(
            "The folders: 'class' and year, or those of the 'source'. Later runs keep them. Others are a rebuild.",
            valueName: "layout"),
        transform: LibraryCommand.layout(named:))
    var layout: LibraryLayout?

    @OptionGroup var container: ContainerOption

    @Flag(help: "Print the result as JSON.")
    var json = false

    func run() async throws {
        let console = Console()
        let root = try container.location().absolute
        let report = try update(root, console)
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
            console.print(Self.summary(report))
            if report.open > 0 { console.print(hint(report.open)) }
            console.print("library: \(root.appending("library").string)")
        }
        try console.finish()
        let leftOut = report.missing + report.unreadable + report.lost
        try (leftOut.isEmpty ? ExitStatus.success : .incomplete).leave()
    }

    private static func layout(named word: String) throws -> LibraryLayout {
        guard let layout = LibraryLayout(rawValue: word) else {
            let words = LibraryLayout.allCases.map { "'\($0.rawValue)'" }.joined(separator: " or ")
            throw ValidationError("'\(word)' is no layout; name \(words)")
        }
        return layout
    }

    private func update(_ root: FilePath, _ console: Console) throws -> LibraryReport {
        var line = PercentLine("making the library", console: console)
        defer { line.clear() }
        // The MIME database belongs to Sniffing, which the container does not know. So the program passes it in.
        return try Librarian.update(root, rebuilding: rebuild, layout: layout, fits: SharedMIMEDatabase.system.fits) {
            line.show($0.done, of: $0.total)
        }
    }

    private static func summary(_ report: LibraryReport) -> StyledLine {
        if report.rebuilt {
            return "\(Units.count(report.added, "file")); built anew in the layout '\(report.layout.rawValue)'"
        }
        return "\(Units.count(report.added, "file")) added, \(Units.grouped(report.removed)) removed"
    }

    /// - Parameter open: the number of packages with open deliveries.
    private func hint(_ open: Int) -> StyledLine {
        """
        \(Units.count(open, "package")) got names before sinks had read the content; for better ones, run \
        \(command: "sluice deliver\(container.again)"), then \(command: "sluice library --rebuild\(container.again)")
        """
    }

    /// A package that is left out, and the remedy.
    private static func line(
        _ word: String, _ part: String, _ package: PackageName, _ remedy: StyledLine
    ) -> StyledLine {
        "\(word, .bad)  \(part) of \(ShortID.of(package.id)) \(name: package.name); \(remedy)"
    }
}
