import ArgumentParser
import Ingestion
import ShareModel
import SystemPackage

/// `sluice identify`: types alone, storing nothing.
struct Identify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say what files are, and how that is known.",
        discussion: """
            With --claims -, lines {"path","name"?,"declared"?} are read from standard input and answered in order as \
            {"path","type","basis","warnings"}; there the path's own name is no claim. A path that is not UTF-8 comes \
            and goes as "path_base64".
            """)

    @Argument(help: ArgumentHelp("Files.", valueName: "path"))
    var paths: [PathArgument] = []

    @Option(help: ArgumentHelp("Read claims from standard input: '-'.", valueName: "-"))
    var claims: String?

    @Flag(help: "Print a JSON object a line.")
    var json = false

    func validate() throws {
        if let claims, claims != "-" { throw ValidationError("--claims reads standard input: --claims -") }
        if claims != nil, !paths.isEmpty { throw ValidationError("--claims names the files itself; leave out PATH.") }
        if claims == nil, paths.isEmpty { throw ValidationError("Name a file to identify, or --claims -") }
    }

    func run() async throws {
        let answers = Answers(identifier: try Identifier(), console: Console(), asJSON: json || claims != nil)
        let isComplete = claims == nil ? try await answers.answer(paths.map(\.path)) : try await answers.answerClaims()
        try answers.console.finish()
        try (isComplete ? ExitStatus.success : .incomplete).leave()
    }
}

extension Identify {
    /// Requests and their answers, in order, each printed as soon as it is known.
    struct Answers {
        let identifier: Identifier
        let console: Console
        let asJSON: Bool

        /// Answers for files whose own names are claims.
        ///
        /// - Returns: whether every one had an answer.
        func answer(_ paths: [FilePath]) async throws -> Bool {
            var isComplete = true
            for path in paths {
                let claims = TypeClaims(name: path.lastComponent?.string)
                let isAnswered = try await answer(Identifier.Request(path: path, claims: claims))
                isComplete = isAnswered && isComplete
            }
            return isComplete
        }

        /// Answers for the lines of standard input. Bad lines get an answer that says what is wrong with them.
        func answerClaims() async throws -> Bool {
            var isComplete = true
            var lines = LineReader(.standardInput)
            while let line = try lines.next() {
                guard !line.bytes.isEmpty || line.isTooLong else { continue }
                let isAnswered: Bool
                do {
                    isAnswered = try await answer(ClaimLine.request(line, number: lines.number))
                } catch let error as IngestionError {
                    try print(Answer(error: error.message))
                    isAnswered = false
                }
                isComplete = isAnswered && isComplete
            }
            return isComplete
        }

        private func answer(_ request: Identifier.Request) async throws -> Bool {
            var answer = Answer(path: request.path)
            do {
                try Self.refuseFolder(request.path)
                answer.identification = try await identifier.identify(request)
            } catch {
                answer.error = (error as? IngestionError)?.message ?? String(describing: error)
            }
            try print(answer)
            return answer.error == nil
        }

        private func print(_ answer: Answer) throws {
            if asJSON { try console.print(json: answer) } else { console.print(answer.lines) }
            if console.isOutputGone { try console.finish() }
        }

        private static func refuseFolder(_ path: FilePath) throws {
            guard let file = try? FileDescriptor.open(path, .readOnly, options: [.directory]) else { return }
            try? file.close()
            throw IngestionError(.usage, "a folder; only files have a type. See what is in it: sluice inspect")
        }
    }
}
