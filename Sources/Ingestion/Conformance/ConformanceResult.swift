/// How one check of a sink ended.
public struct ConformanceResult: Sendable, Codable, Equatable {
    /// The good end, the bad one, and none.
    public enum Outcome: String, Sendable, Codable {
        /// `skipped`: the check does not apply to this sink, or rests on one that failed.
        case passed, failed, skipped
    }

    /// The check's name, which stays the same from release to release: `hello/answer`, `samples/two-pages` …
    public var name: String
    /// How it ended.
    public var outcome: Outcome
    /// What the sink did, or why the check was skipped; absent where it passed.
    public var why: String?
    /// What the protocol asks for; absent unless the check failed.
    public var rule: String?
    /// What the author can do; absent unless the check failed.
    public var remedy: String?
}

/// The checks of a run, counted.
public struct ConformanceSummary: Sendable, Codable, Equatable {
    /// What the sink does well.
    public private(set) var passed = 0
    /// What it has to learn.
    public private(set) var failed = 0
    /// What does not apply, or rests on a check that failed.
    public private(set) var skipped = 0

    mutating func add(_ outcome: ConformanceResult.Outcome) {
        switch outcome {
        case .passed: passed += 1
        case .failed: failed += 1
        case .skipped: skipped += 1
        }
    }
}
