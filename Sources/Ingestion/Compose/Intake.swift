internal import GroupContainer
internal import ShareModel

/// One input after all stages before the commit.
struct Intake: Sendable {
    /// The receipt so far; for a skipped input it is final.
    var receipt: Receipt
    /// `nil` for an input that leaves no row in the container.
    var proposal: PackageProposal?
    var staged: [StagedObject] = []
    /// Whether a walk found the input; see ``PackageSource/isFound``.
    var isFound = false
    /// The package's identifier without the title and the text of the run; `nil` if the run has neither. A walk skips what
    /// was forgotten, whatever title it gives.
    var plainID: String?

    /// The size of the staged content; a batch ends at a limit of their sum.
    var bytes: Int64 { staged.reduce(0) { $0 + $1.size } }
}
