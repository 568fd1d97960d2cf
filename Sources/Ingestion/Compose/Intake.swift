internal import GroupContainer
internal import ShareModel

/// One input after all stages before the commit.
struct Intake: Sendable {
    /// Indirect, because the stages copy intakes often and change them seldom.
    private indirect enum State {
        case proposed(PackageProposal)
        case final(Receipt)
    }

    private var state: State
    var staged: [StagedObject] = []
    /// Whether a walk found the input; see ``PackageSource/isFound``.
    var isFound = false
    /// The package's identifier without the title and the text of the run; `nil` if the run has neither. A walk skips what
    /// was forgotten, whatever title it gives.
    var plainID: String?

    /// An input that becomes a package.
    init(_ proposal: PackageProposal, staged: [StagedObject] = []) {
        state = .proposed(proposal)
        self.staged = staged
    }

    /// An input that leaves no row in the container.
    init(final receipt: Receipt, isFound: Bool = false) {
        state = .final(receipt)
        self.isFound = isFound
    }

    /// Whether the input leaves no row in the container, so that its receipt is final.
    var isFinal: Bool { if case .final = state { true } else { false } }

    /// `nil` for an input that leaves no row in the container.
    var proposal: PackageProposal? {
        if case .proposed(let proposal) = state { proposal } else { nil }
    }

    /// The receipt so far; for an input without a proposal it is final.
    var receipt: Receipt {
        switch state {
        case .proposed(let proposal): proposal.receipt
        case .final(let receipt): receipt
        }
    }

    /// The size of the staged content; a batch ends at a limit of their sum.
    var bytes: Int64 { staged.reduce(0) { $0 + $1.size } }

    /// Changes the proposal, if there is one.
    mutating func change(_ body: (inout PackageProposal) -> Void) {
        guard case .proposed(var proposal) = state else { return }
        body(&proposal)
        state = .proposed(proposal)
    }
}
