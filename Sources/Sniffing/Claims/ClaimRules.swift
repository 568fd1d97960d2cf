internal import Formats
internal import ShareModel

/// Applies claims to a conclusion. A claim refines the conclusion within its family, and never changes the family. It
/// gives unrecognized bytes a type that no rule recognizes.
struct ClaimRules {
    private let database: SharedMIMEDatabase
    private let verdicts: ClaimVerdicts

    init(database: SharedMIMEDatabase) {
        self.database = database
        verdicts = ClaimVerdicts(database: database)
    }

    /// The conclusion from the bytes, refined by the claims, with a warning for each claim that disagrees.
    func conclude(_ found: Identification, claims: TypeClaims, sample: Sample) throws -> Identification {
        var result = found
        result.claims = claims
        guard claims.declared != nil || claims.name != nil else { return result }
        var question = ClaimVerdicts.Question(
            type: found.type, declared: claims.declared, named: claims.name.map { database.types(forName: $0) })
        // The bytes only suggest the kind of text, so a name of another kind counts more.
        if found.confidence == .guessed, sample.possible.contains(.plainText), isOtherText(question.named, found.type) {
            question.type = .plainText
            result.type = .plainText
        }
        let verdicts = verdicts.verdicts(question)
        let isNamed = question.isNamed(found.type, database)
        // The declared type comes first if there is one.
        let refinement = try verdicts.indices.first {
            try refines(
                verdicts[$0], found.type, sample, isDeclared: $0 == 0 && claims.declared != nil, isNamed: isNamed)
        }
        if let refinement, let type = verdicts[refinement].type.map(self.verdicts.name) {
            result.type = type
            // A claim says nothing about the bytes, so it cannot make a conclusion certain.
            result.confidence = max(.guessed, min(found.confidence, .likely))
            result.evidence.insert(claim(refinement, question, claims).evidence, at: 0)
            question.type = type
        }
        result.isNamedSo = refinement == nil ? isNamed : question.isNamed(result.type, database)
        // The other claim must agree with the refined type.
        let final = refinement == nil ? verdicts : self.verdicts.verdicts(question)
        for number in final.indices where final[number].disagrees {
            let claim = claim(number, question, claims)
            if let warning = Self.warning(claim, result.type) { result.warnings.append(warning) }
        }
        return result
    }

    /// Whether a file name has only types of text that a file of `type` does not have.
    private func isOtherText(_ named: [MediaType]?, _ type: MediaType) -> Bool {
        guard let named, !named.isEmpty else { return false }
        return named.allSatisfy { database.conforms($0, to: .plainText) && !database.conforms($0, to: type) }
    }

    /// The claim with this number.
    private func claim(_ number: Int, _ question: ClaimVerdicts.Question, _ claims: TypeClaims) -> Claim {
        if number == 0, let declared = claims.declared { return Claim(declared: declared) }
        return Claim(name: claims.name ?? "", types: question.named ?? [], database: database)
    }

    /// Whether the claimed type refines the concluded one.
    ///
    /// - Parameter isNamed: whether the content has a name of the concluded type.
    private func refines(
        _ verdict: ClaimVerdicts.Verdict, _ found: MediaType, _ sample: Sample, isDeclared: Bool, isNamed: Bool
    ) throws -> Bool {
        if let type = verdict.type, !sample.possible.isEmpty,
            sample.possible.contains(where: { database.canonical($0) == database.canonical(type) })
        {
            // Senders declare a general type if they do not know more. Only a name says that it is meant.
            return !(isDeclared && (database.conforms(found, to: type) || isNamed))
        }
        return switch verdict.refinement {
        case .never: false
        case .always, .guess: true
        case .withTrace(let contentClass): try Self.hasTrace(of: contentClass, sample.text()?.bytes ?? [])
        }
    }

    /// The number of bytes that are searched for tags.
    private static let tagWindow = 4 << 10

    /// Whether text has a feature that any text of the class has: tags for HTML, a header field at the beginning for
    /// mail (RFC 5322, section 2.2).
    private static func hasTrace(of contentClass: ContentClass, _ text: [UInt8]) -> Bool {
        switch contentClass {
        case .html:
            // A page may begin with a style sheet of many kilobytes.
            return HTMLTags(text.prefix(tagWindow), skipsRawText: true).isMostly
        case .mail:
            // More signs are allowed, and no program uses them.
            let name = text.prefix { byte in
                0x30...0x39 ~= byte || 0x41...0x5A ~= byte & 0xDF || byte == UInt8(ascii: "-")
                    || byte == UInt8(ascii: "_")
            }
            return !name.isEmpty && text.dropFirst(name.count).first == UInt8(ascii: ":")
        default:
            return false
        }
    }

    /// The warning that a claim and the conclusion disagree.
    private static func warning(_ claim: Claim, _ type: MediaType) -> String? {
        switch type {
        // Types that fit no class promise nothing. One of them is that of a backup such as `notes~`.
        case .empty:
            claim.contentClasses.isDisjoint(with: [.text, .other]) ? "\(claim.phrase), but there are no bytes" : nil
        case .unknown: "\(claim.phrase), but nothing in the bytes says so"
        default: "\(claim.phrase), but the bytes are \(type)"
        }
    }
}
