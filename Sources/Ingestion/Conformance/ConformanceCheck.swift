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
    let run: @Sendable (ConformanceBench) throws -> Void

    /// The check's end; an error that is not the sink's is thrown on.
    func result(_ bench: ConformanceBench) throws -> ConformanceResult {
        do {
            try run(bench)
            return ConformanceResult(name: name, outcome: .passed)
        } catch let failure as CheckFailure {
            return ConformanceResult(
                name: name, outcome: .failed, why: failure.why, rule: rule, remedy: failure.remedy ?? remedy)
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

    init(_ why: String, remedy: String? = nil) {
        self.why = why
        self.remedy = remedy
    }
}

/// Why a check says nothing about this sink.
struct CheckSkipped: Error {
    let why: String

    init(_ why: String) { self.why = why }
}
