internal import Files
internal import GroupContainer
internal import ShareModel

/// Commits the rows of batches, one after the other.
///
/// What it does is not to be interrupted: a cancellation waits until the commit is done, because a half of it would
/// leave objects without rows, and the packages unacknowledged.
actor Committer {
    private let container: Container
    private let executor = QueueExecutor("sluice.commit")

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(container: Container) { self.container = container }

    /// The settled receipts of a batch, in order. All of it is durable when this returns, or none of it is in.
    func commit(_ batch: StoredBatch) throws -> [Receipt] {
        var settled = try withExtendedLifetime(batch) {
            try container.catalog.commit(batch.intakes.compactMap(\.proposal)).makeIterator()
        }
        return batch.intakes.compactMap { intake in intake.proposal == nil ? intake.receipt : settled.next() }
    }

    /// The receipts with their deliveries as they stand now.
    func refresh(_ receipts: [Receipt]) throws -> [Receipt] { try container.catalog.refresh(receipts) }
}
