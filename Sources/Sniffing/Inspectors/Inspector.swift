internal import ShareModel

/// Refines a conclusion by looking into the content.
///
/// The sniffer calls an inspector only if the conclusion so far is in ``starts``, and the inspector may conclude only
/// the types in ``concludes``. So an inspector cannot leave its family. Inspectors that start from
/// ``MediaType/unknown`` come first.
protocol Inspector: Sendable {
    /// The conclusions that the inspector can refine.
    var starts: Set<MediaType> { get }
    /// The types that the inspector can conclude.
    var concludes: Set<MediaType> { get }
    /// Whether the inspector looks at unknown content only after libmagic has failed to recognize it.
    var isLastResort: Bool { get }

    /// The refined conclusion; `nil` if the inspector has nothing to add.
    ///
    /// - Throws: an error if the content cannot be read. Damaged content is not an error.
    func inspect(_ sample: Sample) throws -> Finding?
}

extension Inspector {
    var isLastResort: Bool { false }
}

/// The conclusion of an inspector, with its evidence.
struct Finding: Hashable {
    var type: MediaType
    var confidence: Confidence
    var evidence: Evidence
    /// Contradictions within the bytes, as readable text.
    var warnings: [String] = []

    init(_ type: MediaType, _ evidence: Evidence, _ confidence: Confidence = .certain) {
        self.type = type
        self.confidence = confidence
        self.evidence = evidence
    }
}
