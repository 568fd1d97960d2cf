import ShareModel
import SystemPackage

/// The summary of a run: packages, bytes and deliveries, the container, and the next commands.
struct SummaryText {
    let summary: Summary
    let duration: Duration
    let container: FilePath
    /// The option that a suggested command needs to use the same container: ` --container DIR`, or nothing.
    let containerOption: StyledLine
    /// Whether the run only showed its decisions and stored nothing.
    var isPlan = false
    /// Whether the run drives the deliveries of its packages, or would do so.
    var delivers = true
    /// Why the run was stopped early; `nil` if it was not.
    var stop: Interruption.Cause?
    /// What an error left of the input; `nil` if none ended the run.
    var rest: Rest?
    /// The duplicates that have no line in the output.
    var unlisted = 0
    /// The inputs that do not exist, or whose content was removed meanwhile. They leave no package.
    var missing = 0
    /// The partial packages that add nothing to an earlier one. They leave no package either.
    var addingNothing = 0
    /// What has become of content that was on its way when its package was settled.
    var arrivals: [StyledLine] = []

    /// The inputs that have no receipt.
    enum Rest: Equatable {
        case inputs(Int)
        /// The end of the input was not found.
        case unknown
    }

    var lines: [StyledLine] {
        [packages] + warnings + duplicates + gap + bytes + deliveries(summary.deliveries) + arrivals + place + next
    }

    private var warnings: [StyledLine] {
        guard summary.warned > 0 else { return [] }
        let isOne = summary.warned == 1
        let have: StyledLine =
            "\(Units.count(summary.warned, "package")) \(isOne ? "has" : "have") \("a warning", .warning)"
        guard !isPlan else { return [have] }
        return [have + "; \(command: "sluice list --warned\(containerOption)") lists \(isOne ? "it" : "them")"]
    }

    private var duplicates: [StyledLine] {
        guard unlisted > 0 else { return [] }
        return [
            "\(Units.count(unlisted, "more duplicate")) \(unlisted == 1 ? "is" : "are") not listed; --duplicates lists all"
        ]
    }

    /// The reason why the run handled less than its input.
    private var gap: [StyledLine] {
        switch rest {
        case .inputs(let count):
            guard count > 0 else { return ["\("ended early", .bad)"] }
            return ["\("ended early:", .bad) \(Units.count(count, "input")) \(count == 1 ? "is" : "are") left"]
        case .unknown: return ["\("ended early:", .bad) the rest of the input is left"]
        case nil: break
        }
        return stop == nil && summary.packages == 0 ? ["nothing to take in: no file was found"] : leftInput
    }

    /// What the run leaves for another command, for standard error if standard output cannot be written.
    ///
    /// - Parameter delivers: whether the run makes deliveries. Otherwise it leaves them on purpose.
    func left(delivers: Bool) -> [StyledLine] {
        let open = delivers ? summary.deliveries.pending : 0
        return leftInput + (open > 0 ? [Self.leftOpen(open, containerOption: containerOption)] : [])
    }

    /// The command for the rest of the input, if the run was stopped.
    private var leftInput: [StyledLine] {
        switch stop {
        case .signal: ["\("interrupted", .warning) before the end; run the same command again for the rest"]
        case .outputLost:
            ["\("stopped:", .warning) standard output cannot be written; run the same command again for the rest"]
        case nil: []
        }
    }

    /// The command for open deliveries, if standard output cannot be written.
    static func leftOpen(_ count: Int, containerOption: StyledLine) -> StyledLine {
        let open: StyledLine = "\(Units.count(count, "delivery")) \(count == 1 ? "is" : "are") open"
        let command: StyledLine = "\(command: "sluice deliver\(containerOption)")"
        return "\(open); \(command) tries \(count == 1 ? "it" : "them")"
    }

    private var packages: StyledLine {
        let counts: [(Int, PackageOutcome)] = [
            (summary.accepted, .accepted), (summary.partial, .partial), (summary.duplicate, .duplicate),
            (summary.failed, .failed), (summary.skipped, .skipped),
        ]
        let head: StyledLine = "\(Units.count(summary.packages, "package"), .strong) in \(Units.duration(duration))"
        return Self.join(head, counts.map { ($0.0, $0.1.rawValue, $0.1.style) })
    }

    private var bytes: [StyledLine] {
        guard summary.bytes > 0 else { return isPlan && summary.packages > 0 ? ["nothing was stored"] : [] }
        let new = summary.storedBytes
        let part =
            switch new {
            case 0: "none of it new"
            case summary.bytes: "all of it new"
            // The two sizes differ, but would be printed as the same figure.
            case _ where Units.bytes(new) == Units.bytes(summary.bytes): "nearly all of it new"
            default: "\(Units.bytes(new)) of it new"
            }
        return ["\(Units.bytes(summary.bytes)), \(part)\(isPlan ? "; nothing was stored" : "")"]
    }

    private var place: [StyledLine] {
        // A run without any existing input makes no container.
        guard missing == 0 || missing < summary.packages else { return [] }
        return ["container: \(SafeText.escape(bytes: container.bytes))"]
    }

    private func deliveries(_ deliveries: Summary.Deliveries) -> [StyledLine] {
        guard isPlan else { return Self.deliveries(deliveries).map { [$0] } ?? [] }
        guard deliveries.pending > 0 else { return [] }
        let count = Units.count(deliveries.pending, "delivery")
        return [delivers ? "\(count) would be made" : "\(count) would stay open"]
    }

    /// `3 deliveries: 2 delivered, 1 failed`; `nil` for none.
    static func deliveries(_ deliveries: Summary.Deliveries) -> StyledLine? {
        let counts: [(Int, DeliveryOutcome)] = [
            (deliveries.delivered, .delivered), (deliveries.declined, .declined), (deliveries.duplicate, .duplicate),
            (deliveries.failed, .failed), (deliveries.quarantined, .quarantined), (deliveries.pending, .pending),
        ]
        let all = counts.reduce(0) { $0 + $1.0 }
        guard all > 0 else { return nil }
        return join("\(Units.count(all, "delivery"))", counts.map { ($0.0, $0.1.rawValue, $0.1.style) })
    }

    private static func join(_ head: StyledLine, _ counts: [(count: Int, word: String, style: StyledLine.Style)])
        -> StyledLine
    {
        let parts = counts.filter { $0.count > 0 }.map { StyledLine("\(Units.grouped($0.count)) \($0.word)", $0.style) }
        guard let first = parts.first else { return head }
        return parts.dropFirst().reduce("\(head): \(first)") { "\($0), \($1)" }
    }

    private var next: [StyledLine] {
        guard !isPlan else { return [] }
        var lines: [StyledLine] = []
        if rest != nil {
            lines.append("next: mend what the error names, then the same command again, for the rest")
        } else if stop != nil {
            lines.append("next: the same command again, for the rest")
        }
        if summary.failed + summary.partial > missing + addingNothing {
            lines.append(
                "next: \(command: "sluice list --failed\(containerOption)")"
                    + "   then: \(command: "sluice show ID\(containerOption)")")
        }
        lines += Self.retry(summary.deliveries, containerOption: containerOption)
        return lines + Self.next(open: summary.deliveries.pending, containerOption: containerOption)
    }

    /// The next command for open deliveries; nothing if none is open.
    static func next(open: Int, containerOption: StyledLine) -> [StyledLine] {
        guard open > 0 else { return [] }
        let them = open == 1 ? "the open delivery" : "the open deliveries"
        return ["next: \(command: "sluice deliver\(containerOption)") makes \(them)"]
    }

    /// The next commands for failed deliveries.
    static func retry(_ deliveries: Summary.Deliveries, containerOption: StyledLine) -> [StyledLine] {
        guard deliveries.failed + deliveries.quarantined > 0 else { return [] }
        return [
            "next: \(command: "sluice list --quarantined\(containerOption)")"
                + "   then: \(command: "sluice deliver --retry ID\(containerOption)")"
        ]
    }
}
