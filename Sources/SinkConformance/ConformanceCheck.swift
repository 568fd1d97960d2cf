internal import SinkHost

/// One thing that a sink must do, and how it is found out.
struct ConformanceCheck: Sendable {
    let name: String
    /// What the protocol asks for, in a sentence.
    let rule: String
    /// What the author can do about a failure.
    let remedy: String
    /// Whether the checks after it make no sense once it has failed.
    var isFoundation = false
    /// Throws ``CheckFailure`` where the sink is at fault, ``CheckSkipped`` where the check does not apply.
    let run: @Sendable (ConformanceContext) async throws -> Void

    /// The check's end; an error that is not the sink's is thrown on.
    ///
    /// - Parameter failed: the checks that failed before: what is their fault fails no other.
    func result(_ context: ConformanceContext, failed: Set<String>) async throws -> ConformanceResult {
        do {
            try await run(context)
            return ConformanceResult(name: name, outcome: .passed)
        } catch let failure as CheckFailure {
            let cause = failure.cause?.rawValue ?? name
            if cause != name, failed.contains(cause) {
                return ConformanceResult(name: name, outcome: .skipped, why: "\(failure.why); see \(cause)")
            }
            // Where it comes up before its own check, that one's words say what to do.
            let check = Self.all.first { $0.name == cause } ?? self
            return ConformanceResult(
                name: name, outcome: .failed, why: failure.why, rule: check.rule,
                remedy: failure.remedy ?? check.remedy)
        } catch let skipped as CheckSkipped {
            return ConformanceResult(name: name, outcome: .skipped, why: skipped.why)
        }
    }
}

/// What a sink did wrong.
struct CheckFailure: Error {
    let why: String
    /// In place of the check's own.
    var remedy: String?
    /// The check whose matter it is, where it can come up in any.
    var cause: Cause?

    /// Checks of what no session may bring, by their names.
    enum Cause: String {
        case lineLength = "output/line-length"
        case onlyMessages = "output/only-messages"
        case once = "deliver/once"
        case ownID = "deliver/own-id"
    }

    init(_ why: String, remedy: String? = nil, of cause: Cause? = nil) {
        self.why = why
        self.remedy = remedy
        self.cause = cause
    }
}

/// Why a check says nothing about this sink.
struct CheckSkipped: Error {
    let why: String

    init(_ why: String) { self.why = why }
}
