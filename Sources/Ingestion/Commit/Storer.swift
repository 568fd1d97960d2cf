internal import Files
internal import GroupContainer
internal import ShareModel

/// Makes the content of batches durable, one after the other, while the rows of the one before are committed.
actor Storer {
    private let container: Container
    private let executor = QueueExecutor("sluice.store")
    /// The batch before, for as long as its rows are not in.
    private weak var last: StoredBatch?

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(container: Container) { self.container = container }

    /// The batch, all of whose content is durable when this returns.
    func store(_ batch: [Intake]) throws -> StoredBatch {
        // Held until the rows are in: what is taken for known here must not be collected meanwhile.
        let lock = try container.lock(.objects, .shared)
        // Asked for after the lock: whoever lives now held its own all the time, so that nothing of it was removed.
        let durable = last?.digests ?? []
        let staged = batch.flatMap(\.staged)
        try container.store(staged, durable: durable)
        let stored = StoredBatch(intakes: batch, digests: Set(staged.map(\.digest)), lock: lock)
        last = stored
        return stored
    }
}

/// A batch whose content is durable, and kept from removal for as long as this lives.
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
