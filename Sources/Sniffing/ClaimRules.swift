internal import Formats
internal import ShareModel

/// What claims may change: they refine a conclusion within its family, and never cross to another.
struct ClaimRules {
    let database: SharedMIMEDatabase

    /// Conclusions that are only as good as no better claim, by their canonical names. Archives and OLE files are not
    /// among them: what they are is inside, so a claim without it is a lie; and what nobody recognizes stays unknown.
    private static let rough: Set<String> = ["text/plain", "application/xml", "application/json", "image/tiff"]

    /// The bytes' own conclusion, refined by the claims, with a warning for each claim that disagrees.
    func conclude(_ found: Identification, claims: TypeClaims, sample: Sample) throws -> Identification {
        var result = found
        result.claims = claims
        let claims = Claim.all(claims, database: database)
        let refinement = try claims.compactMap { claim in
            // A name that says several things (`*.ts`: a movie, a translation) says none.
            claim.types.count == 1 ? claim.types.first.map { (claim: claim, type: $0) } : nil
        }.first { try refines($0.type, found.type, sample) }
        if let refinement {
            result.type = refinement.type
            result.evidence.insert(refinement.claim.evidence, at: 0)
        }
        result.warnings += claims.compactMap { disagreement($0, with: result.type) }
        return result
    }

    /// Whether a claimed type is a finer word for the concluded one.
    private func refines(_ claim: MediaType, _ type: MediaType, _ sample: Sample) throws -> Bool {
        if sample.possible.contains(where: { database.canonical($0) == database.canonical(claim) }) { return true }
        let isGuess = MagicNames.guessedLanguages.contains(type.description)
        let base = isGuess ? MediaType.plainText : database.canonical(type)
        guard isGuess || Self.rough.contains(base.description) else { return false }
        let claim = database.canonical(claim)
        guard claim != base, claim != database.canonical(type), database.conforms(claim, to: base) else { return false }
        let claimed = ContentClass(of: claim)
        if claimed == ContentClass(of: base) { return true }
        return try base == .plainText && Self.hasTrace(of: claimed, sample.head())
    }

    /// Whether text has what any text of another class must have: a tag for HTML, a header field at the top for mail
    /// (RFC 5322, section 2.2).
    private static func hasTrace(of contentClass: ContentClass, _ head: [UInt8]) -> Bool {
        switch contentClass {
        case .html:
            return zip(head, head.dropFirst()).contains { first, second in
                first == UInt8(ascii: "<") && ("!/".utf8.contains(second) || isLetter(second))
            }
        case .mail:
            let name = head.prefix(while: { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") })
            return !name.isEmpty && head.dropFirst(name.count).first == UInt8(ascii: ":")
        default:
            return false
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    /// Where a claim and the conclusion are not the same, nor the one a kind of the other, in words.
    private func disagreement(_ claim: Claim, with type: MediaType) -> String? {
        guard claim.isSpecific, !claim.fits(type, database: database) else { return nil }
        switch type {
        case .empty: return claim.contentClasses.contains(.text) ? nil : "\(claim.phrase), but there are no bytes"
        case .unknown: return "\(claim.phrase), but nothing in the bytes says so"
        default: return "\(claim.phrase), but the bytes are \(type)"
        }
    }
}
