internal import Files
internal import GroupContainer
internal import ShareModel
internal import SinkHost

/// Delivers to all sinks of a run, with a worker for each: a slow sink does not hold up the others.
struct DeliveryService: Sendable {
    private let container: Container
    private let confiner: SharedConfiner
    private let workers: [SinkWorker]
    private let faults = FaultLog()
    private let stop = StopFlag()
    private let lease: DriverLease
    private let records = RecordQueue(limit: 16 << 20)
    private let isSandboxRequired: Bool
    private let clock: Clock
    private let notice: @Sendable (String) -> Void
    /// `nil` without a sink that makes requests.
    private let transfers: TransferWatch?

    init(container: Container, registry: SinkRegistry, options: IngestOptions) {
        self.container = container
        (clock, notice) = (options.clock, options.notice)
        let confiner = SharedConfiner(options.containment, launcher: options.launcher, notice: options.notice)
        self.confiner = confiner
        isSandboxRequired = options.containment == .required
        let limits = options.limits.delivery
        let accounts = AccountBook(options, registry)
        let ledger = TransferLedger(container.layout.root)
        let client = accounts.makeClient()
        let watch = TransferWatch(
            container: container, ledger: ledger, client: client, places: accounts.places,
            session: options.transferSession, clock: options.clock)
        let performer = accounts.makePerformer(client) { watch.begin() }
        let workers = registry.sinks.map { [stop, faults, records] sink in
            let store = DeliveryStore(container: container, sink: sink.manifest, limits: limits, clock: options.clock)
            return SinkWorker(
                sink, store: store, accounts: accounts, performer: performer, ledger: ledger, limits: limits,
                confiner: confiner, stop: stop, faults: faults
            ) {
                records.append($0.ending, of: $0.package, name: $0.name)
            }
        }
        self.workers = workers
        transfers = registry.sinks.contains(where: \.makesRequests) ? watch : nil
        lease = DriverLease(container: container, clock: options.clock, notice: options.notice) { [workers] in
            workers.forEach { $0.wake() }
        }
    }

    /// Runs the workers while `body` runs, which may call ``drain(_:)``. The workers and their processes end before
    /// this returns.
    ///
    /// - Parameters:
    ///   - isNow: whether transfers that wait for a later try are tried now.
    ///   - report: gets each delivery that ended, of any sink. No worker waits for it: this run has the lease, so
    ///     every other run would wait too, perhaps one that the listener itself started.
    func serve<Value: Sendable>(
        hastening isNow: Bool = false, report: @escaping @Sendable (DeliveryReport) async -> Void = { _ in },
        _ body: () async throws -> Value
    ) async throws -> Value {
        // If a required sandbox is missing, the run ends here, before it takes a package in.
        if isSandboxRequired, !workers.isEmpty { _ = try await confiner.value }
        return try await withTaskCancellationHandler {
            // These tasks do not inherit the cancellation. So a cancelled worker can still let its sink answer before
            // it ends the sink's process.
            // The listener may block, for example on a slow terminal, so it has a thread of its own.
            let reporting = Task(executorPreference: QueueTaskExecutor("sluice.report")) {
                try await records.forEach({ try container.deliveries.record($0) }, report)
            }
            let working = Task {
                await withTaskGroup { group in for worker in workers { group.addTask { await worker.run() } } }
                await lease.close()
                records.finish()
            }
            let result = await Result {
                transfers?.onDue { [workers] in workers.forEach { $0.wake() } }
                if let why = try await transfers?.catchUp(isNow: isNow) { notice(why) }
                return try await body()
            }
            await transfers?.end()
            end()
            await working.value
            let reported = await reporting.result
            let value = try result.get()
            try reported.get()
            return value
        } onCancel: {
            stop.set()
            transfers?.cancel()
            // Its trial belongs to a task of a worker, which does not inherit the cancellation either.
            confiner.cancel()
            end()
        }
    }

    /// The sinks that this run could not start, because a setting, a secret or their program is missing. Call it after
    /// ``serve(report:_:)``. The reasons on record do not tell: they may be those of an earlier run.
    var obstructed: Set<String> {
        get async {
            var found: Set<String> = []
            for worker in workers {
                if await worker.isObstructed { found.insert(worker.sink.id) }
            }
            return found
        }
    }

    private func end() {
        for worker in workers { worker.finish() }
        lease.stopWaiting()
    }

    /// Tries the deliveries of this run, of earlier runs and of other processes.
    ///
    /// If another process has the lease, that process delivers. This call then waits until the deliveries of `packages`
    /// have ended, or until this run gets the lease. A run with the lease also drives the deliveries that other
    /// processes commit. Several calls may run at once.
    ///
    /// - Parameter packages: the packages whose deliveries the caller needs. They were never tried, so the call waits for
    ///   no retry, though the run makes retries that are due. With `nil`, the call waits for every delivery that is due
    ///   now.
    /// - Throws: an error of the container. A sink's faults are in its deliveries' outcomes.
    func drain(_ packages: [String]? = nil) async throws {
        guard try await lease.open(for: packages) else { return }
        let newest = try await BlockingCall.run { [container] in try container.deliveries.newest() }
        let due = packages == nil ? clock.nanoseconds() / 1_000_000 : 0
        await withTaskGroup { group in
            for worker in workers { group.addTask { await worker.settle(upTo: newest, due: due) } }
        }
        if let fault = await faults.first { throw fault }
    }

    /// Waits while transfers are under way, and makes the deliveries of those that end.
    ///
    /// - Parameters:
    ///   - session: that of the transfers; `nil` for those of all.
    ///   - waitsForRetries: whether to wait also for those that are tried again later.
    func settleTransfers(
        of session: String?, waitsForRetries: Bool = false, _ progress: (TransferProgress) async -> Void
    ) async throws {
        while try await transfers?.settle(session, waitsForRetries: waitsForRetries, progress) == true {
            try await drain()
        }
    }
}
