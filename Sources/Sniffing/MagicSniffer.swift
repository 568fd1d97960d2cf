package import Formats
package import ShareModel

/// Identifies content in steps: signatures and structure first, then libmagic if they find nothing, then a look inside
/// containers and text, then the claims.
///
/// It holds a libmagic cookie, which two threads must not use at the same time. So each worker needs its own instance.
package final class MagicSniffer: ContentSniffer {
    /// `nil` until it is needed, if the database is loaded late.
    private var magic: Magic?
    private let rules: ClaimRules
    private let inspectors = Inspectors.all

    /// The largest number of refinements of one conclusion.
    private static let stepLimit = 8

    /// Loads libmagic's database, unless `isLate`.
    ///
    /// - Parameter isLate: whether to load the database at the first content that needs it, which is the last in the order of the
    ///   steps. For a few files, loading takes longer than all else.
    /// - Throws: ``SniffingFailure`` if that fails.
    package init(database: SharedMIMEDatabase = .system, isLate: Bool = false) throws {
        magic = isLate ? nil : try Self.load()
        rules = ClaimRules(database: database)
    }

    /// Identifies content; see ``ContentSniffer/identify(_:claims:)``.
    package func identify(_ content: ContentBytes, claims: TypeClaims) throws -> Identification {
        let sample = try Sample(content)
        var found = try look(into: sample)
        // The end of content with an archive behind it is further ahead than the second check looks.
        if let warning = try HiddenArchive.warning(found.type, sample) ?? Truncation.warning(found.type, sample) {
            found.warnings.append(warning)
        }
        if content.isSpent {
            found.evidence.append(Evidence("budget", "spent after \(content.usage.reads) reads; the rest was not read"))
        }
        return try rules.conclude(found, claims: claims, sample: sample)
    }

    private static func load() throws -> Magic { try Magic(window: ContentBytes.Budget.standard.head) }

    private func loaded() throws -> Magic {
        if let magic { return magic }
        let loaded = try Self.load()
        magic = loaded
        return loaded
    }

    /// The conclusion from the bytes alone.
    private func look(into sample: Sample) throws -> Identification {
        guard sample.content.size > 0 else {
            return Identification(type: .empty, confidence: .certain, evidence: [Evidence("size", "no bytes at all")])
        }
        var found = Identification(type: .unknown, confidence: .unknown, evidence: [])
        try refine(&found, sample)
        // libmagic comes second. For text, its regular expressions cost more than all other steps together.
        if found.type == .unknown {
            let type = try loaded().type(of: sample.head())
            let isTrusted = MagicNames.isTrusted(type, for: sample.start)
            found.evidence = [Evidence("libmagic", isTrusted ? type.description : "\(type), but from too few bytes")]
            guard type != .unknown, isTrusted else {
                if let finding = try nextFinding(of: inspectors.lastResorts, from: .unknown, sample) {
                    found.take(finding)
                }
                return found
            }
            found.type = type
            found.confidence = .likely
            sample.possible = []
            try refine(&found, sample)
        }
        return found
    }

    /// Runs the inspectors that start from the conclusion, then those that start from the new one, until none refines
    /// it.
    private func refine(_ found: inout Identification, _ sample: Sample) throws {
        // The inspectors form cycles: `PDFInspector` starts from plain text and can conclude it.
        for _ in 0..<Self.stepLimit {
            let list = inspectors.starting(from: found.type)
            guard let finding = try nextFinding(of: list, from: found.type, sample) else { return }
            found.take(finding)
        }
    }

    private func nextFinding(of list: [any Inspector], from type: MediaType, _ sample: Sample) throws -> Finding? {
        for inspector in list {
            let before = sample.possible
            sample.possible = []
            // A finding of the same type refines nothing, and one outside of `concludes` leaves the family.
            if let finding = try inspector.inspect(sample), finding.type != type,
                inspector.concludes.contains(finding.type)
            {
                // What was possible for unrecognized bytes, or for a rougher type, says nothing about this one.
                return finding
            }
            sample.possible.formUnion(before)
        }
        return nil
    }
}

extension Identification {
    /// Makes a finding the conclusion, with its evidence first.
    fileprivate mutating func take(_ finding: Finding) {
        type = finding.type
        confidence = finding.confidence
        evidence.insert(finding.evidence, at: 0)
        warnings += finding.warnings
    }
}
