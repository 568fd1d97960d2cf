internal import Accounts
internal import Files
internal import GroupContainer
internal import ShareModel
internal import Synchronization
internal import Transfers

/// Takes the ends of transfers during a run, and makes their deliveries due. What it does not take, the next run does.
final class TransferWatch: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        /// Whether all ends were taken that there were at the beginning.
        var isCaughtUp = false
        /// How often the connection has ended.
        var ends = 0
        /// Whether the run is over.
        var isOver = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        /// Whether an end was taken since the last look.
        var hasEnds = false
        var sent: [Int64: (sent: Int64, size: Int64)] = [:]
        /// Called when deliveries have become due.
        var wake: @Sendable () -> Void = {}
    }

    private let container: Container
    private let ledger: TransferLedger
    private let client: TransferClient
    private let places: AccountPlaces
    private let session: String
    private let clock: Clock
    private let state = Mutex(State())

    private static let lookInterval = Duration.milliseconds(100)
    /// So often the connection is made again.
    private static let tries = 5

    init(
        container: Container, ledger: TransferLedger, client: TransferClient, places: AccountPlaces, session: String,
        clock: Clock
    ) {
        (self.container, self.ledger, self.client, self.places) = (container, ledger, client, places)
        (self.session, self.clock) = (session, clock)
    }

    /// Says what is called when deliveries have become due, until ``end()``.
    func onDue(_ wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

    private var now: Int64 { clock.nanoseconds() / 1_000_000 }

    /// Begins to take ends, if it has not begun.
    func begin() {
        state.withLock { state in
            guard state.task == nil, state.ends < Self.tries, !state.isOver else { return }
            state.task = Task { [self] in
                await work()
                self.state.withLock { state in
                    state.task = nil
                    state.ends += 1
                }
            }
        }
    }

    /// Begins if an earlier run has left transfers, and makes the process look for what is due. Returns when their ends were taken.
    ///
    /// - Parameter isNow: whether transfers that wait for a later try are tried now.
    /// - Returns: why there is no transfer process; `nil` if there is one, or if there is nothing to do. The transfers stay as they are then.
    func catchUp(isNow: Bool) async throws -> String? {
        do {
            guard try await BlockingCall.run({ [ledger] in try ledger.hasWork() }) else { return nil }
            try await Self.cancelOrphans(container, ledger, client)
        } catch let error as CancellationError {
            throw error
        } catch {
            // What comes in does not depend on it.
            return "the record of the transfers cannot be read: \(error)"
        }
        do { try await client.look(isNow: isNow) } catch let failure as RequestFailure { return failure.why }
        begin()
        await withCheckedContinuation { continuation in
            let isCaughtUp = state.withLock { state in
                if !state.isCaughtUp { state.waiting.append(continuation) }
                return state.isCaughtUp
            }
            if isCaughtUp { continuation.resume() }
        }
        return nil
    }

    /// Waits while transfers are under way, until one has ended.
    ///
    /// - Parameters:
    ///   - session: that of the transfers; `nil` for those of all.
    ///   - waitsForRetries: whether to wait also for those that are tried again later.
    ///   - progress: gets the bytes that were sent and the size of all, about ten times a second.
    /// - Returns: whether deliveries may have become due.
    func settle(
        _ session: String?, waitsForRetries: Bool, _ progress: (TransferProgress) async -> Void
    ) async throws -> Bool {
        var hasWaited = false
        while true {
            let (hasEnds, isBroken) = state.withLock { state in
                defer { state.hasEnds = false }
                return (state.hasEnds, state.ends >= Self.tries)
            }
            if hasEnds { return true }
            let counts = try await BlockingCall.run { [self] in try ledger.counts(of: session, now: now) }
            guard !isBroken, counts.running + counts.ends > 0 || waitsForRetries && counts.open > 0 else {
                return hasWaited
            }
            hasWaited = true
            begin()
            // A process that began some of them may have died meanwhile.
            if counts.ends > 0 { await takeOthers() }
            let sums = state.withLock { state in
                state.sent.values.reduce((sent: 0, size: 0)) { ($0.sent + $1.sent, $0.size + $1.size) }
            }
            await progress(TransferProgress(open: counts.open, sent: sums.sent, size: sums.size))
            try await Task.sleep(for: Self.lookInterval)
        }
    }

    /// Ends the connection to the session. Other processes take the ends that come later.
    func end() async {
        cancel()
        await state.withLock(\.task)?.value
    }

    /// Begins to end, without waiting.
    func cancel() {
        let task = state.withLock { state in
            // Whoever is woken owns this.
            (state.wake, state.isOver) = ({}, true)
            return state.task
        }
        task?.cancel()
        catchUpIsOver()
    }

    /// Cancels the transfers of deliveries that are not open any more: a person has dismissed them, or forgotten their package. Their ends are of
    /// no use, and neither are those of deliveries that were made when the process that heard so died.
    static func cancelOrphans(_ container: Container, _ ledger: TransferLedger, _ client: TransferClient) async throws {
        let (open, ended) = try await BlockingCall.run {
            let isOrphan = { (transfer: (delivery: String, number: Int64)) in
                let record = try container.deliveries.record(transfer.number)
                return record?.id != transfer.delivery || record?.outcome != .pending
            }
            return (try ledger.open().filter(isOrphan), try ledger.ended().filter(isOrphan))
        }
        for orphan in open { _ = try? await client.change(orphan.delivery, .cancel) }
        for orphan in open + ended { _ = try? await client.change(orphan.delivery, .use) }
    }

    // MARK: - The connection

    private func work() async {
        await takeOthers()
        do {
            let own = try await TransferSession.join(session, by: client)
            // A cancellation ends the sequence of events. Leaving is a request, which a canceled task cannot make.
            try await own.run { [self] in try await take($0) }
            await Task { try? await own.leave() }.value
        } catch {
            // Another process takes the ends, or the transfer process has ended. The next run looks again.
        }
        catchUpIsOver()
    }

    /// Takes the ends of sessions whose processes have ended.
    private func takeOthers() async {
        let others = try? await BlockingCall.run { [ledger] in try ledger.sessionsWithEvents() }
        for other in others ?? [] where other != session && !Task.isCancelled {
            guard let own = try? await TransferSession.join(other, by: client, onlyForEvents: true) else { continue }
            try? await own.run { [self] events in
                _ = try await take(events)
                return !events.contains { $0.kind == .drained }
            }
            await Task { try? await own.leave() }.value
        }
    }

    private func take(_ events: [TransferEvent]) async throws -> Bool {
        let ends = events.filter { $0.end != nil }
        if !ends.isEmpty {
            let gone = try await BlockingCall.run { [self] in
                try container.deliveries.makeDue(ends.map(\.delivery), now: now)
                return try ends.filter { end in
                    let record = try container.deliveries.record(end.delivery)
                    return record?.id != end.key || record?.outcome != .pending
                }
            }
            // Another process may have the lease.
            places.wakeAgent()
            for end in gone { _ = try? await client.change(end.key, .use, end: end.end) }
        }
        state.withLock { state in
            for event in events {
                switch event.kind {
                case .progress(let sent, let size): state.sent[event.number] = (sent, size)
                case .waiting, .finished, .failed, .canceled: state.sent[event.number] = nil
                case .drained: break
                }
            }
            if !ends.isEmpty { state.hasEnds = true }
        }
        if !ends.isEmpty { state.withLock(\.wake)() }
        if events.contains(where: { $0.kind == .drained }) { catchUpIsOver() }
        return true
    }

    private func catchUpIsOver() {
        let waiting = state.withLock { state in
            state.isCaughtUp = true
            defer { state.waiting = [] }
            return state.waiting
        }
        waiting.forEach { $0.resume() }
    }
}

/// How far the transfers of a run are.
public struct TransferProgress: Sendable, Equatable {
    /// The transfers that have not ended.
    public var open: Int
    /// The bytes that were sent of those under way, and their sizes.
    public var sent, size: Int64
}

extension Pipeline {
    /// Cancels the transfers of deliveries that are not open any more. A later run does it otherwise.
    ///
    /// - Throws: ``IngestionError`` if the container cannot be read; `CancellationError`.
    package func cancelOrphanedTransfers() async throws {
        do {
            let container = try await openContainer(makes: false)
            let ledger = TransferLedger(container.layout.root)
            try await TransferWatch.cancelOrphans(container, ledger, accounts.makeClient())
        } catch let error as CancellationError {
            throw error
        } catch {
            throw IngestionError(error)
        }
    }
}
