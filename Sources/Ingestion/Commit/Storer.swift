internal import Files
internal import GroupContainer
internal import ShareModel

/// Makes the content of batches durable, one after the other. Meanwhile the committer may commit the previous batch.
actor Storer {
    private let container: Container
    private let executor = QueueExecutor("sluice.store")
    /// The previous batch, until its rows are committed.
    private weak var last: StoredBatch?

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(container: Container) { self.container = container }

    /// Stores the content of a batch. All of it is durable when this returns.
    func store(_ batch: [Intake]) throws -> StoredBatch {
        // The lock is held until the rows are committed. Otherwise a collection could remove content that this batch
        // relies on.
        let lock = try container.lock(.objects, .shared)
        // Under the lock, so that no package is forgotten before the rows of this batch are committed.
        let needed = try batch.needed(in: container.catalog)
        // If the previous batch is still alive after this lock was taken, it has held its own lock all the time. So
        // none of its content was removed.
        let durable = last?.digests ?? []
        let batch = try needed.whole(in: container, durable: durable)
        let staged = batch.flatMap(\.staged)
        try container.store(staged, durable: durable)
        let stored = StoredBatch(intakes: batch, digests: Set(staged.map(\.digest)), lock: lock)
        last = stored
        return stored
    }
}

/// A batch with durable content. Its lock keeps the content from removal as long as this value lives.
final class StoredBatch: Sendable {
    let intakes: [Intake]
    let digests: Set<Digest>
    private let lock: KernelLock

    init(intakes: [Intake], digests: Set<Digest>, lock: KernelLock) {
        self.intakes = intakes
        self.digests = digests
        self.lock = lock
    }
}
