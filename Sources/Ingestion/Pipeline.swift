internal import GroupContainer
public import ShareModel
internal import SinkKit
internal import Synchronization
internal import SystemPackage
internal import Unpacking

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// The pipeline, from what came in to its receipts:
///
/// **read** ─► **resolve** ─► **select** ─► **stage** ─► **commit** ─► **route** ─► **deliver** ─► **receipt**
///
/// ``IntakeWorker`` takes a package from reading to staging, several side by side. ``Storer`` makes the content of a batch
/// of them durable, ``Committer`` their rows, with the deliveries that ``Router`` says they lead to. ``SinkCrew`` delivers, while the next batch is read.
public struct Pipeline: Sendable {
    private let options: IngestOptions
    private let registry: SinkRegistry

    /// Looks for the sinks; opens nothing yet.
    public init(options: IngestOptions) {
        self.init(
            options: options,
            registry: SinkRegistry(
                folders: options.sinkFolders, program: ProgramPath.current, configuration: options.configurationFolder))
    }

    init(options: IngestOptions, registry: SinkRegistry) {
        self.options = options
        self.registry = registry
        // A sink that dies while it is written to is that delivery's end, not this process's.
        signal(SIGPIPE, SIG_IGN)
    }

    /// Sinks that were found and are broken, or cannot be used as they are set: what is wrong, and the remedy.
    public var warnings: [String] { registry.warnings }

    /// Takes the input in and drives the deliveries, telling of each package as it is settled, in order.
    ///
    /// A cancellation ends it after the commits under way; what was settled until then is in the summary.
    ///
    /// - Throws: ``IngestionError`` where the container is at fault. A package's faults are in its receipt.
    public func ingest(_ input: IngestInput, report: @escaping @Sendable (IngestEvent) async -> Void) async throws
        -> Summary
    {
        do {
            let container = try await openContainer()
            let run = Run.identifier()
            let crew = SinkCrew(
                container: container, registry: options.delivers ? registry : SinkRegistry(sinks: []),
                options: options)
            let storer = Storer(container: container)
            let committer = Committer(container: container)
            return try await crew.serve {
                let recognizer = SourceRecognizer(container: container, router: Router(registry: registry), run: run)
                return try await takeIn(
                    input, container.objects, recognizer: options.rereads ? nil : recognizer, run: run, report: report
                ) { batch in
                    try await storer.store(batch)
                } commit: { batch in
                    try await committer.commit(batch)
                } settle: { receipts in
                    guard options.delivers else { return receipts }
                    try await crew.drain(receipts.filter(\.hasOpenDeliveries).map(\.packageID))
                    return try await committer.refresh(receipts)
                }
            }
        } catch {
            throw IngestionError(error)
        }
    }

    /// Makes the same decisions, storing nothing; deliveries are those that would be made.
    public func inspect(_ input: IngestInput, report: @escaping @Sendable (IngestEvent) async -> Void) async throws
        -> Summary
    {
        do {
            let folder = try TemporaryFolder()
            return try await takeIn(
                input, folder.objects, recognizer: nil, run: Run.identifier(), report: report
            ) { batch in
                batch.map(\.planned)
            } commit: {
                $0
            } settle: {
                $0
            }
        } catch {
            throw IngestionError(error)
        }
    }

    /// Drives the deliveries that are still open, and with `retrying` those named that failed or were quarantined.
    ///
    /// - Returns: what ended now, and what is open still.
    /// - Throws: ``IngestionError`` where the container is at fault, or a name is nobody's.
    public func deliver(
        retrying prefixes: [String] = [], pace: DeliveryPace = .now,
        report: @escaping @Sendable (DeliveryRecord) async -> Void
    ) async throws -> DeliveryResult {
        do {
            let container = try await openContainer()
            let count = DeliveryCount()
            try await Aside.run {
                try container.deliveries.reopen(prefixes)
                if pace == .now { try container.deliveries.hurry() }
            }
            while true {
                // A crew for each time: while this one waits, others may drive the sinks.
                let crew = SinkCrew(container: container, registry: registry, options: options)
                try await crew.serve { record in
                    await count.add(record)
                    await report(record)
                } _: {
                    try await crew.drain()
                }
                guard pace == .wait, let rest = try await rest(container) else { break }
                do { try await Task.sleep(for: rest) } catch { break }
            }
            var open = try await Aside.run { try container.deliveries.open() }
            for place in open.indices where registry[open[place].sink] == nil {
                open[place].why = "no sink of that name is there and turned on; see `sluice sinks`"
                open[place].due = 0
            }
            var ended = await count.total
            ended.pending = open.reduce(0) { $0 + $1.count }
            return DeliveryResult(deliveries: ended, open: open)
        } catch {
            throw IngestionError(error)
        }
    }

    /// How long to wait for the next delivery whose sink is there; `nil` where none is open.
    private func rest(_ container: Container) async throws -> Duration? {
        let open = try await Aside.run { try container.deliveries.open() }
        let next = open.filter { registry[$0.sink] != nil }.map(\.due).min()
        return next.map { .milliseconds(max($0 - options.clock.nanoseconds() / 1_000_000, 0) + 1) }
    }

    private func openContainer() async throws -> Container {
        try await Aside.run { [options] in
            try Container(
                opening: options.container.absolute, fileSystem: options.fileSystem, reserve: options.reserve)
        }
    }

    /// The run itself: while a batch is read, the one before it is stored, the one before that committed, and those
    /// before that are settled.
    private func takeIn<Stored: Sendable>(
        _ input: IngestInput, _ objects: any ObjectStore, recognizer: SourceRecognizer?, run: String,
        report: @escaping @Sendable (IngestEvent) async -> Void, store: @escaping Conveyor<Stored>.Store,
        commit: @escaping Conveyor<Stored>.Commit, settle: @escaping Conveyor<Stored>.Settle
    ) async throws -> Summary {
        let meter = ProgressMeter()
        let composer = IntakeComposer(
            router: Router(registry: registry), limits: options.limits, clock: options.clock, run: run)
        let workers = try (0..<max(1, options.jobs)).map { _ in
            try IntakeWorker(
                area: objects.makeStagingArea(), composer: composer, recognizer: recognizer, options: options,
                meter: meter)
        }
        let intake = BatchReader(input, container: options.container, workers: workers, limits: options.limits)
        // Who listens may write to a terminal that stands still. Everything else goes on.
        let listener = TaskQueue("sluice.tell")
        return try await withProgress(of: meter, on: listener, report) {
            let summary = Mutex(Summary())
            var conveyor = Conveyor<Stored>(window: options.limits.settlingBatches, listener: listener)
            try await conveyor.run(read: intake.next, store: store, commit: commit, settle: settle) { receipts in
                for receipt in receipts {
                    summary.withLock { $0.add(receipt) }
                    await report(.settled(receipt))
                }
            }
            return summary.withLock { $0 }
        }
    }

    /// Tells how far the run has come, a few times a second, while `body` runs.
    private func withProgress(
        of meter: ProgressMeter, on listener: TaskQueue, _ report: @escaping @Sendable (IngestEvent) async -> Void,
        _ body: () async throws -> Summary
    ) async throws -> Summary {
        try await withThrowingTaskGroup { group in
            group.addTask(executorPreference: listener) {
                while (try? await Task.sleep(for: .milliseconds(100))) != nil {
                    let now = meter.reading
                    await report(.progress(packages: now.packages, bytes: now.bytes, reading: now.current))
                }
            }
            defer { group.cancelAll() }
            return try await body()
        }
    }
}
