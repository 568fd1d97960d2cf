import ArgumentParser
import Ingestion
import SystemPackage

/// `sluice identify`: the types of files. It stores nothing and needs no container.
struct Identify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "identify",
        abstract: "Identify the types of files from their bytes, and show the evidence.",
        discussion: """
            A file's name is a claim. It can make the type more specific; if the bytes contradict it, a warning says so.

            A folder of files:  find DIR -type f -print0 | sluice identify --files-from - -0

            With --json, each answer is {"path","type","confidence","basis","evidence","claims","warnings"}; if a file \
            cannot be identified, "error" gives the reason. With --claims -, the command reads lines \
            {"path","name"?,"declared"?} from standard input and answers them in order, in JSON. The name in "path" is \
            then no claim; "declared" is a MIME type or a uniform type identifier. For a path that is not UTF-8, use \
            "path_base64"; the answer has it too.

            Exit status: 0 every file was identified, with or without warnings; 1 some files could not be read; 64 \
            usage.
            """)

    @Argument(help: ArgumentHelp("Files.", valueName: "path"))
    var paths: [PathsArgument] = []

    @Option(help: ArgumentHelp("Read claims from standard input: '-'.", valueName: "-"))
    var claims: String?

    @Option(help: ArgumentHelp("Read the paths from a file; '-' for standard input.", valueName: "file"))
    var filesFrom: PathArgument?

    @Flag(name: [.customShort("0"), .long], help: "In --files-from, a zero byte ends each path, not a line feed.")
    var null = false

    @Flag(name: .shortAndLong, help: "Show the claims and every piece of evidence.")
    var verbose = false

    @Flag(help: "Print one JSON object a line.")
    var json = false

    func validate() throws {
        if let claims, claims != "-" { throw ValidationError("--claims reads standard input: --claims -") }
        let sources = [!paths.isEmpty, claims != nil, filesFrom != nil].count { $0 }
        if sources == 0 { throw ValidationError("Name a file to identify, or --files-from FILE, or --claims -") }
        if sources > 1 { throw ValidationError("Name the files in one way: PATH, --files-from or --claims.") }
        if null, filesFrom == nil { throw ValidationError("-0 needs --files-from FILE.") }
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
        guard let filesFrom else { return RequestReader(paths.flatMap(\.addresses)) }
        return try RequestReader(pathsFrom: Self.open(filesFrom.path), separator: null ? 0 : UInt8(ascii: "\n"))
    }

    /// - Returns: a descriptor of the list. It stays open until the program ends, because the list is read in batches.
    private static func open(_ path: FilePath) throws -> FileDescriptor {
        if path == "-" { return .standardInput }
        do {
            return try FileDescriptor.open(path, .readOnly)
        } catch let error as Errno {
            throw IngestionError(.usage, "\(path) cannot be read: \(error); name a readable file that lists the paths")
        }
    }
}

extension Identify {
    /// Identifies files, and prints the answers in the order of the requests.
    struct Answers {
        /// The form in which an answer is printed.
        enum Form {
            case line, tree, json
        }

        let identifier: FileSniffer
        let console: Console
        let form: Form

        /// Identifies the batch's files in parallel, and prints their answers.
        ///
        /// - Returns: whether every file could be identified.
        /// - Throws: ``OutputLost`` if standard output cannot be written.
        func answer(_ batch: [RequestReader.Item]) async throws -> Bool {
            let requests = batch.compactMap { try? $0.get() }
            // A line with an error is no request, so it has no answer here.
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

        /// Prints an answer. An error goes to standard error, where no script mistakes it for a type; in JSON it is a
        /// key of the answer.
        private func print(_ answer: Answer) throws {
            if answer.error != nil, form != .json {
                // On a terminal, the earlier answers must appear before the error.
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
