internal import GroupContainer
internal import ShareModel

/// Commits batches: objects first, then rows. The one owner of the container's writing side in a run.
///
/// What it does is not to be interrupted: a cancellation waits until the commit is done, because a half of it would
/// leave objects without rows, and the packages unacknowledged.
actor Committer {
    private let container: Container
    private let executor = QueueExecutor("sluice.commit")

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(container: Container) { self.container = container }

    /// The settled receipts of a batch, in order. All of it is durable when this returns, or none of it is in.
    func commit(_ batch: [Intake]) throws -> [Receipt] {
        // Held until the rows are in: what is taken for known here must not be collected meanwhile.
        let lock = try container.lock(.objects, .shared)
        try container.store(batch.flatMap(\.staged))
        var settled = try container.catalog.commit(batch.compactMap(\.proposal)).makeIterator()
        _ = consume lock
        return batch.compactMap { intake in intake.proposal == nil ? intake.receipt : settled.next() }
    }

    /// The receipts with their deliveries as they stand now.
    func refresh(_ receipts: [Receipt]) throws -> [Receipt] { try container.catalog.refresh(receipts) }
}
