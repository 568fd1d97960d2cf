import Ingestion
import ShareModel
import Synchronization

/// Shows a run's events as they arrive, and counts them.
///
/// A package has its line as soon as it is committed. A line about a delivery follows when it has ended, unless it was
/// delivered.
final class IngestView: Sendable {
    /// The duplicates that are listed. The summary counts the others.
    static let duplicateLimit = 10
    /// The most reasons that are remembered. A later one is printed each time.
    private static let reasonLimit = 100
    /// The most deliveries whose content is on its way that are remembered until the run ends.
    private static let onTheirWayLimit = 1_000

    private struct State {
        var summary = Summary()
        /// The inputs that leave no package.
        var missing = 0
        /// The partial packages that add nothing to an earlier one.
        var addingNothing = 0
        /// The packages of the whole input; `nil` until its end was found.
        var total: Int?
        var duplicates = 0
        /// Whether a receipt could not be written as JSON.
        var isLossy = false
        /// The deliveries that were open when their package was shown.
        var open: Set<String> = []
        /// A sink that cannot be started has the same reason for each of its deliveries, so it is printed once.
        var reasons: Set<String> = []
        /// The deliveries whose content was on its way when their packages were settled, with the packages and their names.
        var onTheirWay: [String: (package: String, name: String)] = [:]
    }

    private let console: Console
    private let progress: ProgressLine
    private let run: IngestRun
    private let names: SourceNames
    private let state = Mutex(State())

    init(_ run: IngestRun, progress: ProgressLine, names: SourceNames) {
        self.run = run
        self.progress = progress
        self.names = names
        console = run.console
    }

    /// The sum of the receipts so far.
    var summary: Summary { state.withLock(\.summary) }

    /// The inputs so far that leave no package; see ``SummaryText/missing``.
    var missing: Int { state.withLock(\.missing) }

    /// The partial packages so far that add nothing; see ``SummaryText/addingNothing``.
    var addingNothing: Int { state.withLock(\.addingNothing) }

    /// The deliveries whose content was on its way when their packages were settled, with the packages and their names. Further ones
    /// than ``onTheirWayLimit`` have lines of their own.
    var onTheirWay: [String: (package: String, name: String)] { state.withLock(\.onTheirWay) }

    /// The inputs that have no receipt yet.
    var rest: SummaryText.Rest {
        state.withLock { state in
            state.total.map { .inputs(max(0, $0 - state.summary.packages)) } ?? .unknown
        }
    }

    /// The duplicates so far that have no line.
    var unlisted: Int {
        guard run.form == .lines, !run.listsDuplicates else { return 0 }
        return state.withLock { max(0, $0.duplicates - Self.duplicateLimit) }
    }

    /// Whether a receipt could not be written as JSON.
    var hasLostReceipts: Bool { state.withLock(\.isLossy) }

    func take(_ event: IngestEvent) {
        progress.take(event)
        switch event {
        case .progress(let progress): state.withLock { $0.total = progress.total }
        case .committed(let receipt): begin(receipt)
        case .settled(let receipt): end(receipt)
        }
    }

    private func begin(_ receipt: Receipt) {
        guard run.form == .lines || run.form == .troubleOnly else { return }
        if run.makesDeliveries, receipt.hasOpenDeliveries {
            let open = receipt.deliveries.lazy.filter { $0.outcome == .pending }.map(\.id)
            state.withLock { $0.open.formUnion(open) }
        }
        guard run.form == .lines ? !isSurplus(receipt) : receipt.isTrouble else { return }
        let lines = ReceiptText(
            receipt: receipt, names: names, containerOption: run.containerOption,
            isOpen: run.options.delivers,
            layout: ResultLayout(columns: console.outputTerminal.columns)
        ).lines
        progress.cleared { console.print(lines) }
    }

    /// Counts a duplicate that changes nothing, and says whether it is one too many for the list: it has neither a failed
    /// delivery nor a warning that is news, and replaces no package.
    private func isSurplus(_ receipt: Receipt) -> Bool {
        guard receipt.outcome == .duplicate, !run.listsDuplicates, !receipt.hasNewWarnings, receipt.supersedes == nil,
            receipt.deliveries.allSatisfy({ [.duplicate, .pending, .declined].contains($0.outcome) })
        else { return false }
        return state.withLock { state in
            state.duplicates += 1
            return state.duplicates > Self.duplicateLimit
        }
    }

    private func end(_ receipt: Receipt) {
        state.withLock { state in
            state.summary.add(receipt)
            if receipt.leavesNoPackage { state.missing += 1 }
            if receipt.addsNothing { state.addingNothing += 1 }
            guard run.makesDeliveries else { return }
            for record in receipt.deliveries
            where record.isBeingTransferred && state.onTheirWay.count < Self.onTheirWayLimit {
                state.onTheirWay[record.id] = (receipt.packageID, names.name(of: receipt))
            }
        }
        switch run.form {
        case .json:
            progress.cleared {
                do {
                    try console.print(json: receipt)
                } catch {
                    state.withLock { $0.isLossy = true }
                    console.say("the receipt \(receipt.id) cannot be written as JSON: \(String(describing: error))")
                }
            }
        case .trees:
            let tree = ReceiptTree(receipt: receipt, isPlan: run.isPlan, containerOption: run.containerOption)
            progress.cleared { console.print(tree.lines + [""]) }
        case .lines, .troubleOnly: showNews(of: receipt)
        }
    }

    private func showNews(of receipt: Receipt) {
        guard run.makesDeliveries else { return }
        let name = names.name(of: receipt)
        let lines = receipt.providers.flatMap { provider in
            // If the package's line has a warning already, the damage that a sink finds is no news.
            provider.deliveries.filter { isNews($0, isWarned: !provider.warnings.isEmpty) }.compactMap {
                DeliveryText(record: $0, containerOption: run.containerOption).news(name: name)
            }
        }
        if !lines.isEmpty { progress.cleared { console.print(lines) } }
    }

    /// Whether no line has stated the outcome of a delivery yet.
    private func isNews(_ record: DeliveryRecord, isWarned: Bool) -> Bool {
        state.withLock { state in
            guard state.open.remove(record.id) != nil else { return false }
            switch record.outcome {
            case .declined: return run.form == .lines
            // It may arrive before the run ends. The summary has what is left.
            case .pending where state.onTheirWay[record.id] != nil: return false
            case .pending:
                let reason = "\(record.sink): \(record.why ?? "")"
                if state.reasons.count >= Self.reasonLimit { return !state.reasons.contains(reason) }
                return state.reasons.insert(reason).inserted
            case .delivered: return run.form == .lines && !isWarned
            case .duplicate, .failed, .quarantined: return true
            }
        }
    }
}

extension Receipt {
    /// Whether the package is one that a quiet run names: it failed, wholly or in part, or a delivery of it did before.
    fileprivate var isTrouble: Bool {
        [.partial, .failed].contains(outcome) || deliveries.contains(where: \.outcome.isTrouble)
    }
}
