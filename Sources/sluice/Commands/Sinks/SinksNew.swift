import ArgumentParser
import Ingestion
import SinkConformance
import SystemPackage

/// `sluice sinks new`: a sink that works, to begin one's own from.
struct SinksNew: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Make a sink that works, to begin your own from.",
        discussion: """
            Makes a folder with sink.json, a program, a README and a sample that tests it. Nothing is overwritten.

            A sink in Swift needs SinkKit: from the source tree that this program was built in, else from the one that \
            --sinkkit names, a folder or the URL of a repository.
            """)

    @Argument(help: ArgumentHelp("The sink's id: lower-case letters, digits and hyphens.", valueName: "name"))
    var name: String

    @Option(
        help: ArgumentHelp(
            "What to write it in: \(SinkTemplate.Language.allCases.map(\.rawValue).joined(separator: ", ")).",
            valueName: "language"),
        transform: language)
    var language: SinkTemplate.Language

    @Option(help: ArgumentHelp("The folder to make it in; without it, the one you are in.", valueName: "dir"))
    var into: PathArgument?

    @Option(help: ArgumentHelp("Where a sink in Swift takes SinkKit from.", valueName: "folder|url"))
    var sinkkit: String?

    private static func language(_ word: String) throws -> SinkTemplate.Language {
        guard let language = SinkTemplate.Language(rawValue: word) else {
            let known = SinkTemplate.Language.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("one of: \(known)")
        }
        return language
    }

    func run() async throws {
        let console = Console()
        let template = try SinkTemplate(
            name: name, language: language, sinkKit: try sinkkit.map(SinkKitPlace.init) ?? .aboveProgram)
        let folder = try template.write(into: into?.path ?? "")
        let quoted = StyledLine(
            stringLiteral: ShellQuote.quote(folder.isAbsolute ? folder : FilePath(".").appending(folder.components)))
        let build: [StyledLine] =
            language == .swift
            ? ["    cd \(quoted) && swift build -c release && ln -sf .build/release/\(name) \(name)"] : []
        console.print(
            ["made \(quoted); its README says what is what. Try it:"] + build + [
                "    sluice sinks run \(quoted) \(quoted)/samples/hello/content.txt", "    sluice sinks test \(quoted)",
            ])
        try console.finish()
    }
}
