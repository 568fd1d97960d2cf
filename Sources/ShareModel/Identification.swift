/// What the bytes are, and how that is known: the claims, the evidence, the conclusion.
public struct Identification: Sendable, Hashable {
    /// The conclusion. ``MediaType/unknown`` where nothing is known: better than a plausible guess.
    public var type: MediaType
    /// How much the conclusion can be relied upon.
    public var confidence: Confidence
    /// What speaks for the conclusion, strongest first.
    public var evidence: [Evidence]
    /// What others said of the bytes.
    public var claims: TypeClaims
    /// Where a claim and the bytes disagree, or the bytes contradict themselves, in words for people.
    public var warnings: [String]

    /// A conclusion, with its evidence strongest first.
    public init(
        type: MediaType, confidence: Confidence, evidence: [Evidence], claims: TypeClaims = TypeClaims(),
        warnings: [String] = []
    ) {
        self.type = type
        self.confidence = confidence
        self.evidence = evidence
        self.claims = claims
        self.warnings = warnings
    }

    /// The evidence in words: `signature: PNG at byte 0`.
    public var basis: [String] { evidence.map(\.description) }
}

/// How much a conclusion can be relied upon, least first.
public enum Confidence: String, Sendable, Codable, Comparable, CaseIterable {
    /// Nobody knows the bytes.
    case unknown
    /// Nothing speaks against it; other types are as possible.
    case guessed
    /// A signature alone, libmagic's word, or words that hardly anything else begins with.
    case likely
    /// A signature and the structure behind it agree, or the bytes obey the type's grammar.
    case certain

    /// By how far they can be relied upon.
    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .unknown: 0
        case .guessed: 1
        case .likely: 2
        case .certain: 3
        }
    }
}

/// One thing that speaks for a type.
public struct Evidence: Sendable, Hashable, Codable, CustomStringConvertible {
    /// Who says it: `signature`, `zip`, `libmagic`, `name`.
    public var source: String
    /// What was seen: `entry mimetype says application/epub+zip`.
    public var says: String
    /// Where in the content, in bytes; `nil` where it has no one place.
    public var offset: Int64?

    /// Something seen, perhaps at a place.
    public init(_ source: String, _ says: String, at offset: Int64? = nil) {
        self.source = source
        self.says = says
        self.offset = offset
    }

    /// In words: `zip: entry mimetype says application/epub+zip at byte 30`.
    public var description: String {
        let words = source + ": " + says
        return offset.map { words + " at byte " + String($0) } ?? words
    }
}

/// What others say of the bytes. The bytes decide; a claim can only make a conclusion finer.
public struct TypeClaims: Sendable, Hashable, Codable {
    /// The declared type: a uniform type identifier or a MIME type.
    public var declared: String?
    /// A file name; its extension is the claim.
    public var name: String?

    /// What is claimed; `nil` where nobody said anything.
    public init(declared: String? = nil, name: String? = nil) {
        self.declared = declared
        self.name = name
    }
}

/// The broad classes of content. Two claims of different classes contradict each other.
public enum ContentClass: String, Sendable, Codable, CaseIterable {
    case pdf, image, link, html, text, mail, office, archive, audio, video, font, binary, other
}
