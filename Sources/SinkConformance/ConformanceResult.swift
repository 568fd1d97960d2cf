internal import SinkHost

/// How one check of a sink ended.
package struct ConformanceResult: Sendable, Codable, Equatable {
    /// The good end, the bad one, and none.
    package enum Outcome: String, Sendable, Codable {
        /// `skipped`: the check does not apply to this sink, or rests on one that failed.
        case passed, failed, skipped
    }

    /// The check's name, which stays the same from release to release: `hello/answer`, `samples/two-pages` …
    package var name: String
    /// How it ended.
    package var outcome: Outcome
    /// What the sink did, or why the check was skipped; absent where it passed.
    package var why: String?
    /// What the protocol asks for; absent unless the check failed.
    package var rule: String?
    /// What the author can do; absent unless the check failed.
    package var remedy: String?
}

/// The checks of a run, counted.
package struct ConformanceSummary: Sendable, Codable, Equatable {
    /// What the sink does well.
    package private(set) var passed = 0
    /// What it has to learn.
    package private(set) var failed = 0
    /// What does not apply, or rests on a check that failed.
    package private(set) var skipped = 0

    mutating func add(_ outcome: ConformanceResult.Outcome) {
        switch outcome {
        case .passed: passed += 1
        case .failed: failed += 1
        case .skipped: skipped += 1
        }
    }
}
