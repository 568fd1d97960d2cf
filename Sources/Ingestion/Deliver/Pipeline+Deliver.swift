internal import Files
internal import GroupContainer
internal import ShareModel
internal import SinkHost

extension Pipeline {
    /// Drives the deliveries that are still open.
    ///
    /// - Parameters:
    ///   - prefixes: deliveries to open again, such as failed or quarantined ones. Each element is the beginning of a
    ///     delivery's or a package's identifier, or the identifier of a sink.
    ///   - pace: the time at which they are driven.
    ///   - report: called with each delivery that ended.
    /// - Throws: ``IngestionError`` if the container fails, or if an element of `prefixes` names no delivery to open
    ///   again; `CancellationError`.
    public func deliver(
        retrying prefixes: [String] = [], pace: DeliveryPace = .now,
        report: @escaping @Sendable (DeliveryReport) async -> Void
    ) async throws -> DeliveryResult {
        do {
            let container = try await openContainer()
            let count = DeliveryCount()
            try await BlockingCall.run {
                try container.deliveries.reopen(prefixes)
                if pace == .now { try container.endWaits(now: options.clock.nanoseconds() / 1_000_000) }
            }
            let wait = DeliveryWait(container, registry, options.clock)
            while true {
                let newest = try await BlockingCall.run { try container.deliveries.newest() }
                // A new service for each round: while this run waits, other processes may have the lease.
                let service = DeliveryService(container: container, registry: registry, options: options)
                try await service.serve { ended in
                    await count.add(ended.record)
                    await report(ended)
                } _: {
                    try await service.drain()
                }
                guard pace == .wait, try await wait.wait(after: newest) else { break }
            }
            var open = try await BlockingCall.run { try container.openDeliveries() }
            for place in open.indices where registry[open[place].sink] == nil {
                open[place].why = "no enabled sink has this identifier".with(.dismissDeliveries(sink: open[place].sink))
                open[place].due = 0
            }
            var ended = await count.total
            ended.pending = open.reduce(0) { $0 + $1.count }
            return DeliveryResult(deliveries: ended, open: open)
        } catch let error as CancellationError {
            throw error
        } catch {
            throw IngestionError(error)
        }
    }
}
