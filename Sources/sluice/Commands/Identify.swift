import ArgumentParser
import Ingestion
import SystemPackage

/// `sluice identify`: types alone, storing nothing.
struct Identify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say what files are, and how that is known.",
        discussion: """
            A file's name is a claim: it can make the type finer, and a warning says where the bytes disagree.

            A folder of files:  find DIR -type f -print0 | sluice identify --files-from - -0

            With --json, each answer is {"path","type","confidence","basis","evidence","claims","warnings"}, and \
            "error" where there is none. With --claims -, lines {"path","name"?,"declared"?} are read from standard \
            input and answered in order, in JSON; there the path's own name is no claim, and "declared" is a MIME type \
            or a uniform type identifier. A path that is not UTF-8 comes and goes as "path_base64".

            Exit status: 0 every file was answered, with warnings or without; 1 some could not be read, the rest are \
            answered; 64 usage.
            """)

    @Argument(help: ArgumentHelp("Files.", valueName: "path"))
    var paths: [PathsArgument] = []

    @Option(help: ArgumentHelp("Read claims from standard input: '-'.", valueName: "-"))
    var claims: String?

    @Option(help: ArgumentHelp("Read the paths from a file; '-' for standard input.", valueName: "file"))
    var filesFrom: PathArgument?

    @Flag(name: [.customShort("0"), .long], help: "Paths of --files-from end in a zero byte, not a line feed.")
    var null = false

    @Flag(name: .shortAndLong, help: "Show the claims and every piece of evidence.")
    var verbose = false

    @Flag(help: "Print a JSON object a line.")
    var json = false

    func validate() throws {
        if let claims, claims != "-" { throw ValidationError("--claims reads standard input: --claims -") }
        let sources = [!paths.isEmpty, claims != nil, filesFrom != nil].count { $0 }
        if sources == 0 { throw ValidationError("Name a file to identify, or --files-from FILE, or --claims -") }
        if sources > 1 { throw ValidationError("Name the files in one way: PATH, --files-from or --claims.") }
        if null, filesFrom == nil { throw ValidationError("-0 belongs to --files-from FILE.") }
    }

    func run() async throws {
        let form: Answers.Form = json || claims != nil ? .json : verbose ? .tree : .line
        let answers = Answers(identifier: try FileSniffer(), console: Console(), form: form)
        var requests = try requests()
        var isComplete = true
        while let batch = try requests.nextBatch() {
            isComplete = try await answers.answer(batch) && isComplete
        }
        try answers.console.finish()
        try (isComplete ? ExitStatus.success : .incomplete).leave()
    }

    private func requests() throws -> RequestReader {
        if claims != nil { return RequestReader(claims: .standardInput) }
        guard let filesFrom else { return RequestReader(paths: paths.flatMap(\.paths)) }
        return try RequestReader(pathsFrom: Self.open(filesFrom.path), separator: null ? 0 : UInt8(ascii: "\n"))
    }

    /// - Returns: the list to read, which stays open until the program ends.
    private static func open(_ path: FilePath) throws -> FileDescriptor {
        if path == "-" { return .standardInput }
        do {
            return try FileDescriptor.open(path, .readOnly)
        } catch let error as Errno {
            throw IngestionError(.usage, "\(path) cannot be read: \(error); name the file that lists the paths")
        }
    }
}

extension Identify {
    /// Prints what files are, in the order in which they were asked for.
    struct Answers {
        /// How an answer is written.
        enum Form {
            case line, tree, json
        }

        let identifier: FileSniffer
        let console: Console
        let form: Form

        /// Answers all at once.
        ///
        /// - Returns: whether every one had an answer.
        func answer(_ batch: [RequestReader.Item]) async throws -> Bool {
            let requests = batch.compactMap { try? $0.get() }
            var found = await identifier.identify(requests).makeIterator()
            var isComplete = true
            for item in batch {
                let answer =
                    switch item {
                    case .success(let request): Answer(path: request.path, found.next())
                    case .failure(let error): Answer(path: nil, .failure(error))
                    }
                try print(answer)
                isComplete = isComplete && answer.error == nil
            }
            console.output.flush()
            if console.isOutputGone { try console.finish() }
            return isComplete
        }

        /// What has no answer is said on standard error, where no program takes it for a type; in JSON beside the rest.
        private func print(_ answer: Answer) throws {
            if answer.error != nil, form != .json {
                console.output.flush()
                return console.say(answer.failure)
            }
            switch form {
            case .line: for line in answer.lines { console.print(line, flushing: false) }
            case .tree: for line in answer.tree { console.print(line, flushing: false) }
            case .json: try console.print(json: answer, flushing: false)
            }
        }
    }
}
