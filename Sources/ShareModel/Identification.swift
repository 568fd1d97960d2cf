/// What the bytes are, and how that is known: the claims, the evidence, the conclusion.
public struct Identification: Sendable, Hashable, Codable {
    /// The conclusion. ``MediaType/unknown`` where nothing is known: better than a plausible guess.
    public var type: MediaType
    /// Why, strongest first: `libmagic: image/jpeg`.
    public var basis: [String]
    /// Where a claim and the bytes disagree, in words for people.
    public var warnings: [String]

    /// A conclusion, with its reasons strongest first.
    public init(type: MediaType, basis: [String], warnings: [String] = []) {
        self.type = type
        self.basis = basis
        self.warnings = warnings
    }
}

/// What others say of the bytes. The bytes decide; a claim can only make a conclusion finer.
public struct TypeClaims: Sendable, Hashable {
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
