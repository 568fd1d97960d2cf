public import Formats
public import ShareModel

/// Identifies content by signatures and structure, asks libmagic where those say nothing, looks inside where the
/// conclusion is rough, and lets claims refine the rest.
///
/// One a worker: it holds a libmagic cookie, which two threads must not use at once.
public final class MagicSniffer: ContentSniffer {
    private let magic: Magic
    private let rules: ClaimRules
    private let inspectors = Inspectors.all

    /// No conclusion is refined more often.
    private static let stepLimit = 8

    /// Loads libmagic's database.
    ///
    /// - Throws: ``SniffingFailure`` where that cannot be.
    public init(database: SharedMIMEDatabase = .system) throws {
        magic = try Magic(window: ContentBytes.Budget.standard.head)
        rules = ClaimRules(database: database)
    }

    /// See ``ContentSniffer/identify(_:claims:)``.
    public func identify(_ content: ContentBytes, claims: TypeClaims) throws -> Identification {
        let sample = try Sample(content)
        var found = try look(into: sample)
        if let warning = try HiddenArchive.warning(found.type, sample) { found.warnings.append(warning) }
        if content.isSpent {
            found.evidence.append(Evidence("budget", "spent after \(content.usage.reads) reads; looked no further"))
        }
        return try rules.conclude(found, claims: claims, sample: sample)
    }

    /// What the bytes alone say.
    private func look(into sample: Sample) throws -> Identification {
        guard sample.content.size > 0 else {
            return Identification(type: .empty, confidence: .certain, evidence: [Evidence("size", "no bytes at all")])
        }
        var found = Identification(type: .unknown, confidence: .unknown, evidence: [])
        try refine(&found, sample)
        if found.type == .unknown {
            let type = magic.type(of: try sample.head())
            let isTrusted = MagicNames.isTrusted(type, for: sample.start)
            found.evidence = [Evidence("libmagic", isTrusted ? type.description : "\(type), but by too few bytes")]
            guard type != .unknown, isTrusted else {
                if let finding = try nextFinding(of: inspectors.lastResorts, from: .unknown, sample) {
                    found.take(finding)
                }
                return found
            }
            found.type = type
            found.confidence = .likely
            try refine(&found, sample)
        }
        return found
    }

    /// Asks the inspectors for whom the conclusion is a start, then those for whom theirs is, until none adds anything.
    private func refine(_ found: inout Identification, _ sample: Sample) throws {
        for _ in 0..<Self.stepLimit {
            let list = inspectors.starting(from: found.type)
            guard let finding = try nextFinding(of: list, from: found.type, sample) else { return }
            found.take(finding)
        }
    }

    private func nextFinding(of list: [any Inspector], from type: MediaType, _ sample: Sample) throws -> Finding? {
        for inspector in list {
            if let finding = try inspector.inspect(sample), finding.type != type,
                inspector.concludes.contains(finding.type)
            {
                return finding
            }
        }
        return nil
    }
}

extension Identification {
    /// Makes a finding the conclusion, and its evidence the strongest.
    fileprivate mutating func take(_ finding: Finding) {
        type = finding.type
        confidence = finding.confidence
        evidence.insert(finding.evidence, at: 0)
        warnings += finding.warnings
    }
}
