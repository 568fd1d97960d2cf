import GroupContainer
import ShareModel

/// The result of a verification as a few lines.
struct VerifiedText {
    let sum: Verified
    /// In percent.
    let sample: Double
    let repairs: Bool
    /// See ``SummaryText/containerOption``.
    let containerOption: StyledLine

    var lines: [StyledLine] {
        let rest = sum.findings - sum.mended
        let state: StyledLine =
            switch (sum.findings, rest) {
            case (0, _): "\("all well", .good)"
            case (_, 0): "\("\(Units.count(sum.findings, "finding")), all repaired", .good)"
            default: "\("\(Units.count(rest, "finding")) not repaired", .bad)\(mended)"
            }
        var lines: [StyledLine] = ["\(Units.count(sum.objects, "object")), \(Units.bytes(sum.bytes)): \(state)"]
        if sample < 100 {
            lines.append("\(Units.count(sum.hashed, "object")) hashed, only size and mode checked of the others")
        }
        if sum.orphans > 0 {
            let files = "\(Units.count(sum.orphans, "file")) without a row, \(Units.bytes(sum.orphanBytes))"
            let age = DurationArgument(seconds: CollectOptions.grace).text
            let command: StyledLine = "\(command: "sluice gc\(containerOption)")"
            lines.append("\(files, .dim)\(": leftovers, no fault;", .dim) \(command) removes those older than \(age)")
        }
        if sum.repairable > 0, !repairs {
            lines.append("next: \(command: "sluice verify --repair\(containerOption)")")
        }
        return lines
    }

    private var mended: StyledLine { sum.mended > 0 ? ", \(sum.mended) repaired" : "" }
}
