import Ingestion
import ShareModel
import Synchronization

/// Shows a run's events as they come, and counts them.
final class RunView: Sendable {
    private let console: Console
    private let progress: ProgressLine
    private let style: Run.Style
    private let isPlan: Bool
    private let seen = Mutex(Summary())

    init(console: Console, progress: ProgressLine, style: Run.Style, isPlan: Bool) {
        self.console = console
        self.progress = progress
        self.style = style
        self.isPlan = isPlan
    }

    /// The sum of the receipts so far.
    var summary: Summary { seen.withLock { $0 } }

    func take(_ event: IngestEvent) {
        progress.take(event)
        guard case .settled(let receipt) = event else { return }
        seen.withLock { $0.add(receipt) }
        if style == .troubleOnly, receipt.outcome == .accepted || receipt.outcome == .duplicate { return }
        progress.cleared { show(receipt) }
    }

    private func show(_ receipt: Receipt) {
        switch style {
        case .json:
            do {
                try console.print(json: ["receipt": receipt])
            } catch {
                console.say("the receipt \(receipt.id) cannot be written as JSON: \(String(describing: error))")
            }
        case .lines, .troubleOnly: console.print(ReceiptLine(receipt: receipt, isPlan: isPlan).lines)
        case .trees: console.print(ReceiptTree(receipt: receipt, isPlan: isPlan).lines + [""])
        }
    }
}
