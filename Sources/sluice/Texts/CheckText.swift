import Ingestion
import SinkConformance

/// The results of the conformance suite as text.
enum CheckText {
    /// A line for the check. A failed one has two more, for the rule and the remedy.
    static func lines(_ result: ConformanceResult) -> [StyledLine] {
        switch result.outcome {
        case .passed: return ["\("ok", .good) \(result.name)"]
        case .skipped: return ["\("skipped \(result.name): \(result.why ?? "")", .dim)"]
        case .failed:
            return [
                "\("FAILED", .bad) \(result.name, .strong): \(result.why ?? "")",
                "       the protocol: \(result.rule ?? "")", "       the remedy: \(result.remedy ?? "")",
            ]
        }
    }

    /// The numbers of checks, and what follows from them.
    ///
    /// - Parameter only: the beginnings of the names of the checks that ran; all ran if it is empty.
    static func line(_ summary: ConformanceSummary, only: [String] = []) -> StyledLine {
        let passed: StyledLine = "\(Units.count(summary.passed, "check")) passed"
        let skipped: StyledLine = summary.skipped > 0 ? ", \(summary.skipped) skipped" : ""
        let failed: StyledLine = summary.failed > 0 ? ", \("\(summary.failed) failed", .bad)" : ""
        return passed + skipped + failed + conclusion(summary, only)
    }

    private static func conclusion(_ summary: ConformanceSummary, _ only: [String]) -> StyledLine {
        // A few checks say nothing about the rest of the protocol.
        guard only.isEmpty else { return "; only the checks \(only.joined(separator: ", ")) ran" }
        return summary.failed > 0 ? "" : ": \("the sink keeps the protocol", .good)"
    }
}
