internal import GroupContainer
internal import ShareModel

/// All sinks of a run, each with a line of work of its own: a slow one does not hold up the others.
struct SinkCrew: Sendable {
    private let container: Container
    private let run: String
    private let lines: [SinkLine]
    private let faults = FaultLog()
    private let gate: DeliveryGate

    /// - Parameter report: told of each delivery that ended, by any sink.
    init(
        container: Container, registry: SinkRegistry, run: String, limits: IngestLimits,
        report: @escaping @Sendable (DeliveryRecord) async -> Void = { _ in }
    ) throws {
        self.container = container
        self.run = run
        gate = DeliveryGate(container: container)
        let faults = faults
        lines = try registry.sinks.map { sink in
            let desk = try DeliveryDesk(container: container, sink: sink, run: run, limits: limits)
            return SinkLine(sink, desk: desk, faults: faults, report: report)
        }
    }

    /// Runs the sinks' processes around `body`, which may call ``drain()``; they end with it.
    func serve<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        try await withThrowingTaskGroup { group in
            for line in lines { group.addTask { await line.run() } }
            defer { for line in lines { line.finish() } }
            return try await body()
        }
    }

    /// Does all deliveries that are open, by this run or an earlier one. Waits for another process that does.
    ///
    /// - Throws: where the container is at fault. A sink's faults are in its deliveries' outcomes.
    func drain() async throws {
        try await gate.open()
        do {
            let open = Set(try await gate.openSinks(run: run))
            await withTaskGroup { group in
                for line in lines where open.contains(line.sink.id) { group.addTask { await line.drain() } }
            }
        } catch {
            await gate.close()
            throw error
        }
        await gate.close()
        if let fault = await faults.first { throw fault }
    }
}

/// Lets one process at a time drive the sinks of a container. Waits on a thread of its own.
actor DeliveryGate {
    private let container: Container
    private var lock: KernelLock?
    private let executor = QueueExecutor("sluice.gate")

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(container: Container) { self.container = container }

    func open() throws {
        lock = try container.lock(.deliver, .exclusive)
        // Whoever held the lock before and died has left its sinks' folders; nobody uses them now.
        try FolderTree.remove(container.layout.work)
        try FolderTree.make(container.layout.work)
    }

    func close() { lock = nil }

    /// The sinks with deliveries that this run has not tried.
    func openSinks(run: String) throws -> [String] { try container.deliveries.openSinks(run: run) }
}
