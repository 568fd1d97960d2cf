/// The type of some content, with the evidence for it.
public struct Identification: Sendable, Hashable {
    /// The concluded type. If nothing is known, this is ``MediaType/unknown``, which is better than a plausible guess.
    public var type: MediaType
    /// The reliability of the conclusion.
    public var confidence: Confidence
    /// The evidence for the conclusion, strongest first.
    public var evidence: [Evidence]
    /// The sender's claims about the content.
    public var claims: TypeClaims
    /// Contradictions between a claim and the bytes, or within the bytes, as readable text.
    public var warnings: [String]
    /// Whether the claimed name is a usual one for the type, which follows from both. It saves the pipeline a second look
    /// at the name.
    package var isNamedSo = false

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

    /// The evidence as text: `signature: PNG at byte 0`.
    public var basis: [String] { evidence.map(\.description) }
}

/// The reliability of a conclusion, lowest first.
public enum Confidence: String, Sendable, Codable, Comparable, CaseIterable {
    /// No rule recognizes the bytes.
    case unknown
    /// Nothing contradicts the type, but other types are equally possible.
    case guessed
    /// The evidence is a signature without further structure, libmagic's result, or text that hardly any other type
    /// begins with.
    case likely
    /// A signature and the structure after it agree, or the bytes follow the grammar of the type.
    case certain

    /// Compares by reliability.
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

/// One piece of evidence for a type.
public struct Evidence: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The rule or tool that found it: `signature`, `zip`, `libmagic`, `name`.
    public var source: String
    /// The finding: `entry mimetype says application/epub+zip`.
    public var says: String
    /// The offset in the content, in bytes; `nil` if the finding has no single place.
    public var offset: Int64?

    /// A finding of a source, with its offset if it has one.
    public init(_ source: String, _ says: String, at offset: Int64? = nil) {
        self.source = source
        self.says = says
        self.offset = offset
    }

    /// The evidence as text: `zip: entry mimetype says application/epub+zip at byte 30`.
    public var description: String {
        let words = source + ": " + says
        return offset.map { words + " at byte " + String($0) } ?? words
    }
}

/// The sender's claims about some content. The bytes decide the type; a claim can only refine it.
public struct TypeClaims: Sendable, Hashable, Codable {
    /// The declared type: a uniform type identifier or a MIME type; `nil` if there is none.
    public var declared: String?
    /// The file name, whose extension is the claim; `nil` if there is none.
    public var name: String?

    /// The given claims.
    public init(declared: String? = nil, name: String? = nil) {
        self.declared = declared
        self.name = name
    }
}

/// The broad classes of content. Two claims of different classes contradict each other.
public enum ContentClass: String, Sendable, Codable, CaseIterable {
    case pdf, image, link, html, text, mail, office, archive, audio, video, font, binary, other
}
