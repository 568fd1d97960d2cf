internal import Files

/// What a lock of the container protects. A process that needs several takes them in this order.
package enum LockArea: String, Sendable, CaseIterable {
    /// The container as a whole: shared by every process that has it open, exclusive for a migration.
    case container
    /// Making the container, and opening it: exclusive.
    case setup
    /// The right to drive the sinks: exclusive.
    case deliver
    /// The folder `library`: exclusive, while it is written.
    case library
    /// The objects: shared while a batch decides what is a duplicate, until the rows that rest on it are durable;
    /// exclusive while objects are removed.
    case objects
}

extension ContainerLayout {
    /// Runs `body` under the lock of an area, waiting for those who hold it; blocks its thread.
    func withLock<Value>(
        _ area: LockArea, _ mode: KernelLock.Mode, _ fileSystem: any FileSystem, _ body: () throws -> Value
    ) throws -> Value {
        let lock = try take(area, mode, fileSystem)
        return try withExtendedLifetime(lock, body)
    }

    /// Takes the lock of an area, waiting for those who hold it; blocks its thread.
    ///
    /// The system lets new sharers pass one who waits for a lock alone, for ever where there are always some. So who
    /// wants the objects' lock waits in a row for it, and holds the row's lock only so long. Nobody who has it waits for one
    /// who asks for it.
    func take(_ area: LockArea, _ mode: KernelLock.Mode, _ fileSystem: any FileSystem) throws -> KernelLock {
        guard area == .objects else { return try KernelLock(lock(area), mode, fileSystem) }
        let turn = try KernelLock(run.appending("objects-turn.lock"), .exclusive, fileSystem)
        return try withExtendedLifetime(turn) { try KernelLock(lock(area), mode, fileSystem) }
    }
}
