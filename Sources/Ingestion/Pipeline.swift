internal import Files
internal import GroupContainer
internal import Reading
public import ShareModel
package import SinkHost
internal import SinkKit
internal import Synchronization
internal import SystemPackage

/// The pipeline, from the input to the receipts:
///
/// **read** ─► **resolve** ─► **select** + **stage** ─► **compose** ─► **commit** ─► **deliver** ─► **receipt**
///
/// - **Read**: ``BatchReader`` reads packages in the order of the input and gives them to ``IntakeWorker``s.
/// - **Resolve**, **select**, **stage**, **compose**: an ``IntakeWorker`` takes one package through ``Resolution``
///   (which item), ``ProviderSelector`` and ``Stager`` (which representation, and its bytes) and ``PackageComposer``
///   (receipt and rows; ``GroupPolicy`` groups the providers, ``Router`` finds the sinks of each group).
/// - **Commit**: ``Storer`` makes the content of a batch durable, ``Committer`` its rows. ``BatchPipeline`` runs the
///   batches.
/// - **Deliver**: ``DeliveryService`` drives the sinks for every open delivery while the next batches are read.
public struct Pipeline: Sendable {
    let options: IngestOptions
    let registry: SinkRegistry

    /// Looks for the sinks. The container is not opened yet.
    public init(options: IngestOptions) {
        self.init(
            options: options,
            registry: SinkRegistry(
                folders: options.sinkFolders, program: ProgramPath.current, configuration: options.configurationFolder))
    }

    package init(options: IngestOptions, registry: SinkRegistry) {
        self.options = options
        self.registry = registry
    }

    /// The faults of installed sinks: a broken manifest, or settings that keep a sink from starting. Each message names
    /// the remedy.
    public var warnings: [String] { registry.warnings }

    /// Takes the packages of the input in and drives their deliveries. Reports each package when it is settled, in the
    /// order of the input.
    ///
    /// If the task is cancelled, the run completes the commits under way. The summary covers the packages that were
    /// settled until then.
    ///
    /// - Throws: ``IngestionError`` if the container fails. The faults of a package are in its receipt.
    public func ingest(_ input: IngestInput, report: @escaping @Sendable (IngestEvent) async -> Void) async throws
        -> Summary
    {
        do {
            let container = try await openContainer()
            // Without sinks the service starts no worker, and the deliveries stay pending.
            let service = DeliveryService(
                container: container, registry: options.delivers ? registry : SinkRegistry(sinks: []),
                options: options)
            let (storer, committer) = (Storer(container: container), Committer(container: container))
            return try await service.serve {
                let run = PipelineRun(options: options, registry: registry)
                let recognizer = SourceRecognizer(container: container, router: run.router, run: run.name)
                let reader = try run.reader(input, container.objects, options.rereads ? nil : recognizer)
                return try await run.drive(report) { summary in
                    BatchStages(
                        read: { try await reader.next() },
                        store: { try await storer.store($0) },
                        commit: { try await committer.commit($0) },
                        deliver: { receipts in
                            guard options.delivers else { return receipts }
                            try await service.drain(receipts.filter(\.hasOpenDeliveries).map(\.packageID))
                            // The commit wrote these receipts before the deliveries ended.
                            return try await committer.refresh(receipts)
                        },
                        report: summary)
                }
            }
        } catch {
            throw IngestionError(error)
        }
    }

    /// Takes one package in and drives its deliveries.
    ///
    /// - Returns: the receipt, also of a package that failed.
    /// - Throws: ``IngestionError`` if the container fails; `CancellationError` if the task was cancelled before the
    ///   package was committed.
    public func submit(_ package: SharePackage) async throws -> Receipt {
        let settled = Mutex<Receipt?>(nil)
        _ = try await ingest(.package(package)) { event in
            if case .settled(let receipt) = event { settled.withLock { $0 = receipt } }
        }
        guard let receipt = settled.withLock({ $0 }) else { throw CancellationError() }
        return receipt
    }

    /// Makes the decisions of an ingest into an empty container, but stores nothing. The receipts list the deliveries
    /// that the ingest would open.
    public func inspect(_ input: IngestInput, report: @escaping @Sendable (IngestEvent) async -> Void) async throws
        -> Summary
    {
        do {
            let folder = try TemporaryFolder(for: "inspect")
            let objects = try Container.scratch(folder.path, fileSystem: folder.fileSystem)
            let run = PipelineRun(options: options, registry: registry)
            let reader = try run.reader(input, objects, nil)
            // The folder is removed with its value, so the value must live as long as the run.
            defer { withExtendedLifetime(folder) {} }
            return try await run.drive(report) { summary in
                BatchStages(
                    read: { try await reader.next() }, store: { $0.map(\.planned) }, commit: { $0 },
                    deliver: { $0 }, report: summary)
            }
        } catch {
            throw IngestionError(error)
        }
    }

    func openContainer() async throws -> Container {
        try await BlockingCall.run { [options] in
            try Container.open(
                at: options.container, fileSystem: options.fileSystem, reserve: options.reserve,
                machine: options.machine, engines: options.engines)
        }
    }
}

/// One run of the pipeline: its name, its workers and its progress.
private struct PipelineRun {
    let name = UniqueName.make()
    let options: IngestOptions
    let router: Router
    private let meter = ProgressMeter()

    init(options: IngestOptions, registry: SinkRegistry) {
        self.options = options
        router = Router(registry: registry)
    }

    /// The first stages, up to composed packages whose content is staged in `objects`.
    ///
    /// - Parameter recognizer: recognizes files that have not changed since they came in; `nil` to read every file.
    func reader(_ input: IngestInput, _ objects: any ObjectStore, _ recognizer: SourceRecognizer?) throws
        -> BatchReader
    {
        let composer = PackageComposer(router: router, limits: options.limits, clock: options.clock, run: name)
        let workers = try (0..<max(1, options.jobs)).map { _ in
            try IntakeWorker(
                area: objects.makeStagingArea(), composer: composer, recognizer: recognizer, options: options,
                meter: meter)
        }
        return BatchReader(input, workers: workers, options: options)
    }

    /// Runs the stages, reports each receipt, and reports the progress a few times a second.
    func drive<Stored: Sendable>(
        _ report: @escaping @Sendable (IngestEvent) async -> Void,
        _ stages: (@escaping @Sendable ([Receipt]) async -> Void) -> BatchStages<Stored>
    ) async throws -> Summary {
        // A listener may block, for example on a terminal that takes no more output. Then it blocks only this queue.
        let listener = QueueExecutor("sluice.report")
        let summary = Mutex(Summary())
        return try await withProgress(on: listener, report) {
            var batches = BatchPipeline(
                stages { receipts in
                    for receipt in receipts {
                        summary.withLock { $0.add(receipt) }
                        await report(.settled(receipt))
                    }
                }, window: options.limits.settlingBatches, listener: listener)
            try await batches.run()
            return summary.withLock { $0 }
        }
    }

    private func withProgress(
        on listener: QueueExecutor, _ report: @escaping @Sendable (IngestEvent) async -> Void,
        _ body: () async throws -> Summary
    ) async throws -> Summary {
        try await withThrowingTaskGroup { group in
            group.addTask(executorPreference: listener) { [meter] in
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
