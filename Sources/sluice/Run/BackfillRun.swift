import Ingestion

/// Opens the deliveries of old content to a sink, with progress, and says what it opened.
struct BackfillRun {
    let pipeline: Pipeline
    let sink: String
    /// The numbers of the packages that count; `nil` for all.
    let packages: [Int64]?
    /// See ``SummaryText/containerOption``.
    let containerOption: StyledLine

    /// - Parameter isTrial: whether to count alone.
    func open(isTrial: Bool, asJSON: Bool, on console: Console) async throws -> BackfillReport {
        let (pipeline, sink, packages) = (pipeline, sink, packages)
        let progress = ProgressLine(stream: console.error, terminal: console.errorTerminal, isWanted: true)
        let end = await Interruption.watch { cause in
            guard cause == .signal else { return }
            progress.cleared { console.say("stopping after the step under way (Ctrl-C again to kill)") }
        } _: { _ in
            try await progress.during {
                try await pipeline.backfill(sink, of: packages, isTrial: isTrial) {
                    progress.take(packages: $0, of: $1)
                }
            }
        }
        if end.isWithoutResult {
            // The container was not open yet.
            try ExitStatus.interrupted.leave()
        }
        let report = try end.result.get()
        if asJSON {
            try console.print(json: ["backfill": report])
        } else {
            let text = BackfillText(report: report, isTrial: isTrial, containerOption: containerOption)
            text.lines.forEach { console.print([$0]) }
        }
        return report
    }

    /// Whether deliveries of the packages are still to be opened for this version of the sink. A process that began before an
    /// update drives the sink's earlier version, and may have made them.
    func isLeft(on console: Console) async throws -> Bool {
        let report = try await pipeline.backfill(sink, of: packages, isTrial: true) { _, _ in }
        let count = report.count.added + report.count.again
        guard count > 0 else { return false }
        console.say(
            "another process gave \(Units.count(count, "delivery")) to another version of \(sink); end that process, and run "
                + "the same command again")
        return true
    }
}
