internal import ShareModel

/// Caches the effect of claims. A batch has few different conclusions and claims, so each combination is computed once.
/// Two threads must not use an instance at the same time.
final class ClaimVerdicts {
    /// A conclusion with its claims. The types of a file name stand for the name.
    struct Question: Hashable {
        var type: MediaType
        var declared: String?
        var named: [MediaType]?

        /// Whether a file of this type usually has the name. The types of a name are preferred names. A name of unknown
        /// content, such as `*.bin`, says nothing.
        func isNamed(_ type: MediaType, _ database: SharedMIMEDatabase) -> Bool {
            type != .unknown && (named?.contains(database.canonical(type)) ?? false)
        }
    }

    /// The effect of one claim on a conclusion.
    struct Verdict {
        /// The claimed type. It is `nil` for a name with several types (`*.ts`: a movie, a translation), unless the
        /// bytes refute all but one.
        var type: MediaType?
        var refinement: ClaimFamilies.Refinement
        var disagrees: Bool
    }

    /// The largest number of cached questions; at this number the cache is emptied.
    private static let limit = 1024
    /// The longest declaration that is cached, in bytes.
    private static let lengthLimit = 255

    private let families: ClaimFamilies
    private let kin: ClaimKin
    private lazy var unsigned = UnsignedTypes(database: families.database)
    private lazy var names = ConcludedNames(database: families.database)
    private var known: [Question: [Verdict]] = [:]

    init(database: SharedMIMEDatabase) {
        families = ClaimFamilies(database: database)
        kin = ClaimKin(database: database)
    }

    /// The effect of each claim, the declared type first.
    func verdicts(_ question: Question) -> [Verdict] {
        if let verdicts = known[question] { return verdicts }
        let verdicts = Self.claims(question).map { verdict($0, question.type) }
        // A sender chooses the declaration, so a long one could fill the memory.
        if (question.declared?.utf8.count ?? 0) <= Self.lengthLimit {
            if known.count >= Self.limit { known.removeAll(keepingCapacity: true) }
            known[question] = verdicts
        }
        return verdicts
    }

    /// The name of a claimed type in results.
    func name(of type: MediaType) -> MediaType { names.name(of: type) }

    private static func claims(_ question: Question) -> [Claim] {
        // The pattern appears only in the text of a warning, so the verdict does not need it.
        [question.declared.map { Claim(declared: $0) }, question.named.map { Claim(pattern: "", types: $0) }]
            .compactMap { $0 }
    }

    private func verdict(_ claim: Claim, _ type: MediaType) -> Verdict {
        let types = type == .unknown && claim.types.count > 1 ? claim.types.filter(unsigned.admits) : claim.types
        let claimed = types.count == 1 ? types.first : nil
        let isRefuted = families.isRefuted(claim.types, by: type)
        let refinement: ClaimFamilies.Refinement = claimed.map { self.refinement(of: type, by: $0) } ?? .never
        return Verdict(
            type: claimed, refinement: refinement,
            disagrees: claim.isSpecific && !kin.fits(claim.types, type)
                && (isRefuted || !claim.fits(type, database: families.database)))
    }

    private func refinement(of type: MediaType, by claim: MediaType) -> ClaimFamilies.Refinement {
        guard type == .unknown else { return families.refinement(of: type, by: claim) }
        return unsigned.admits(claim) ? .guess : .never
    }
}
