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
    ///   - opened: called once, with the number of open deliveries.
    ///   - transfers: called with the progress of transfers under way, about ten times a second.
    ///   - report: called with each delivery that ended.
    /// - Returns: what ended, and what is open. So does a call whose task is canceled, as soon as the container is open.
    /// - Throws: ``IngestionError`` if the container fails, or if an element of `prefixes` names no delivery to open
    ///   again; `CancellationError`.
    public func deliver(
        retrying prefixes: [String] = [], pace: DeliveryPace = .now,
        opened: @escaping @Sendable (Int) async -> Void = { _ in },
        transfers: @escaping @Sendable (TransferProgress) async -> Void = { _ in },
        report: @escaping @Sendable (DeliveryReport) async -> Void
    ) async throws -> DeliveryResult {
        do {
            let container = try await openContainer()
            await noticeInbox()
            let count = DeliveryCount()
            do {
                try await BlockingCall.run {
                    try container.deliveries.reopen(prefixes)
                    if pace == .now { try container.endWaits(now: options.clock.nanoseconds() / 1_000_000) }
                }
                await opened(try await BlockingCall.run { try container.deliveries.open().reduce(0) { $0 + $1.count } })
                try await deliver(container, pace, transfers) { ended in
                    await count.add(ended.record)
                    await report(ended)
                }
            } catch is CancellationError {
                // A read waits for no other process, so a person still learns what is left.
            }
            let open = try await BlockingCall.run {
                try container.openDeliveries(in: registry, accounts, options.clock)
            }
            return DeliveryResult(ended: await count.total, open: open)
        } catch let error as CancellationError {
            throw error
        } catch {
            throw IngestionError(error)
        }
    }

    /// Takes in what waited for a migration. It keeps no delivery waiting.
    private func noticeInbox() async {
        do {
            for left in try await Self.takeInbox(options).left {
                options.notice("\(left.share) stays in the inbox: \(left.why)")
            }
        } catch {
            if !Task.isCancelled { options.notice(IngestionError(error).message) }
        }
    }

    private func deliver(
        _ container: Container, _ pace: DeliveryPace, _ transfers: @escaping @Sendable (TransferProgress) async -> Void,
        report: @escaping @Sendable (DeliveryReport) async -> Void
    ) async throws {
        let wait = DeliveryWait(container, registry, accounts, options.clock)
        var said: Set<String> = []
        while true {
            let newest = try await BlockingCall.run { try container.deliveries.newest() }
            let obstructed = try await round(container, pace, waits: transfers, report: report)
            guard pace == .wait else { return }
            // The wait may be long, and the reports of deliveries do not say why a sink gets none.
            let reasons = try await BlockingCall.run { try obstructed.sorted().compactMap(container.breakers.held) }
            for held in reasons where said.insert(held.why).inserted { options.notice(held.why) }
            guard try await wait.wait(after: newest, except: obstructed) else { return }
        }
    }

    /// Makes the deliveries that are due.
    ///
    /// Each round has a service of its own: between two rounds, other processes may have the lease.
    ///
    /// - Parameter waits: gets the progress of transfers under way, which the round waits for; with `nil` it waits for none.
    /// - Returns: the sinks that could not be started; see ``DeliveryService/obstructed``.
    func round(
        _ container: Container, _ pace: DeliveryPace, waits: (@Sendable (TransferProgress) async -> Void)? = nil,
        report: @escaping @Sendable (DeliveryReport) async -> Void
    ) async throws -> Set<String> {
        let service = DeliveryService(container: container, registry: registry, options: options)
        try await service.serve(hastening: pace == .now, report: report) {
            try await service.drain()
            if let waits { try await service.settleTransfers(of: nil, waitsForRetries: pace == .wait, waits) }
        }
        return await service.obstructed
    }
}
