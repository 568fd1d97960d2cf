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

    /// Does all deliveries that are open, by this run, another process, or an earlier run.
    ///
    /// Where another process is at it, that one does them, and this one waits until `ids` have ended, or until it is
    /// its turn.
    ///
    /// - Parameter ids: the deliveries that the caller needs; `nil` for whatever is open.
    /// - Throws: where the container is at fault. A sink's faults are in its deliveries' outcomes.
    func drain(_ ids: [String]? = nil) async throws {
        let isOurs = try await withTaskCancellationHandler {
            try await gate.open(for: ids)
        } onCancel: {
            gate.stopWaiting()
        }
        guard isOurs else { return }
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
