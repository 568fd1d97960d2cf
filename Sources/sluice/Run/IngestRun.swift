import Ingestion
import ShareModel
import SystemPackage

/// One run of the pipeline, as the command line shows it.
struct IngestRun: Sendable {
    enum Style: Sendable {
        case lines
        /// Lines for what is neither accepted nor a duplicate.
        case troubleOnly
        case trees
        case json
    }

    var options: IngestOptions
    var input: IngestInput
    var style: Style
    /// Whether nothing is stored.
    var isPlan: Bool
    /// See ``SummaryText/containerOption``.
    var containerOption: StyledLine
    var console = Console()

    /// Runs to the end and says how it went.
    ///
    /// - Throws: the exit status where that is not 0; what ended the run.
    func execute() async throws {
        let pipeline = Pipeline(options: options)
        SinkWarnings(warnings: pipeline.warnings).lines.forEach(console.say)
        let start = ContinuousClock.now
        let isQuiet = style == .troubleOnly
        let progress = ProgressLine(
            stream: console.error, terminal: console.errorTerminal, isWanted: !isQuiet)
        let view = IngestView(
            console: console, progress: progress, style: style, isPlan: isPlan, names: names,
            containerOption: containerOption)
        let end = await Interruption.watch(announce: announce(progress)) { stop in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await progress.run() }
                defer { group.cancelAll() }
                return try await drive(pipeline) { event in
                    view.take(event)
                    if console.isOutputGone { stop() }
                }
            }
        }
        let duration = start.duration(to: .now)
        do {
            let summary = try summary(of: end, seen: view.summary)
            try report(summary, took: duration, stop: end.cause, isLossy: view.hasLostReceipts)
        } catch let error as IngestionError {
            // What is in stays in, whatever ended the run.
            if view.summary.packages > 0 { try show(view.summary, took: duration, stop: end.cause) }
            throw error
        }
    }

    private var names: SourceNames {
        switch input {
        case .paths(let paths): SourceNames(named: paths)
        case .standardInput, .package: SourceNames()
        }
    }

    private func drive(
        _ pipeline: Pipeline, _ report: @escaping @Sendable (IngestEvent) async -> Void
    ) async throws -> Summary {
        isPlan
            ? try await pipeline.inspect(input, report: report) : try await pipeline.ingest(input, report: report)
    }

    private func announce(_ progress: ProgressLine) -> @Sendable (Interruption.Cause) -> Void {
        let console = console
        let finishing: StyledLine = isPlan ? "stopping" : "finishing the commits under way"
        return { cause in
            guard cause == .signal else { return }
            progress.cleared {
                console.say("\(finishing); run the same command again for the rest (Ctrl-C again to kill)")
            }
        }
    }

    /// The run's own summary; after an interruption, which may have taken it, that of the receipts seen.
    private func summary(of end: Interruption.End<Summary>, seen: Summary) throws -> Summary {
        switch end.result {
        case .success(let summary): return summary
        case .failure(let error):
            guard end.cause != nil, error is CancellationError else { throw error }
            return seen
        }
    }

    private func report(
        _ summary: Summary, took duration: Duration, stop: Interruption.Cause?, isLossy: Bool
    ) throws {
        var status = ExitStatus(summary, delivers: options.delivers && !isPlan)
        if isLossy { status = .incomplete }
        if stop != nil { status = .interrupted }
        if style != .troubleOnly || status != .success { try show(summary, took: duration, stop: stop) }
        do {
            try console.finish()
        } catch let lost as OutputLost where lost.isQuiet {
            // Nobody reads on; the status still says whether everything is in.
        }
        try status.leave()
    }

    private func show(_ summary: Summary, took duration: Duration, stop: Interruption.Cause?) throws {
        let text = SummaryText(
            summary: summary, duration: duration, container: options.container, containerOption: containerOption,
            isPlan: isPlan, stop: stop)
        guard style == .json else { return console.print(text.lines) }
        try console.print(json: ["summary": summary])
        text.lines.forEach(console.say)
    }
}
