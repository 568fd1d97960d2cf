package import Files

/// An area of the container, which one lock protects. A process that needs several locks takes them in this order.
package enum LockArea: String, Sendable, CaseIterable {
    /// The container as a whole. Each process that has it open holds the lock shared; a migration holds it exclusively.
    case container
    /// Making and opening the container. The lock is exclusive.
    case setup
    /// The right to drive the sinks. The lock is exclusive.
    case deliver
    /// The folder `library`. A process that writes it holds the lock exclusively.
    case library
    /// Opening the search index, which may remove and make its file. The lock is exclusive.
    case search
    /// Keeping the search index up to date during a long run. The lock is exclusive.
    case keeper
    /// The objects. A batch holds the lock shared, from its decision that content is a duplicate until the rows that
    /// rely on it are durable. A process that removes objects holds it exclusively.
    case objects

    /// The name of the lock's file.
    package var file: String { rawValue + ".lock" }
}

extension ContainerLayout {
    /// Runs `body` under the lock of an area, and waits for the processes that hold it; blocks its thread.
    package func withLock<Value>(
        _ area: LockArea, _ mode: KernelLock.Mode, _ fileSystem: any FileSystem, _ body: () throws -> Value
    ) throws -> Value {
        let lock = try take(area, mode, fileSystem)
        return try withExtendedLifetime(lock, body)
    }

    /// Takes the lock of an area, and waits for the processes that hold it; blocks its thread.
    ///
    /// *Must:* a holder of the objects lock does not wait for a process that waits for that lock. A third process may
    /// be queued between the two, and then all three would wait for ever.
    package func take(_ area: LockArea, _ mode: KernelLock.Mode, _ fileSystem: any FileSystem) throws -> KernelLock {
        guard area == .objects else { return try KernelLock(lock(area), mode, fileSystem) }
        // The kernel lets new sharers overtake a process that wants the lock exclusively; with enough batches it would
        // wait for ever. So all processes queue at a second lock, and hold that one only until they have the first.
        let turn = try KernelLock(run.appending("objects-turn.lock"), .exclusive, fileSystem)
        return try withExtendedLifetime(turn) { try KernelLock(lock(area), mode, fileSystem) }
    }
}
