internal import ShareModel

/// Looks into content of which a conclusion is at hand, and says what it is more precisely.
///
/// It is asked only where the conclusion so far is one that it ``starts`` from, and can conclude only what it
/// ``concludes``: so none can leave its family. Those that start from ``MediaType/unknown`` are asked first of all.
protocol Inspector: Sendable {
    /// The conclusions that it can refine.
    var starts: Set<MediaType> { get }
    /// The types that it can give.
    var concludes: Set<MediaType> { get }
    /// Whether it is asked what unknown content is only when libmagic does not know either.
    var isLastResort: Bool { get }

    /// What the content is, or `nil` where this inspector has nothing to add.
    ///
    /// - Throws: when the content cannot be read. Damaged content is no error.
    func inspect(_ sample: Sample) throws -> Finding?
}

extension Inspector {
    var isLastResort: Bool { false }
}

/// What an inspector found, and where.
struct Finding: Hashable {
    var type: MediaType
    var confidence: Confidence
    var evidence: Evidence
    /// Where the bytes contradict themselves, in words.
    var warnings: [String] = []

    init(_ type: MediaType, _ evidence: Evidence, _ confidence: Confidence = .certain) {
        self.type = type
        self.confidence = confidence
        self.evidence = evidence
    }
}
