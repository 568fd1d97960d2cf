import Ingestion

/// What a backfill opened, as lines.
struct BackfillText {
    let report: BackfillReport
    let isTrial: Bool
    /// See ``SummaryText/containerOption``.
    let containerOption: StyledLine

    var lines: [StyledLine] { [opened] + cut + unreadable }

    private var opened: StyledLine {
        let (count, sink) = (report.count, "\(report.sink) \(report.version)")
        let opened = count.added + count.again
        guard opened > 0 else { return nothing }
        var line: StyledLine = "\(Units.count(opened, "delivery")) to \(sink) \(isTrial ? "would be " : "")opened"
        if count.again > 0 {
            line += ": \(Units.grouped(count.added)) new, \(Units.grouped(count.again)) made by another version before"
        }
        return line + rest
    }

    private var nothing: StyledLine {
        let (count, sink) = (report.count, "\(report.sink) \(report.version)")
        guard count.open + count.done > 0 else {
            guard report.packages > 0 else { return "nothing is found, so there is no delivery to open" }
            return
                "no content of these packages goes to \(report.sink); \(command: "sluice sinks route TYPE") says what does"
        }
        return "no delivery to open: \(sink) had all of this before" + rest
    }

    private var rest: StyledLine {
        guard report.count.open > 0 else { return "" }
        return "; \(Units.count(report.count.open, "delivery")) \(report.count.open == 1 ? "is" : "are") open already"
    }

    private var cut: [StyledLine] {
        report.isCut ? ["interrupted before the end; run the same command again for the rest"] : []
    }

    private var unreadable: [StyledLine] {
        guard report.unreadable > 0 else { return [] }
        let packages = Units.count(report.unreadable, "package")
        let verify: StyledLine = "\(command: "sluice verify\(containerOption)")"
        return [
            "\(packages) cannot be read and \(report.unreadable == 1 ? "was" : "were") left out; \(verify) names them"
        ]
    }
}
