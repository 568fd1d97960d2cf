internal import GroupContainer
internal import ShareModel

/// All sinks of a run, each with a line of work of its own: a slow one does not hold up the others.
struct SinkCrew: Sendable {
    private let container: Container
    private let confiner: SharedConfiner
    private let lines: [SinkLine]
    private let faults = FaultLog()
    private let stop = StopFlag()
    private let gate: DeliveryGate
    private let records: AsyncStream<DeliveryRecord>
    private let recorder: AsyncStream<DeliveryRecord>.Continuation
    private let isSandboxRequired: Bool

    init(container: Container, registry: SinkRegistry, options: IngestOptions) {
        self.container = container
        let confiner = SharedConfiner(options.containment, notice: options.notice)
        self.confiner = confiner
        isSandboxRequired = options.containment == .required
        let (records, recorder) = AsyncStream.makeStream(of: DeliveryRecord.self)
        (self.records, self.recorder) = (records, recorder)
        let (stop, faults) = (stop, faults)
        lines = registry.sinks.map { sink in
            let desk = DeliveryDesk(container: container, sink: sink, limits: options.limits, clock: options.clock)
            return SinkLine(sink, desk: desk, confiner: confiner, stop: stop, faults: faults) { recorder.yield($0) }
        }
        gate = DeliveryGate(container: container, clock: options.clock) { [lines] in lines.forEach { $0.wake() } }
    }

    /// Runs the sinks' processes around `body`, which may call ``drain(_:)``; they end with it.
    ///
    /// - Parameter report: told of each delivery that ended, by any sink.
    func serve<Value: Sendable>(
        report: @escaping @Sendable (DeliveryRecord) async -> Void = { _ in }, _ body: () async throws -> Value
    ) async throws -> Value {
        if isSandboxRequired, !lines.isEmpty { _ = try await confiner.value }
        return try await withTaskCancellationHandler {
            // Tasks of their own: a cancellation is told to the sinks first, and ends them then.
            let telling = Task { for await record in records { await report(record) } }
            let working = Task {
                await withTaskGroup { group in for line in lines { group.addTask { await line.run() } } }
                await gate.close()
                recorder.finish()
            }
            let result = await Result { try await body() }
            end()
            await working.value
            await telling.value
            return try result.get()
        } onCancel: {
            stop.set()
            end()
        }
    }

    private func end() {
        for line in lines { line.finish() }
        gate.stopWaiting()
    }

    /// Does all deliveries that are open, by this run, another process, or an earlier run, and that may be tried by now.
    ///
    /// Where another process is at it, that one does them, and this one waits until those of `packages` have ended, or
    /// until it is its turn; from then on it does what others hand in as well. Several calls may be under way.
    ///
    /// - Parameter packages: those whose deliveries the caller needs; `nil` for whatever is open.
    /// - Throws: where the container is at fault. A sink's faults are in its deliveries' outcomes.
    func drain(_ packages: [String]? = nil) async throws {
        guard try await gate.open(for: packages) else { return }
        let newest = try await Aside.run { [container] in try container.deliveries.newest() }
        await withTaskGroup { group in
            for line in lines { group.addTask { await line.settle(upTo: newest) } }
        }
        if let fault = await faults.first { throw fault }
    }
}
