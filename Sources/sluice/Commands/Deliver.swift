import ArgumentParser
import ContainerTools
import GroupContainer
import Ingestion
import ShareModel
import Synchronization
import SystemPackage

/// `sluice deliver`: make the deliveries that are still open.
struct Deliver: ContainerCommand {
    static let configuration = CommandConfiguration(
        commandName: "deliver",
        abstract: "Make the deliveries that are still open.",
        discussion: """
            Without --due or --wait, every open delivery is tried now, even if the time of its next try has not come. \
            With --retry, the command also tries the named deliveries that failed, were quarantined or declined, are \
            incomplete, or lost a product. \
            With --dismiss, it makes no delivery: it ends the named ones that are open, failed or quarantined, for \
            example those of a sink that was removed. --retry with the id of a package opens them again.

            With --backfill, a new or updated sink gets what came in before it: all that it would get today, once for each \
            of its versions. Words and filters choose among the packages, as in 'sluice search':

              sluice deliver --backfill pdf-import in:Invoices after:2024
            """)

    @OptionGroup var container: ContainerOption
    var saysWhatNeedsALogin: Bool { false }
    @OptionGroup var reserve: ReserveOption
    @OptionGroup var sandbox: SandboxOptions

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Try deliveries again: those of this id or package (its first digits), or all of this sink that failed, were "
                + "declined or are incomplete.",
            valueName: "id|sink"),
        // A sink's id of hexadecimal digits stays the same, because it has no capital letters (`sink.schema.json`).
        transform: { (try? PackageID.parse($0)) ?? $0 })
    var retry: [String] = []

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "End deliveries without making them: those of this id or package, or all of this sink.",
            valueName: "id|sink"),
        transform: { (try? PackageID.parse($0)) ?? $0 })
    var dismiss: [String] = []

    @Option(
        help: ArgumentHelp(
            "Send all that came in for other persons of this account as the one who is logged in.", valueName: "name"))
    var account: AccountArgument?

    @Option(help: ArgumentHelp("Open the deliveries that this sink has not had, and make them.", valueName: "sink"))
    var backfill: String?

    @Argument(help: ArgumentHelp("With --backfill, only packages with this word or filter.", valueName: "word"))
    var words: [String] = []

    @Flag(help: "With --backfill, only say how many deliveries it would open.")
    var dryRun = false

    @Flag(help: "Try only deliveries that are due.")
    var due = false

    @Flag(help: "Try each delivery when it is due, until none is open that can be made without your help.")
    var wait = false

    @Flag(help: "Print only deliveries that failed or are open.")
    var quiet = false

    @Flag(help: "Print one JSON object a line: the deliveries, then their summary.")
    var json = false

    func validate() throws {
        if json, quiet { throw ValidationError("--json prints every delivery, so --quiet cannot be used with it.") }
        if due, wait { throw ValidationError("--due and --wait cannot be used together.") }
        if !dismiss.isEmpty, due || wait || !retry.isEmpty || backfill != nil || account != nil {
            throw ValidationError(
                "--dismiss makes no delivery, so it excludes --retry, --backfill, --account, --due and --wait.")
        }
        if backfill != nil, !retry.isEmpty { throw ValidationError("--backfill and --retry cannot be used together.") }
        if backfill == nil, let word = words.first {
            throw ValidationError("'\(word)' needs --backfill SINK; --retry and --dismiss take ids and sinks.")
        }
        if dryRun, backfill == nil { throw ValidationError("--dry-run needs --backfill SINK.") }
        if dryRun, due || wait {
            throw ValidationError("--dry-run makes no delivery, so it excludes --due and --wait.")
        }
    }

    func run() async throws {
        let console = Console()
        var options = try container.options()
        options.transferSession = "deliver"
        reserve.set(&options)
        sandbox.set(&options, console: console)
        // Throws if there is no container. The pipeline would make an empty one, and hide a mistyped path.
        _ = try CatalogReader(reading: options.container)
        if dismiss.isEmpty, !dryRun {
            try await AgentClient(of: options.container).checkSandbox(options, again: container.again)
        }
        let pipeline = Pipeline(options: options)
        guard dismiss.isEmpty else { return try await drop(by: pipeline, on: console) }
        SinkWarnings(warnings: pipeline.warnings).lines.forEach(console.say)
        if let name = account?.name {
            _ = try AccountDesk(options).definition(of: name)
            let count = try await pipeline.adopt(name)
            let what: StyledLine =
                count == 0
                ? "no delivery of another person is left for"
                : "\(Units.count(count, "delivery")) of another person \(count == 1 ? "goes" : "go") out with"
            console.say(what + " \(name: name.description)")
        }
        var status = ExitStatus.success
        var old: (run: BackfillRun, opened: Int)?
        if let backfill {
            let run = BackfillRun(
                pipeline: pipeline, sink: backfill,
                packages: try words.isEmpty ? nil : matching(options.container, console),
                containerOption: container.again)
            let report = try await run.open(isTrial: dryRun, asJSON: json, on: console)
            if report.unreadable > 0 { status = .incomplete }
            guard !report.isCut, !dryRun else {
                try console.finish()
                return try (report.isCut ? .interrupted : status).leave()
            }
            old = (run, report.count.added + report.count.again)
        }
        let (made, ended) = try await deliver(by: pipeline, options.container, console)
        // Another process may have made the others.
        if made == .success, let old, ended < old.opened, try await old.run.isLeft(on: console) { status = .incomplete }
        try (made == .success ? status : made).leave()
    }

    /// Makes the open deliveries, and reports them.
    ///
    /// - Returns: the status, and the number of deliveries that ended.
    private func deliver(by pipeline: Pipeline, _ root: FilePath, _ console: Console) async throws -> (ExitStatus, Int)
    {
        let (json, quiet, pace) = (json, quiet, due ? DeliveryPace.due : wait ? .wait : .now)
        let retry = try ResultNumbers.ids(of: retry, in: root)
        let lost = Mutex(false)
        let option = container.again
        let progress = ProgressLine(stream: console.error, terminal: console.errorTerminal, isWanted: true)
        let end = await Interruption.watch { cause in
            guard cause == .signal else { return }
            progress.cleared {
                console.say(
                    "finishing the delivery under way; run the same command again for the rest (Ctrl-C again to kill)")
            }
        } _: { stop in
            try await progress.during {
                try await IndexKeeper.during(root) {
                    try await pipeline.deliver(retrying: retry, pace: pace) {
                        progress.take(deliveries: $0)
                    } transfers: {
                        progress.take($0)
                    } report: { ended in
                        if ended.record.outcome != .pending { progress.take(deliveries: nil) }
                        let isTrouble = ended.record.outcome == .pending || ended.record.outcome.isTrouble
                        defer { if console.isOutputGone { stop() } }
                        guard isTrouble || !quiet else { return }
                        // The summary has those that are still on their way at the end.
                        guard json || !ended.record.isBeingTransferred else { return }
                        progress.cleared {
                            if !Self.show(ended, asJSON: json, option, on: console) { lost.withLock { $0 = true } }
                        }
                    }
                }
            }
        }
        if end.isWithoutResult {
            // The container was not open yet.
            return (.interrupted, 0)
        }
        let result = try end.result.get()
        let sum = result.deliveries
        // A reader that leaves after the last delivery stops nothing.
        let isCut = end.cause == .signal || end.cause == .outputLost && sum.pending > 0
        // A share that stays in the inbox is as unfinished as an open delivery.
        let isLeft = try lost.withLock { $0 } || CatalogReader(reading: root).waitingShares() > 0
        let status = isCut ? ExitStatus.interrupted : isLeft ? .incomplete : ExitStatus(sum)
        if !quiet || status != .success { try report(sum, waiting: result.open.map(worded), on: console) }
        return (status, sum.delivered + sum.declined + sum.failed + sum.quarantined)
    }

    /// The numbers of the packages that the words choose.
    private func matching(_ root: FilePath, _ console: Console) throws -> [Int64] {
        let query = try SearchQuery.parsed(words)
        let index = try SearchIndex(of: CatalogReader(reading: root))
        IndexView(console: console).update(index)
        return try index.packages(query)
    }

    private func worded(_ open: OpenDeliveries) -> OpenDeliveries {
        var open = open
        guard open.needs == nil else {
            open.why = NeedText.worded(open, container.again)
            return open
        }
        open.why = open.why.map {
            RemedyText.sentence($0, endingIn: .dismissDeliveries(sink: open.sink), containerOption: container.again)
        }
        return open
    }

    private func drop(by pipeline: Pipeline, on console: Console) async throws {
        let count = try await pipeline.dismiss(ResultNumbers.ids(of: dismiss, in: container.location()))
        if json {
            try console.print(json: ["dismissed": count])
        } else {
            let again: StyledLine = "\(command: "sluice deliver --retry ID\(container.again)")"
            console.print(["\(Units.count(count, "delivery")) dismissed; \(again) opens one again"])
        }
        try console.finish()
    }

    private struct Ended: Encodable {
        let deliveries: Summary.Deliveries
        let open: [OpenDeliveries]
    }

    private struct Made: Encodable {
        let delivery: DeliveryRecord
        let name: String?
    }

    /// - Returns: whether the record could be encoded.
    private static func show(
        _ ended: DeliveryReport, asJSON: Bool, _ option: StyledLine, on console: Console
    ) -> Bool {
        guard asJSON else {
            let text = DeliveryText(record: ended.record, containerOption: option)
            let warning = text.warning.map { StyledLine("           \("!", .warning) \($0)") }
            console.print([text.line(name: ended.name)] + (warning.map { [$0] } ?? []))
            return true
        }
        do {
            try console.print(json: Made(delivery: ended.record, name: ended.name))
            return true
        } catch {
            console.say("the delivery \(ended.record.id) cannot be written as JSON: \(String(describing: error))")
            return false
        }
    }

    private func report(_ sum: Summary.Deliveries, waiting: [OpenDeliveries], on console: Console) throws {
        if json { try console.print(json: ["summary": Ended(deliveries: sum, open: waiting)]) }
        let now = Clock.systemNanoseconds() / 1_000_000
        let sentence: StyledLine = SummaryText.deliveries(sum) ?? "no delivery is open"
        let lines =
            [sentence] + waiting.map { OpenDeliveriesText(open: $0, now: now, containerOption: container.again).line }
            + SummaryText.retry(sum, containerOption: container.again) + next(for: waiting, now: now)
        if json { lines.forEach(console.say) } else { console.print(lines) }
        if console.isOutputGone, sum.pending > 0 {
            console.say(SummaryText.leftOpen(sum.pending, containerOption: container.again))
        }
        try console.finishUnlessClosed()
    }

    /// The next command for deliveries that wait for their time. The others wait for what their reason names, and no
    /// command makes them before that.
    private func next(for open: [OpenDeliveries], now: Int64) -> [StyledLine] {
        guard open.contains(where: { $0.due > now }) else { return [] }
        return ["next: \(command: "sluice deliver --wait\(container.again)") tries them when they are due"]
    }
}
