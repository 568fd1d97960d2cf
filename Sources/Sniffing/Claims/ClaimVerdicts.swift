internal import ShareModel

/// What claims come to, for each conclusion and each claim that was met: few of either in any batch, so that the work
/// is done once. Not for two threads at once.
final class ClaimVerdicts {
    /// A conclusion and the claims about it: a name by the types that it says.
    struct Question: Hashable {
        var type: MediaType
        var declared: String?
        var named: [MediaType]?
    }

    /// One claim about a conclusion.
    struct Verdict {
        /// The one type that the claim names; a name that says several (`*.ts`: a movie, a translation) says none.
        var type: MediaType?
        var refinement: ClaimFamilies.Refinement
        var disagrees: Bool
    }

    /// No more are kept; then all are forgotten.
    private static let limit = 1024
    /// A longer declaration is not kept, in bytes.
    private static let lengthLimit = 255

    private let families: ClaimFamilies
    private let kin: ClaimKin
    private var known: [Question: [Verdict]] = [:]

    init(database: SharedMIMEDatabase) {
        families = ClaimFamilies(database: database)
        kin = ClaimKin(database: database)
    }

    /// For each claim that was made, the declared type first.
    func verdicts(_ question: Question) -> [Verdict] {
        if let verdicts = known[question] { return verdicts }
        let verdicts = Self.claims(question).map { verdict($0, question.type) }
        if (question.declared?.utf8.count ?? 0) <= Self.lengthLimit {
            if known.count >= Self.limit { known.removeAll(keepingCapacity: true) }
            known[question] = verdicts
        }
        return verdicts
    }

    private static func claims(_ question: Question) -> [Claim] {
        [question.declared.map { Claim(declared: $0) }, question.named.map { Claim(pattern: "", types: $0) }]
            .compactMap { $0 }
    }

    private func verdict(_ claim: Claim, _ type: MediaType) -> Verdict {
        let claimed = claim.types.count == 1 ? claim.types.first : nil
        let isRefuted = families.isRefuted(claim.types, by: type)
        return Verdict(
            type: claimed, refinement: claimed.map { families.refinement(of: type, by: $0) } ?? .never,
            disagrees: claim.isSpecific && !kin.fits(claim.types, type)
                && (isRefuted || !claim.fits(type, database: families.database)))
    }
}
