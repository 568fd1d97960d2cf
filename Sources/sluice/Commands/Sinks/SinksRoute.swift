import ArgumentParser
import Files
import FoundationEssentials
import Ingestion
import ShareModel
import SystemPackage

/// `sluice sinks route`: the sinks that would get a type or a file, and the reasons.
struct SinksRoute: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "route", abstract: "Show which sinks would get a type or a file, and why.",
        discussion: """
            One primary sink gets it. The most specific acceptance wins (the type itself, a type that it conforms to, \
            its family, anything), then the higher priority, then the lower order, then the sink found first. Each \
            accepting sink with the role 'also' gets it besides.

            An argument that begins with '/' or '.' is a file, and so is the name of an existing file. Any other word \
            with a slash is a type.

            Exit status: 0 each argument has a sink; 1 one has none or cannot be identified; 64 usage.
            """)

    @Argument(help: ArgumentHelp("Types, such as image/png, or files.", valueName: "type|file"))
    var inputs: [PathsArgument] = []

    @Flag(help: "Print one JSON object a line.")
    var json = false

    func validate() throws {
        if inputs.isEmpty { throw ValidationError("Name a type such as image/png, or a file.") }
    }

    func run() async throws {
        let console = Console()
        let survey = SinkSurvey(options: SinkPlaces().options)
        var isComplete = true
        for path in inputs.flatMap(\.paths) {
            do {
                let answer = Answer(route: survey.route(try await Self.type(of: path)), path: path)
                if json { try console.print(json: ["route": answer]) } else { console.print(answer.lines) }
                isComplete = isComplete && answer.route.candidates.contains(where: \.chosen)
            } catch let error as IngestionError where error.code != .usage {
                console.say("\(SafeText.escape(bytes: path.bytes), .strong): \(error.message)")
                isComplete = false
            }
        }
        try console.finish()
        try (isComplete ? ExitStatus.success : .incomplete).leave()
    }

    /// The type that an argument names, or the identified type of the file.
    private static func type(of path: FilePath) async throws -> MediaType {
        if !isFile(path), path.isRelative, !path.string.hasPrefix("."), let type = MediaType(path.string) {
            return type
        }
        let claims = TypeClaims(name: path.lastComponent?.string)
        let answers = try await FileSniffer().identify([.init(path: path, claims: claims)])
        guard let answer = answers.first else { throw IngestionError(.notFound, "it cannot be identified") }
        return try answer.get().type
    }

    /// Whether the name is that of a file. A folder has no type, so its name can only be meant as a type.
    private static func isFile(_ path: FilePath) -> Bool {
        // Without `.nonBlocking`, opening a FIFO waits for a writer.
        guard let file = try? FileDescriptor.open(path, .readOnly, options: [.nonBlocking, .closeOnExec]) else {
            return false
        }
        defer { try? file.close() }
        if case .folder? = try? Directory.EntryKind(of: file) { return false }
        return true
    }

    /// The route of one argument, as text and as JSON.
    struct Answer: Encodable {
        let route: SinkRoute
        let path: FilePath

        enum CodingKeys: String, CodingKey {
            case path
            case pathBase64 = "path_base64"
        }

        func encode(to encoder: any Encoder) throws {
            try route.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            guard !isType else { return }
            try container.encode(path.string, forKey: .path)
            if !path.isUTF8 { try container.encode(Data(path.bytes).base64EncodedString(), forKey: .pathBase64) }
        }

        private var isType: Bool { MediaType(path.string) == route.type }

        var lines: [StyledLine] {
            let name: StyledLine = isType ? "" : "\(SafeText.escape(bytes: path.bytes)): "
            let head: StyledLine = "\(name)\(route.type.description, .strong)"
            guard !route.candidates.isEmpty else {
                return Tree(head, [Tree("\("no sink accepts it", .warning); it is stored and not delivered")])
                    .lines
            }
            return Tree(head, route.candidates.map(Self.tree)).lines
        }

        private static func tree(_ candidate: SinkRoute.Candidate) -> Tree {
            let mark: StyledLine = candidate.chosen ? "\("gets it", .good)" : "\("does not", .dim)"
            let order: StyledLine = candidate.order == 0 ? "" : ", order \(candidate.order)"
            let words: StyledLine =
                "\(candidate.sink) (\(candidate.role)) \(mark): accepts \(candidate.accepts), \(candidate.fit), priority \(candidate.priority)\(order)"
            return Tree(words, candidate.obstacle.map { [Tree("\("cannot be started:", .warning) \($0)")] } ?? [])
        }
    }
}
