internal import Accounts
package import Files
package import GroupContainer
public import ShareModel
internal import SinkHost
internal import Synchronization
internal import SystemPackage
internal import Transfers

/// Drives the deliveries of a container for as long as its task runs: each one when it is due, also those that other
/// processes add.
///
/// Between two rounds it sleeps until the file system reports a change, or until the next delivery is due. While none is
/// open that can be made, it sets no timer. Each round looks for the sinks and their settings again.
///
/// Several processes may drive the deliveries of one container: a kernel lock lets one of them work, and the others wait.
public final class StandingDelivery: Sendable {
    /// What happens, in order.
    public enum Event: Sendable {
        /// A round begins.
        case began
        /// A delivery ended.
        case ended(DeliveryReport)
        /// Deliveries wait for a login, or for a decision of a person. It comes again after another login or logout.
        case needsPerson(OpenDeliveries)
        /// A sink cannot be started, and why. It is tried again when another delivery is added, or the settings change.
        case obstructed(String)
        /// The sinks or their settings differ from those of the last round; these are the faults of the new ones.
        case changedSettings(warnings: [String])
        /// A round failed, and why. Another one is tried after ``lookInterval``.
        case failed(IngestionError)
        /// Nothing is to be done until this time, in milliseconds since 1970; with `nil`, until something changes.
        case rests(until: Int64?)
    }

    /// The time until the next round if deliveries are due that the last round did not make.
    static let lookInterval = Duration.seconds(10)

    private struct State {
        /// Open while it works.
        var container: Container?
        var watch: FileWatch?
        var round: Task<Void, Never>?
        var isPaused = false
        var isWanted = false
        var known = Known()
    }

    private let options: @Sendable () -> IngestOptions
    private let state = Mutex(State())

    /// - Parameter options: the options of each round. The container is the same each time.
    public init(options: @escaping @Sendable () -> IngestOptions) { self.options = options }

    /// Works until its task is canceled. A delivery under way may then still end.
    ///
    /// - Parameters:
    ///   - endsWhenIdle: whether to return when no delivery is open that a wait can make.
    ///   - isOver: whether to return, asked before each round and after each delivery. Others under way may then still end.
    ///   - patience: whether to return after this time without work. A pause is not such a time.
    ///   - report: no delivery waits for it.
    /// - Returns: what ends the rest, if it returns because there was no work.
    /// - Throws: ``IngestionError`` if the container cannot be opened or watched.
    @discardableResult
    public func run(
        endsWhenIdle: Bool = false, until isOver: @escaping @Sendable () -> Bool = { false },
        restingAfter patience: Duration? = nil, _ report: @escaping @Sendable (Event) async -> Void
    ) async throws -> Rest? {
        do {
            return try await withTaskCancellationHandler {
                try await work(endsWhenIdle: endsWhenIdle, until: isOver, restingAfter: patience, report)
            } onCancel: {
                interrupt()
            }
        } catch is CancellationError {
            return nil
        } catch {
            throw IngestionError(error)
        }
    }

    /// What ends a time without work.
    public struct Rest: Sendable {
        /// The time, in milliseconds since 1970, when a delivery is due.
        public var until: Int64?
        /// Reports every change since there was no work.
        package let watch: FileWatch
    }

    /// Makes no delivery until ``resume()``. A delivery under way may still end.
    public func pause() {
        state.withLock { $0.isPaused = true }
        interrupt()
    }

    /// Ends a pause.
    public func resume() {
        state.withLock { $0.isPaused = false }
        wake()
    }

    /// Whether ``pause()`` was called last.
    public var isPaused: Bool { state.withLock { $0.isPaused } }

    /// Tries every open delivery now, also those that are due later. Ends a pause.
    public func deliverNow() {
        state.withLock { ($0.isPaused, $0.isWanted) = (false, true) }
        wake()
    }

    /// The open deliveries of each sink.
    ///
    /// - Throws: ``IngestionError`` if the container cannot be read.
    public func open() async throws -> [OpenDeliveries] {
        let pipeline = Pipeline(options: options())
        guard let container = state.withLock(\.container) else { return try await pipeline.openDeliveries() }
        return try await pipeline.openDeliveries(of: container)
    }

    /// Whether a delivery is open that a wait can make. After ``run(endsWhenIdle:_:)``, sinks that it could not start do not count.
    ///
    /// - Throws: ``IngestionError`` if the container cannot be read.
    public func hasWork() async throws -> Bool {
        do {
            let pipeline = Pipeline(options: options())
            let (container, known) = (try await pipeline.openContainer(makes: false), state.withLock(\.known))
            return try await BlockingCall.run { try Self.look(container, pipeline, known).next != nil }
        } catch {
            throw IngestionError(error)
        }
    }

    private func interrupt() {
        state.withLock { state in
            state.round?.cancel()
            state.watch?.stop()
        }
    }

    private func wake() { state.withLock { $0.watch?.stop() } }

    // MARK: - Rounds

    /// What is known since the last round.
    private struct Known {
        /// The newest delivery before the round.
        var newest: Int64 = 0
        /// When the transfer process was asked for the last time.
        var transferStart: ContinuousClock.Instant?
        /// The ends of transfers that no process had taken before the round.
        var ends = 0
        /// When the round began, in milliseconds since 1970.
        var began: Int64 = 0
        /// The sinks that could not be started.
        var obstructed: Set<String> = []
        /// Whether the round failed.
        var hasFailed = false
        var sinks: [SinkRegistry.Trace]?
        /// The markers of the accounts. Another login is a reason to try a sink again.
        var markers: [AccountName: AccountMarker] = [:]
        /// The accounts with deliveries that need a person, as far as that was reported.
        var needing: Set<String> = []
        /// The shares that stay in the inbox, with the reasons.
        var waiting: [FilePath: String] = [:]
    }

    private func work(
        endsWhenIdle: Bool, until isOver: @escaping @Sendable () -> Bool, restingAfter patience: Duration?,
        _ report: @escaping @Sendable (Event) async -> Void
    ) async throws -> Rest? {
        let container = try await Pipeline(options: options()).openContainer(makes: false)
        container.makeWatchable()
        var known = state.withLock { state in
            state.container = container
            return state.known
        }
        defer { state.withLock { [known] in ($0.known, $0.container) = (known, nil) } }
        while !Task.isCancelled {
            let hasTransfers = try await BlockingCall.run {
                try TransferLedger(container.layout.root).counts(of: nil, now: 0).open > 0
            }
            // The watch begins before the look, so it reports each change after it. The system may be short of watches for a while.
            // The death of the transfer process closes its lock.
            let watch = container.watchChanges(orClosed: hasTransfers ? "\(TransferClient.channel).lock" : nil)
            try container.requireInPlace()
            let (isPaused, isWanted) = state.withLock { state in
                state.watch = watch
                defer { state.isWanted = false }
                return (state.isPaused, state.isWanted)
            }
            // A cancellation that came before the watch was there has stopped nothing.
            // A pause would be forgotten, and an order is carried out first.
            guard !Task.isCancelled, isPaused || isWanted || !isOver() else { break }
            let pipeline = Pipeline(options: options())
            let sinks = pipeline.registry.traces
            if known.sinks != sinks {
                if known.sinks != nil { await report(.changedSettings(warnings: pipeline.warnings)) }
                (known.sinks, known.obstructed, known.waiting) = (sinks, [], [:])
            }
            let markers = pipeline.accounts.markersOfAll
            if known.markers != markers {
                (known.markers, known.obstructed, known.needing) = (markers, [], [])
            }
            // The reason, such as a locked store of secrets, may be gone.
            if isWanted { (known.obstructed, known.waiting) = ([], [:]) }
            if !isPaused { await takeInbox(pipeline.options, &known, until: isOver, report) }
            // One that has died does not come back by itself.
            if hasTransfers, !isPaused { await startTransfers(pipeline, &known) }
            // A small program that rests would not see it die.
            let patience = hasTransfers ? nil : patience
            let clock = pipeline.options.clock
            let look = try await BlockingCall.run { [known] in try Self.look(container, pipeline, known) }
            for open in look.needing
            where known.needing.insert("\(open.account?.description ?? open.sink) \(open.needs == .login)").inserted {
                await report(.needsPerson(open))
            }
            let now = clock.nanoseconds() / 1_000_000
            guard let next = isWanted ? look.next.map({ _ in now }) : look.next, !isPaused else {
                if endsWhenIdle, !isPaused { return nil }
                await report(.rests(until: nil))
                let rest = try await Self.sleep(watch, nil, atMost: isPaused ? nil : patience)
                if let rest { return Rest(until: nil, watch: rest) }
                continue
            }
            guard next <= now else {
                await report(.rests(until: next))
                let rest = try await Self.sleep(watch, .milliseconds(next - now), atMost: patience)
                if let rest { return Rest(until: next, watch: rest) }
                continue
            }
            (known.newest, known.began, known.ends) = (look.newest, now, look.ends)
            await report(.began)
            let result = await round(pipeline, container, isWanted ? .now : .due) { [self] delivery in
                await report(.ended(delivery))
                if isOver() { state.withLock { $0.round?.cancel() } }
            }
            switch result {
            case .success(let obstructed):
                (known.hasFailed, known.obstructed) = (false, obstructed)
                // The beginning of the round took these reasons back.
                for why in known.waiting.values.sorted() { await report(.obstructed(why)) }
                for sink in obstructed.sorted() {
                    if let held = try? container.breakers.held(sink) { await report(.obstructed(held.why)) }
                }
            case .failure(let error):
                known.hasFailed = true
                await report(.failed(IngestionError(error)))
            }
        }
        return nil
    }

    /// Starts the transfer process, if there is none. One that dies at once is started again after a while.
    private func startTransfers(_ pipeline: Pipeline, _ known: inout Known) async {
        guard known.transferStart.map({ .now > $0 + Self.transferPatience }) ?? true else {
            Task { [weak self] in
                try await Task.sleep(for: Self.transferPatience)
                self?.wake()
            }
            return
        }
        known.transferStart = .now
        _ = try? await pipeline.accounts.makeClient().look()
    }

    private static let transferPatience = Duration.seconds(2)

    /// Takes in what waited for a migration. A share that stays is not tried again until the sinks, their settings or the order of
    /// a person change.
    private func takeInbox(
        _ options: IngestOptions, _ known: inout Known, until isOver: () -> Bool, _ report: (Event) async -> Void
    ) async {
        do {
            let result = try await Pipeline.takeInbox(options, except: Set(known.waiting.keys), until: isOver)
            for left in result.left {
                known.waiting[left.share] = "\(left.share) stays in the inbox: \(left.why)"
                await report(.obstructed(known.waiting[left.share] ?? ""))
            }
        } catch {
            // The end of the agent is no failure.
            if !Task.isCancelled { await report(.failed(IngestionError(error))) }
        }
    }

    /// The newest delivery, and the time of the next round; `nil` if no delivery is open that a round can make. And the deliveries that
    /// need a person.
    private static func look(_ container: Container, _ pipeline: Pipeline, _ known: Known) throws -> (
        newest: Int64, next: Int64?, needing: [OpenDeliveries], ends: Int
    ) {
        let newest = try container.deliveries.newest()
        let all = try pipeline.accounts.annotated(container.openDeliveries()).filter {
            pipeline.registry[$0.sink] != nil
        }
        let (open, needing) = (all.filter { $0.needs == nil }, all.filter { $0.needs != nil })
        // A new delivery is a reason to try a sink again.
        if newest > known.newest, !open.isEmpty, !known.hasFailed { return (newest, 0, needing, 0) }
        let later = known.began + lookInterval.milliseconds
        // A transfer whose starter has gone has ended.
        let ends = try TransferLedger(container.layout.root).counts(of: nil, now: 0).ends
        if !known.hasFailed, ends > 0 {
            // If the last round took none, the transfer process cannot be reached.
            return (newest, known.began == 0 ? 0 : ends == known.ends ? later : 0, needing, ends)
        }
        let times = open.filter { !known.obstructed.contains($0.sink) }.map { $0.due > known.began ? $0.due : later }
        return (newest, times.min().map { known.hasFailed ? max($0, later) : $0 }, needing, ends)
    }

    /// - Returns: the sinks that could not be started.
    private func round(
        _ pipeline: Pipeline, _ container: Container, _ pace: DeliveryPace,
        _ report: @escaping @Sendable (DeliveryReport) async -> Void
    ) async -> Result<Set<String>, any Error> {
        let outcome = Mutex<Result<Set<String>, any Error>>(.success([]))
        let task = Task {
            let result = await Result {
                if pace == .now {
                    try await BlockingCall.run {
                        try container.endWaits(now: pipeline.options.clock.nanoseconds() / 1_000_000)
                    }
                }
                return try await pipeline.round(container, pace, report: report)
            }
            // A pause or the end of the agent is no failure.
            if case .failure(let error) = result, error is CancellationError { return }
            outcome.withLock { $0 = result }
        }
        state.withLock { $0.round = task }
        if Task.isCancelled || isPaused { task.cancel() }
        await task.value
        state.withLock { $0.round = nil }
        return outcome.withLock { $0 }
    }

    /// Sleeps until a change, ``wake()``, or for a time.
    ///
    /// - Returns: the watch, if the sleep ended only because of its limit.
    private static func sleep(_ watch: FileWatch?, _ time: Duration?, atMost limit: Duration?) async throws
        -> FileWatch?
    {
        guard let watch else {
            try await Task.sleep(for: min(time ?? lookInterval, lookInterval))
            return nil
        }
        let isLimited = limit.map { limit in time.map { $0 > limit } ?? true } ?? false
        let wake = try await BlockingCall.run { try watch.wake(atMost: isLimited ? limit : time) }
        return isLimited && wake == .timedOut ? watch : nil
    }
}

extension Pipeline {
    /// Whether a delivery of the package is open that a process can make without help: its sink is there, and nothing is
    /// known that keeps it from starting.
    ///
    /// - Throws: ``IngestionError`` if the container cannot be read.
    package func isDeliverable(_ receipt: Receipt, in container: Container) async throws -> Bool {
        let records = receipt.providers.flatMap(\.deliveries).filter { record in
            record.outcome == .pending && registry[record.sink] != nil
        }
        do {
            let accounts = accounts
            return try await BlockingCall.run {
                try records.contains { record in
                    try accounts.need(record.sink, record.login) == nil
                        && container.breakers.held(record.sink).map(\.isPause) ?? true
                }
            }
        } catch {
            throw IngestionError(error)
        }
    }

    /// The open deliveries of each sink: their number, the time when the next one is due, and the reason.
    ///
    /// - Throws: ``IngestionError`` if the container cannot be read.
    public func openDeliveries() async throws -> [OpenDeliveries] {
        let container: Container
        // An agent may be asked while its container is being removed.
        do { container = try await openContainer(makes: false) } catch { throw IngestionError(error) }
        return try await openDeliveries(of: container)
    }

    fileprivate func openDeliveries(of container: Container) async throws -> [OpenDeliveries] {
        do {
            let accounts = accounts
            return try await BlockingCall.run { try container.openDeliveries(in: registry, accounts, options.clock) }
        } catch {
            throw IngestionError(error)
        }
    }
}
