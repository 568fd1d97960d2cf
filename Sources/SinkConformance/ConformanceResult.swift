internal import SinkHost

/// How one check of a sink ended.
package struct ConformanceResult: Sendable, Codable, Equatable {
    package enum Outcome: String, Sendable, Codable {
        /// `skipped`: the check does not apply to this sink, or depends on one that failed.
        case passed, failed, skipped
    }

    /// The check's name, which stays the same from release to release: `hello/answer`, `samples/two-pages` …
    package var name: String
    package var outcome: Outcome
    /// The fault of the sink, or the reason for skipping the check; absent if it passed.
    package var why: String?
    /// The rule of the protocol; absent unless the check failed.
    package var rule: String?
    /// The remedy for the author; absent unless the check failed.
    package var remedy: String?
}

/// The numbers of checks in a run.
package struct ConformanceSummary: Sendable, Codable, Equatable {
    package private(set) var passed = 0
    package private(set) var failed = 0
    package private(set) var skipped = 0

    mutating func add(_ outcome: ConformanceResult.Outcome) {
        switch outcome {
        case .passed: passed += 1
        case .failed: failed += 1
        case .skipped: skipped += 1
        }
    }
}
