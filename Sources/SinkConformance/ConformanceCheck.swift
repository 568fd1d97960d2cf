internal import SinkHost

/// One rule for sinks, and the test of it.
struct ConformanceCheck: Sendable {
    let name: String
    /// The rule of the protocol, in a sentence.
    let rule: String
    /// The remedy for the author of the sink.
    let remedy: String
    /// Whether a failure makes all later checks meaningless, so that they are skipped.
    var isFoundation = false
    /// Throws ``CheckFailure`` if the sink breaks the rule, and ``CheckSkipped`` if the check does not apply.
    let run: @Sendable (ConformanceContext) async throws -> Void

    /// Runs the check. It passes on an error that is not the sink's fault.
    ///
    /// - Parameter failed: the names of earlier checks that failed. A failure for the same cause is reported only once.
    func result(_ context: ConformanceContext, failed: Set<String>) async throws -> ConformanceResult {
        do {
            try await run(context)
            return ConformanceResult(name: name, outcome: .passed)
        } catch let failure as CheckFailure {
            let cause = failure.cause?.rawValue ?? name
            if cause != name, failed.contains(cause) {
                return ConformanceResult(name: name, outcome: .skipped, why: "\(failure.why); see \(cause)")
            }
            // A session rule can break before the turn of its own check. The rule and remedy of that check fit better.
            let check = Self.all.first { $0.name == cause } ?? self
            return ConformanceResult(
                name: name, outcome: .failed, why: failure.why, rule: check.rule,
                remedy: failure.remedy ?? check.remedy)
        } catch let skipped as CheckSkipped {
            return ConformanceResult(name: name, outcome: .skipped, why: skipped.why)
        }
    }
}

/// A rule that the sink broke.
struct CheckFailure: Error {
    let why: String
    /// Replaces the remedy of the check.
    var remedy: String?
    /// The check for this rule, if any session can break it.
    var cause: Cause?

    /// The checks of rules that any session can break, by their names.
    enum Cause: String {
        case hello = "hello/answer"
        case lineLength = "output/line-length"
        case onlyMessages = "output/only-messages"
        case once = "deliver/once"
        case ownID = "deliver/own-id"
        case requestForm = "request/form"
    }

    init(_ why: String, remedy: String? = nil, of cause: Cause? = nil) {
        self.why = why
        self.remedy = remedy
        self.cause = cause
    }
}

/// The reason why a check does not apply to this sink.
struct CheckSkipped: Error {
    let why: String

    init(_ why: String) { self.why = why }
}
