import ArgumentParser
import Ingestion
import SinkConformance
import SystemPackage

/// `sluice sinks new`: make a working sink as a start for another one.
struct SinksNew: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Make a working sink, as a start for your own.",
        discussion: """
            Makes a folder with sink.json, a program, a README and a sample that tests it. Nothing is overwritten.

            A sink in Swift needs the source of SinkKit. By default that is the source tree in which this program was \
            built; --sinkkit names another folder or the URL of a repository.
            """)

    @Argument(help: ArgumentHelp("The sink's id: lower-case letters, digits and hyphens.", valueName: "name"))
    var name: String

    @Option(
        help: ArgumentHelp(
            "The language of the program: \(SinkTemplate.Language.allCases.map(\.rawValue).joined(separator: ", ")).",
            valueName: "language"),
        transform: language)
    var language: SinkTemplate.Language

    @Option(help: ArgumentHelp("The folder to make it in. Default: the current folder.", valueName: "dir"))
    var into: PathArgument?

    @Option(help: ArgumentHelp("The source of SinkKit, for a sink in Swift.", valueName: "folder|url"))
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
        // `sinks run` takes a bare name for a known sink's id first. With `./` it can only be a path.
        let quoted = StyledLine(
            stringLiteral: ShellQuote.quote(folder.isAbsolute ? folder : FilePath(".").appending(folder.components)))
        let build: [StyledLine] =
            language == .swift
            ? ["    cd \(quoted) && swift build -c release && ln -sf .build/release/\(name) \(name)"] : []
        console.print(
            ["made \(quoted); its README explains the files. Try it:"] + build + [
                "    sluice sinks run \(quoted) \(quoted)/samples/hello/content.txt", "    sluice sinks test \(quoted)",
            ])
        try console.finish()
    }
}
