import ShareModel

/// Shows the events of a verification, a repair, a collection or an export, each at once.
struct MaintenanceView: Sendable {
    let json: Bool
    /// See ``SummaryText/containerOption``.
    let containerOption: StyledLine
    let console: Console
    private let progress: ProgressLine

    /// - Parameter hasProgress: whether the work reports its progress.
    init(json: Bool, containerOption: StyledLine, hasProgress: Bool = true, console: Console = Console()) {
        self.json = json
        self.containerOption = containerOption
        self.console = console
        progress = ProgressLine(stream: console.error, terminal: console.errorTerminal, isWanted: hasProgress)
    }

    /// Runs `work` to its end, or until it is interrupted, and shows the events that it reports.
    ///
    /// - Throws: an error of `work`; a `CancellationError` if it was interrupted.
    func watch<Value: Sendable>(
        _ work: @escaping @Sendable (_ report: @escaping @Sendable (CareEvent) -> Void) async throws -> Value
    ) async throws -> Value {
        let end = await Interruption.watch { cause in
            guard cause == .signal else { return }
            progress.cleared { console.say("stopping; run the same command again (Ctrl-C again to kill)") }
        } _: { stop in
            try await progress.during {
                try await work { event in
                    take(event)
                    // No program reads the findings any more, so the work has no purpose.
                    if console.isOutputGone { stop() }
                }
            }
        }
        // If standard output was lost, that is the cause of the stop, and `finish` throws its error instead.
        if end.isWithoutResult { try console.finish() }
        return try end.result.get()
    }

    /// Prints the last lines, and ends the program.
    ///
    /// - Parameters:
    ///   - lines: they go to standard error if standard output is JSON.
    ///   - isComplete: whether nothing is faulty or left out.
    func finish(_ lines: [StyledLine], isComplete: Bool) throws {
        if json { lines.forEach(console.say) } else { console.print(lines) }
        try console.finish()
        try (isComplete ? ExitStatus.success : .incomplete).leave()
    }

    private func take(_ event: CareEvent) {
        switch event {
        case .progress(let objects, let total, let bytes): progress.take(objects: objects, of: total, bytes: bytes)
        case .finding(let finding): progress.cleared { show(finding) }
        }
    }

    /// Prints a finding as text or as JSON, with the commands of this program as its remedies.
    func show(_ finding: CareFinding) {
        let finding = finding.worded(containerOption: containerOption)
        guard json else { return console.print(FindingText(finding: finding).lines) }
        do {
            try console.print(json: ["finding": finding])
        } catch {
            console.say("a finding cannot be written as JSON: \(finding.what): \(String(describing: error))")
        }
    }
}
