import ArgumentParser
import GroupContainer
import Ingestion
import ShareModel

/// `sluice path`: prints where the files of packages are.
struct Path: ContainerCommand {
    static let configuration = CommandConfiguration(
        commandName: "path",
        abstract: "Print the paths of a package's files.",
        discussion: """
            Without a file, each file of the package has a line: its parts, the products of its sinks, and what is kept \
            of an input that failed. On a terminal, each line ends with the file's reference and name. The files can only \
            be read, and have no extension; a program that writes must work on a copy.
            """)

    @Argument(help: FileReference.help, transform: FileReference.init(parsing:))
    var references: [FileReference]

    @OptionGroup var container: ContainerOption

    @Flag(help: "Print a JSON object a line.")
    var json = false

    func run() async throws {
        let console = Console()
        let root = try container.location()
        let reader = try CatalogReader(reading: root)
        for reference in try references.map({ try $0.numbered(in: root) }) {
            let files = try reader.files(of: reference.id)
            let shown = reference.word == nil ? files.all : [try reference.file(in: reader)]
            if shown.isEmpty { _ = try reference.file(in: reader) }
            for file in shown { try print(file, of: files, console) }
        }
        try console.finish()
    }

    private func print(_ file: PackageFile, of files: PackageFiles, _ console: Console) throws {
        let reference = "\(ShortID.of(files.receipt.packageID))/\(file.reference(among: files.all))"
        if json { return try console.print(json: ["file": Line(file, reference)], flushing: false) }
        // As a literal, because interpolation would cut a long path short.
        var line = StyledLine(stringLiteral: file.path.string)
        if console.outputTerminal.columns != nil { line += "  \(name: reference, .dim)  \(name: file.name, .dim)" }
        console.print(line, flushing: false)
    }

    /// A file as JSON.
    private struct Line: Encodable {
        /// The file's reference, which all commands accept.
        let id: String
        let name: String
        let path: String
        let type: String?
        let size: Int64
        let sink: String?
        let role: String?

        init(_ file: PackageFile, _ reference: String) {
            id = reference
            name = file.name
            path = file.path.string
            type = file.type?.description
            size = file.size
            (sink, role) =
                switch file.role {
                case .part: (nil, "part")
                case .product(let sink, _, let role): (sink, role)
                case .kept: (nil, "kept")
                }
        }
    }
}
