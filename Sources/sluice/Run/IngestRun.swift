import GroupContainer
import Ingestion
import ShareModel
import SystemPackage

/// One run of the pipeline, with its output.
struct IngestRun: Sendable {
    /// How the receipts are written.
    enum Form: Sendable {
        case lines
        /// Lines, only for packages and deliveries that failed, wholly or in part, or are open.
        case troubleOnly
        case trees
        case json
    }

    var options: IngestOptions
    var input: IngestInput
    var form: Form
    /// Whether the run only shows its decisions and stores nothing.
    var isPlan: Bool
    /// Whether every duplicate has a line. Otherwise only the first ones have.
    var listsDuplicates = false
    /// See ``SummaryText/containerOption``.
    var containerOption: StyledLine
    var console = Console()

    /// Runs to the end and prints the summary.
    ///
    /// - Throws: the exit status if it is not 0; the error that ended the run.
    func execute() async throws {
        let pipeline = Pipeline(options: options)
        SinkWarnings(warnings: pipeline.warnings).lines.forEach(console.say)
        let start = ContinuousClock.now
        let isQuiet = form == .troubleOnly
        let progress = ProgressLine(
            stream: console.error, terminal: console.errorTerminal, isWanted: !isQuiet)
        let view = IngestView(self, progress: progress, names: names)
        let end = await Interruption.watch(announce: announce(progress)) { stop in
            try await progress.during {
                try await IndexKeeper.during(makesDeliveries ? options.container : nil) {
                    try await drive(pipeline) { event in
                        view.take(event)
                        if console.isOutputGone { stop() }
                    }
                }
            }
        }
        let duration = start.duration(to: .now)
        // Behind the summary, because a person must see it. A package as the input is that of a text.
        defer { if case .package = input, let note = UnreadInput.note { console.say(note) } }
        do {
            let summary = try summary(of: end, seen: view.summary)
            try report(
                summary, of: view, took: duration, stop: end.cause, arrivals: arrivals(view, pipeline))
        } catch let error as IngestionError {
            // Committed packages stay committed, whatever ended the run, so their summary is still true and useful.
            if view.summary.packages > 0 {
                try show(text(of: view.summary, view, took: duration, stop: end.cause, rest: view.rest))
            }
            throw error
        }
    }

    /// Whether the run drives the deliveries of its packages.
    var makesDeliveries: Bool { options.delivers && !isPlan }

    private var names: SourceNames {
        switch input {
        case .addresses(let addresses): SourceNames(named: addresses.compactMap(\.path))
        case .list: SourceNames.ofList
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

    /// The run's own summary. A cancelled run may return none; then the summary of the receipts seen so far.
    private func summary(of end: Interruption.End<Summary>, seen: Summary) throws -> Summary {
        end.isWithoutResult ? seen : try end.result.get()
    }

    /// What has become of deliveries whose content was on its way when their packages were settled: news of those that have ended,
    /// then what the open ones wait for.
    private func arrivals(_ view: IngestView, _ pipeline: Pipeline) -> [StyledLine] {
        let deliveries = view.onTheirWay
        // Without the container, the error that the run ends with says why.
        guard !deliveries.isEmpty, let reader = try? CatalogReader(reading: options.container) else { return [] }
        var (news, open): ([StyledLine], [DeliveryRecord]) = ([], [])
        let packages = Dictionary(deliveries.values.map { ($0.package, $0.name) }) { $1 }
        for (package, name) in packages.sorted(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
            // One that was forgotten meanwhile has no news.
            guard let receipt = try? reader.receipt(package) else { continue }
            for record in receipt.deliveries where deliveries[record.id] != nil {
                if record.outcome == .pending {
                    open.append(record)
                } else if let line = DeliveryText(record: record, containerOption: containerOption).news(name: name) {
                    news.append(line)
                }
            }
        }
        let now = Clock.systemNanoseconds() / 1_000_000
        let waiting = pipeline.explainingTransfers(of: open).reduce(into: [OpenDeliveries]()) { $0.add($1) }
        return news
            + waiting.sorted { ($0.sink, $0.why ?? "") < ($1.sink, $1.why ?? "") }.map {
                OpenDeliveriesText(open: $0, now: now, containerOption: containerOption).line
            }
    }

    private func report(
        _ summary: Summary, of view: IngestView, took duration: Duration, stop: Interruption.Cause?,
        arrivals: [StyledLine]
    ) throws {
        console.output.flush()
        // `inspect … | head` has no rest that a second run would take in. As with `list`, the reader has seen enough.
        if isPlan, console.output.failure == .brokenPipe { return }
        // The reader may have closed the pipe after the whole input was taken in. Then only deliveries can be left.
        let stop = stop == .outputLost && view.rest == .inputs(0) ? nil : stop
        var status = ExitStatus(summary, delivers: makesDeliveries)
        if view.hasLostReceipts { status = .incomplete }
        if stop != nil { status = .interrupted }
        var text = text(of: summary, view, took: duration, stop: stop)
        text.arrivals = arrivals
        if form != .troubleOnly || status != .success { try show(text) }
        // With JSON, the lines of the summary are on standard error already.
        if console.isOutputGone, form != .json { text.left(delivers: makesDeliveries).forEach(console.say) }
        try console.finishUnlessClosed()
        try status.leave()
    }

    private func text(
        of summary: Summary, _ view: IngestView, took duration: Duration, stop: Interruption.Cause?,
        rest: SummaryText.Rest? = nil
    ) -> SummaryText {
        SummaryText(
            summary: summary, duration: duration, container: options.container, containerOption: containerOption,
            isPlan: isPlan, delivers: options.delivers, stop: stop, rest: rest, unlisted: view.unlisted,
            missing: view.missing, addingNothing: view.addingNothing)
    }

    private func show(_ text: SummaryText) throws {
        guard form == .json else { return console.print(text.lines) }
        try console.print(json: ["summary": text.summary])
        text.lines.forEach(console.say)
    }
}

extension [OpenDeliveries] {
    /// Adds an open delivery to those of its sink that wait for the same.
    fileprivate mutating func add(_ record: DeliveryRecord) {
        let due = record.due.flatMap { Timestamp($0) }.map { $0.nanoseconds / 1_000_000 } ?? 0
        guard let place = firstIndex(where: { $0.sink == record.sink && $0.why == record.why }) else {
            return append(OpenDeliveries(sink: record.sink, count: 1, due: due, why: record.why))
        }
        self[place].count += 1
        self[place].due = Swift.min(self[place].due, due)
    }
}
