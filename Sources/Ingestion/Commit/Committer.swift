internal import Files
internal import GroupContainer
internal import ShareModel

/// Commits the rows of batches, one after the other.
///
/// Cancellation does not interrupt a commit. Half of one would leave objects without rows, and packages without an
/// acknowledgment.
actor Committer {
    private let container: Container
    private let executor = QueueExecutor("sluice.commit")

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(container: Container) { self.container = container }

    /// Commits the rows of a batch in one transaction, which is durable when this returns.
    ///
    /// - Returns: the settled receipts, in order.
    func commit(_ batch: StoredBatch) throws -> [Receipt] {
        // The batch holds the objects lock. It must live until the transaction is durable.
        var settled = try withExtendedLifetime(batch) {
            try container.catalog.commit(batch.intakes.compactMap(\.proposal)).makeIterator()
        }
        // An intake without a proposal leaves no row, and its receipt is final already.
        return batch.intakes.compactMap { intake in intake.proposal == nil ? intake.receipt : settled.next() }
    }

    /// The receipts with the present state of their deliveries.
    func refresh(_ receipts: [Receipt]) throws -> [Receipt] { try container.catalog.refresh(receipts) }
}
