internal import GroupContainer
internal import ShareModel

/// One input after reading, resolving, selecting and staging: what is to be committed of it.
struct Intake: Sendable {
    /// The story so far; for an input that was skipped, all of it.
    var receipt: Receipt
    /// `nil` for an input that was skipped, which leaves no trace in the container.
    var proposal: PackageProposal?
    var staged: [StagedObject] = []

    /// The staged bytes, by which a batch is closed.
    var bytes: Int64 { staged.reduce(0) { $0 + $1.size } }
}
