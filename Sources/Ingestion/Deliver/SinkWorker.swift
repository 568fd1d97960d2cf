internal import Files
internal import GroupContainer
internal import ShareModel
internal import SinkHost

/// Delivers to one sink in a run, on a thread of its own. It starts the sink's process with the first delivery, keeps it for the
/// next ones, and starts another after a crash.
actor SinkWorker {
    nonisolated let sink: InstalledSink
    private let store: DeliveryStore
    private let accounts: AccountBook
    private let performer: any RequestPerformer
    /// `nil` for a sink that makes no requests.
    private let transfers: SinkTransfers?
    private let limits: DeliveryLimits
    private let confiner: SharedConfiner
    private let signal = WorkerSignal()
    private let stop: StopFlag
    private let faults: FaultLog
    private let report: @Sendable (FinishedDelivery) -> Void
    private let executor = QueueExecutor("sluice.sink")
    private var state = DeliveryState()
    private var breaker = CircuitBreaker()
    private var processes = 0
    /// Whether a setting or a secret is missing, so that the sink cannot be started. The next run tries again.
    private(set) var isObstructed = false
    /// The token that the sink's service refused, until the next one is there.
    private var refused: TokenRefusal?
    /// Whether the service has refused a request that the host made for the sink. Then the login is checked before the next one.
    private var isRequestRefused = false
    /// Whether the token of the running process has worked.
    private var hasTokenWorked = false

    /// The time between two looks at an idle process.
    private static let lookInterval = Duration.seconds(1)
    /// An idle process is ended after this number of looks, because it holds memory and a sandbox for nothing.
    private static let looksAtRest = 30
    /// After this number of failures, a refused token counts as a failure of the delivery, and not of the login.
    private static let refusalLimit = 3
    /// A delivery is quarantined after this number of crashes that surely were its own.
    private static let crashLimit = 2

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameter report: gets each delivery whose ending is on record. It must not block: the
    ///   sink's clocks run on.
    init(
        _ sink: InstalledSink, store: sending DeliveryStore, accounts: AccountBook, performer: TransferPerformer,
        ledger: TransferLedger, limits: DeliveryLimits, confiner: SharedConfiner, stop: StopFlag, faults: FaultLog,
        report: @escaping @Sendable (FinishedDelivery) -> Void
    ) {
        self.sink = sink
        self.store = store
        self.accounts = accounts
        self.performer = performer
        transfers = sink.makesRequests ? SinkTransfers(ledger, performer.client) : nil
        self.limits = limits
        self.confiner = confiner
        self.stop = stop
        self.faults = faults
        self.report = report
    }

    /// Waits until the worker has tried the deliveries up to a number, and those that are due by a time; see
    /// ``WorkerSignal/settle(upTo:due:)``. Needs ``run()`` to be under way.
    nonisolated func settle(upTo number: Int64, due: Int64) async { await signal.settle(upTo: number, due: due) }

    /// Makes the worker look for due deliveries.
    nonisolated func wake() { signal.wake() }

    /// Announces that no more callers come: ``run()`` serves those that wait, ends the process, and returns.
    nonisolated func finish() { signal.finish() }

    /// Delivers whenever the worker is woken, until ``finish()``.
    nonisolated func run() async {
        do {
            // Without a caller this run has no lease, and the work folders are another process's.
            guard await waitForCaller() else { return signal.end() }
            while try await waitForWork() { try await runProcess() }
        } catch {
            await faults.add(error)
        }
        do { try await close() } catch { await faults.add(error) }
        signal.end()
    }

    /// Takes back the claims of deliveries that were not handed over, and removes the sink's folders.
    private func close() throws {
        try putBack()
        store.close()
    }

    private func waitForCaller() -> Bool { signal.sleep() == .woken }

    /// Blocks until a delivery is pending; `false` if no more can come.
    private func waitForWork() throws -> Bool {
        while try !fill() {
            guard signal.sleep() == .woken, !stop.isSet else { return false }
        }
        return !stop.isSet
    }

    /// Claims due deliveries unless some are pending, and resumes the callers that wait for no other.
    private func fill() throws -> Bool {
        guard state.isEmpty else { return true }
        // Once no caller of this run waits, other runs make the deliveries that they add.
        guard !signal.isOver else { return false }
        let count = signal.count
        guard !isObstructed else {
            signal.resume(first: count)
            return false
        }
        // Without a login there is nothing to try, and no attempt is used.
        guard accounts.whyLogin(sink.id) == nil else {
            signal.resume(first: count)
            return false
        }
        let claimed = try store.claim(as: accounts.login(of: sink.id), limit: claimLimit)
        if let first = claimed.first { breaker.begin(pauses: first.troubles) }
        state.add(claimed)
        signal.resume(first: count, before: claimed.first.map { WorkerSignal.Place(due: $0.due, number: $0.seq) })
        return !state.isEmpty
    }

    /// A process that dies leaves all that it has claimed with an unknown outcome. Where that keeps a delivery from being repeated, it
    /// claims no more than it hands over.
    private var claimLimit: Int {
        sink.account != nil && sink.manifest.idempotent != true ? 1 : DeliveryStore.claimLimit
    }

    // MARK: - One process

    private func runProcess() async throws {
        processes += 1
        let folder = store.workFolder.appending(String(processes))
        let end = try await SinkSession.run(
            sink, in: folder, on: store.fileSystem, confiner: await confiner.value, limits: limits, tokens: accounts,
            refused: refused, performer: performer, stop: stop
        ) { session in
            (refused, hasTokenWorked) = (nil, false)
            // The session owns this, so it must not own the session.
            session.mayHand = { [accounts, token = session.token, owner = session.owner] in
                token.map(accounts.isCurrent) ?? owner.map(accounts.isLoggedIn) ?? true
            }
            do {
                try serve(session)
            } catch let fault as SinkFault {
                // Waiting for the process's end can take seconds, and answers must not wait for that.
                try flush()
                throw fault
            } catch {
                // The answers count even if the container has a fault, so commit those that it still takes.
                try? flush()
                throw error
            }
        }
        try conclude(end)
        for word in transfers?.takeWords() ?? [] { await word.value }
        if isRequestRefused, let account = sink.account {
            isRequestRefused = false
            await accounts.reportRefusal(of: account, hasWorked: hasTokenWorked)
        }
        // Otherwise it would start again and again.
        guard end.fault == nil, end.isReady, end.handed == 0, refused == nil, !state.isEmpty, !stop.isSet else {
            return
        }
        try pause("the token of the sink \(sink.id) ends before the sink is ready", isShort: true)
    }

    /// Delivers until no delivery is left, or the process takes no more.
    private func serve(_ session: SinkSession) throws {
        repeat {
            try session.checkAtRest()
            repeat {
                try handOver(to: session)
                if state.isDueForFlush { try flush() }
                if session.isIdle { break }
                if let outcome = try session.next() { try finish(outcome, session) }
            } while true
        } while try !isOver(session) && staysForMore(session)
        try flush()
    }

    /// Whether the process takes no more deliveries. So does one whose token is not that of the present login any more.
    private func isOver(_ session: SinkSession) -> Bool {
        session.isOver || refused != nil || isRequestRefused || !session.mayHand()
    }

    private func handOver(to session: SinkSession) throws {
        while !isOver(session), !stop.isSet, let next = state.next(window: session.window) {
            guard next.login == session.owner else {
                // Another person has logged in since the claim. They get none of these.
                state.putBack(next.id)
                return try putBack()
            }
            do {
                let login = next.login.flatMap { accounts.marker(of: $0.account)?.login }
                let transfer = try transfers?.transfer(of: next.id, login: login)
                if case .outcome(let outcome)? = transfer {
                    try finish(outcome, session)
                    continue
                }
                guard transfer != nil || !isUndecided(next, session) else {
                    try leaveUndecided(next, session)
                    continue
                }
                var hosted = try store.hosted(next)
                if case .ended(let end, let download)? = transfer {
                    (hosted.transfer, hosted.download, hosted.isUncertain) = (end, download, false)
                }
                if let outcome = try session.begin(hosted) { try finish(outcome, session) }
            } catch let error as UndeliverableError {
                try finish(HostedOutcome(id: next.id, result: .undeliverable(error.why)), session)
            } catch {
                state.putBack(next.id)
                throw error
            }
        }
    }

    /// Waits for more deliveries with the process at rest; `false` if none come for a while.
    private func staysForMore(_ session: SinkSession) throws -> Bool {
        var looks = 0
        while try !fill() {
            switch signal.sleep(for: Self.lookInterval) {
            case .over: return false
            case .woken: if stop.isSet { return false }
            case .nothing:
                looks += 1
                guard looks < Self.looksAtRest else { return false }
                try session.checkAtRest()
            }
        }
        return !stop.isSet
    }

    /// Whether a repetition could send something twice: an earlier attempt has no known outcome, and neither the sink nor its service
    /// knows whether it arrived.
    private func isUndecided(_ delivery: ClaimedDelivery, _ session: SinkSession) -> Bool {
        delivery.isUncertain && session.owner != nil && !session.canCheck && sink.manifest.idempotent != true
    }

    /// Whether a sink's failure leaves open what its service has got, so that a repetition could send something twice.
    private func isUndecided(_ outcome: HostedOutcome, _ session: SinkSession) -> Bool {
        switch outcome.result {
        case .transient, .unauthorized: outcome.isUncertain && !session.canCheck && sink.manifest.idempotent != true
        default: false
        }
    }

    private func leaveUndecided(_ delivery: ClaimedDelivery, _ session: SinkSession) throws {
        _ = state.remove(delivery.id)
        let why = "an earlier attempt may have arrived, and its service cannot tell; try it again only if it has not"
        state.finish(store.named(FinishedDelivery(delivery, .quarantined, why: why, session.containment), delivery))
        try flush()
    }

    /// Makes a delivery pending again whose token the service refused. It has used no attempt.
    ///
    /// - Returns: `false` if the delivery itself is at fault. The count is on record, so that such a delivery does not end each new
    ///   login.
    private func putBackUnauthorized(_ id: String, _ token: ShareToken?) -> Bool {
        guard var claimed = state.claimed(id) else { return false }
        (claimed.failures, claimed.isUncertain) = (claimed.failures + 1, false)
        guard claimed.failures < Self.refusalLimit else { return false }
        if let token {
            refused = refused ?? TokenRefusal(of: token, hasWorked: hasTokenWorked)
        } else {
            isRequestRefused = true
        }
        state.putBackInOrder(claimed)
        transfers?.use(endsOf: [id])
        return true
    }

    private func finish(_ outcome: HostedOutcome, _ session: SinkSession) throws {
        if isUndecided(outcome, session), let claimed = state.claimed(outcome.id) {
            return try leaveUndecided(claimed, session)
        }
        if case .unauthorized = outcome.result, session.owner != nil, putBackUnauthorized(outcome.id, session.token) {
            return
        }
        guard let claimed = state.remove(outcome.id) else { return }
        var result = outcome.result
        // The login is not at fault, so a later attempt may succeed, as after any other failure.
        if case .unauthorized(let why) = result, session.owner != nil { result = .transient(why, retryAfter: nil) }
        let finished = try store.finished(claimed, result, in: session)
        state.finish(finished)
        switch result {
        case .transient: try noteFailure("the sink \(sink.id) keeps failing: \(finished.ending.record.why ?? "")")
        case .undeliverable: break
        // A sink that answers works, even if it refuses the delivery.
        case .answered, .present, .refused, .failed, .unauthorized, .transferring:
            if case .transferring = result {} else { hasTokenWorked = true }
            if breaker.succeed() { try store.release() }
        }
    }

    /// Commits the finished deliveries and reports those that are on record then.
    private func flush() throws {
        let finished = state.removeFinished()
        guard !finished.isEmpty else { return }
        // If another run took a delivery over, that run reports the ending. This run's ending is not on record.
        let (recorded, failure) = try store.complete(finished)
        if let transfers {
            transfers.use(endsOf: recorded.filter { !$0.isTransferring }.map(\.ending.record.id))
            // An end that came before this was on record has made nothing due.
            let over = try recorded.filter { try $0.isTransferring && !transfers.isOpen($0.ending.record.id) }
            if !over.isEmpty {
                try store.makeDue(over)
                signal.wake()
            }
        }
        recorded.forEach(report)
        if let failure { throw failure }
    }

    // MARK: - The end of a process

    private func conclude(_ end: SessionEnd) throws {
        for id in end.untouched { state.putBack(id) }
        guard let fault = end.fault else { return }
        if case .stopped = fault {
            for id in end.givenUp { state.putBack(id, isCertain: true) }
            state.removeInFlight()
            return try putBack()
        }
        let open = (end.unanswered + end.givenUp).compactMap { state.remove($0) }
        state.removeInFlight()
        if case .obstructed(let why) = fault {
            try putBack()
            // The marker has the reason of a login that is over, and each claim looks at it.
            guard accounts.whyLogin(sink.id) == nil else { return }
            isObstructed = true
            return try store.hold(pauses: 0, why: "the sink \(sink.id) cannot be started: \(why)")
        }
        if case .delayed(let why) = fault {
            return try pause("the sink \(sink.id) cannot be started: \(why)", isShort: true)
        }
        guard end.isReady, !open.isEmpty || end.handed > 0 else {
            return try pause("the sink \(sink.id) cannot be started: \(end.why)")
        }
        guard !open.isEmpty else { return }
        // Only if a process had a single delivery, its first one, that delivery surely killed it.
        if open.count == 1, end.handed == 1 {
            try settleCrash(of: open[0], end)
        } else {
            state.add(suspects: try store.attemptAgain(open))
        }
        try noteFailure("the sink \(sink.id) keeps failing: \(end.why)")
    }

    private func settleCrash(of delivery: ClaimedDelivery, _ end: SessionEnd) throws {
        var delivery = delivery
        delivery.deaths += 1
        let reason: String
        if end.hasSpentItsTime {
            reason = "this delivery needs more than that"
        } else if delivery.deaths >= Self.crashLimit {
            reason = "this delivery made it crash \(delivery.deaths) times"
        } else {
            return state.add(suspects: try store.attemptAgain([delivery]))
        }
        let why = "\(end.why); \(reason)"
        state.finish(store.named(FinishedDelivery(delivery, .quarantined, why: why, end.containment), delivery))
        try flush()
    }

    /// Takes back the claims of all pending deliveries.
    private func putBack() throws { try store.putBack(state.removePending()) }

    private func noteFailure(_ why: String) throws {
        if breaker.fail() { try pause(why) }
    }

    /// Pauses the sink: its deliveries wait and state the reason.
    ///
    /// - Parameter isShort: whether the pause stays about a minute at most, because nothing tells when its reason ends.
    private func pause(_ why: String, isShort: Bool = false) throws {
        breaker.pause()
        try putBack()
        try store.hold(pauses: isShort ? min(breaker.pauses, Self.shortPauses) : breaker.pauses, why: why)
    }

    /// After this number of doublings a pause has about a minute.
    private static let shortPauses = 6
}

/// The first error of workers that run side by side.
actor FaultLog {
    private(set) var first: (any Error)?

    func add(_ error: any Error) {
        if first == nil, !(error is CancellationError) { first = error }
    }
}
