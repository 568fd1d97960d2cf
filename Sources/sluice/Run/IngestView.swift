import Ingestion
import ShareModel
import Synchronization

/// Shows a run's events as they arrive, and counts them.
final class IngestView: Sendable {
    private let console: Console
    private let progress: ProgressLine
    private let form: IngestRun.Form
    private let isPlan: Bool
    private let names: SourceNames
    private let containerOption: StyledLine
    private let seen = Mutex(Summary())
    private let lost = Mutex(false)
    /// A sink that cannot be started has the same reason for each of its deliveries, so it is printed once.
    private let reported = Mutex<Set<String>>([])

    /// The most reasons that are remembered. A later one is printed each time.
    private static let reasonLimit = 100

    init(
        console: Console, progress: ProgressLine, form: IngestRun.Form, isPlan: Bool, names: SourceNames,
        containerOption: StyledLine
    ) {
        self.console = console
        self.progress = progress
        self.form = form
        self.isPlan = isPlan
        self.names = names
        self.containerOption = containerOption
    }

    /// The sum of the receipts so far.
    var summary: Summary { seen.withLock { $0 } }

    /// Whether a receipt could not be written as JSON.
    var hasLostReceipts: Bool { lost.withLock { $0 } }

    func take(_ event: IngestEvent) {
        progress.take(event)
        guard case .settled(let receipt) = event else { return }
        seen.withLock { $0.add(receipt) }
        if form == .troubleOnly, receipt.outcome == .accepted || receipt.outcome == .duplicate { return }
        progress.cleared { show(receipt) }
    }

    private func show(_ receipt: Receipt) {
        switch form {
        case .json:
            do {
                try console.print(json: receipt)
            } catch {
                lost.withLock { $0 = true }
                console.say("the receipt \(receipt.id) cannot be written as JSON: \(String(describing: error))")
            }
        case .lines, .troubleOnly:
            let text = ReceiptText(
                receipt: receipt, names: names, containerOption: containerOption, isPlan: isPlan,
                reported: reported.withLock { $0 })
            console.print(text.lines)
            let reasons = receipt.deliveries.filter { $0.outcome == .pending }.compactMap(\.why)
            reported.withLock { if $0.count < Self.reasonLimit { $0.formUnion(reasons) } }
        case .trees: console.print(ReceiptTree(receipt: receipt, isPlan: isPlan).lines + [""])
        }
    }
}
