internal import Files
internal import GroupContainer
internal import ShareModel
internal import SystemPackage

/// Decides about batches as the committer would, one after the other, and stores nothing.
actor Planner {
    private let plan: PackagePlan
    /// The catalog of the container; `nil` if there is no container yet.
    let catalog: (any Catalog)?
    private let executor = QueueExecutor("sluice.plan")

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Throws: ``ContainerError`` if the container cannot be read. It need not exist.
    init(reading container: FilePath, _ fileSystem: any FileSystem, machine: String?) throws {
        plan = try PackagePlan(reading: container, fileSystem, machine: machine)
        catalog = plan.catalog
    }

    /// - Returns: the receipts of a batch, in order.
    func plan(_ batch: [Intake]) throws -> [Receipt] {
        let batch = try catalog.map { try batch.needed(in: $0) } ?? batch
        var planned = try plan.decide(batch.compactMap(\.proposal)).makeIterator()
        // An intake without a proposal would leave no row, and its receipt is final already.
        return batch.compactMap { intake in intake.isFinal ? intake.receipt : planned.next() }
    }
}
