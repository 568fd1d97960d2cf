internal import Files
package import GroupContainer
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
        self.init(options: options, registry: Self.registry(options))
    }

    /// The sinks that the options name.
    static func registry(_ options: IngestOptions) -> SinkRegistry {
        SinkRegistry(
            folders: options.sinkFolders, program: ProgramPath.current, configuration: options.configurationFolder)
    }

    package init(options: IngestOptions, registry: SinkRegistry) {
        self.options = options
        self.registry = registry
    }

    /// The faults of installed sinks: a broken manifest, or settings that keep a sink from starting. Each message names
    /// the remedy.
    public var warnings: [String] { registry.warnings }

    /// Takes the packages of the input in and drives their deliveries. Reports each package when it is committed, and
    /// again when it is settled, either in the order of the input.
    ///
    /// If the task is cancelled, the run completes the commits under way, unless another process keeps a lock for
    /// more than five seconds. The summary covers the packages that were settled until then. A run that has read nothing
    /// yet throws `CancellationError`.
    ///
    /// If no path of the input exists, the run makes no container.
    ///
    /// - Throws: ``IngestionError`` if the container fails. The faults of a package are in its receipt.
    public func ingest(_ input: IngestInput, report: @escaping @Sendable (IngestEvent) async -> Void) async throws
        -> Summary
    {
        if let paths = input.missingPaths(options.fileSystem) { return try await reportMissing(paths, report) }
        do {
            // Before a container is made: a wrong input makes none.
            let inputs = RunInputs(input, options)
            try await inputs.open()
            let container = try await openContainer()
            // Without sinks the service starts no worker, and the deliveries stay pending.
            let service = DeliveryService(
                container: container, registry: options.delivers ? registry : SinkRegistry(sinks: []),
                options: options)
            let (storer, committer) = (Storer(container: container), Committer(container: container))
            let run = PipelineRun(options: options, registry: registry)
            return try await service.serve {
                run.meter.endDelivery($0.record.id)
            } _: {
                let reader = try run.reader(
                    inputs, run.recognizer(container.catalog, container), catalog: container.catalog,
                    known: KnownContent(container: container)
                ) { try container.objects.makeStagingArea() }
                let completer = ReceiptCompleter(catalog: container.catalog)
                let (summary, open) = try await run.drive(report) { report in
                    BatchStages(
                        read: { try await reader.next() },
                        store: { try await storer.store($0) },
                        commit: { try await committer.commit($0) },
                        deliver: { receipts in
                            guard options.delivers else { return receipts }
                            run.meter.commit(receipts)
                            defer { run.meter.settle(receipts) }
                            try await service.drain(receipts.filter(\.hasOpenDeliveries).map(\.packageID))
                            try await service.settleTransfers(of: options.transferSession) { run.meter.note($0) }
                            // The commit wrote these receipts before the deliveries ended.
                            return try await committer.refresh(receipts)
                        },
                        report: { step, receipts in
                            guard step == .settled else { return await report(step, receipts) }
                            for receipt in receipts {
                                await report(step, [run.accounts.annotated(completer.completed(receipt))])
                            }
                        })
                }
                try completer.check()
                return options.delivers ? try await committer.recount(summary, open.ids) : summary
            }
        } catch let error as CancellationError {
            // A cancelled run did not fail.
            throw error
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

    /// Makes the decisions of an ingest, and stores nothing: neither in the container, which need not exist, nor in
    /// temporary files that outlive the process. The receipts list the deliveries that the ingest would open.
    ///
    /// Packages of the container, and earlier packages of the same call, make duplicates. Every file is read, except
    /// those that a walk skips because they were forgotten.
    ///
    /// - Throws: ``IngestionError`` if the folder is not a container, or if its catalog is one of another engine.
    public func inspect(_ input: IngestInput, report: @escaping @Sendable (IngestEvent) async -> Void) async throws
        -> Summary
    {
        do {
            let planner = try await BlockingCall.run { [options] in
                try Planner(reading: options.container, options.fileSystem, machine: options.machine)
            }
            let run = PipelineRun(options: options, registry: registry)
            let recognizer = planner.catalog.flatMap { run.recognizer($0, nil) }
            let reader = try run.reader(RunInputs(input, options), recognizer, catalog: planner.catalog) {
                ScratchArea(fileSystem: options.fileSystem)
            }
            return try await run.drive(report) { report in
                BatchStages(
                    read: { try await reader.next() }, store: { $0 }, commit: { try await planner.plan($0) },
                    deliver: { $0 }, report: report)
            }.summary
        } catch let error as CancellationError {
            throw error
        } catch {
            throw IngestionError(error)
        }
    }

    /// Reports paths that do not exist. It looks for none of them again: a path that has appeared meanwhile would be
    /// accepted, and stored nowhere.
    private func reportMissing(
        _ paths: [FilePath], _ report: @escaping @Sendable (IngestEvent) async -> Void
    ) async throws -> Summary {
        let run = PipelineRun(options: options, registry: registry)
        run.meter.setTotal(paths.count)
        let batch = Mutex<[Intake]?>(
            paths.map { path in
                let source = PackageSource(kind: .other, path: path.absolute, folder: nil)
                return run.composer.missing(source, path.whyMissing)
            })
        return try await run.drive(report) { report in
            BatchStages(
                read: { batch.withLock { $0.take() } }, store: { $0 }, commit: { $0.map(\.receipt) }, deliver: { $0 },
                report: report)
        }.summary
    }

    package func openContainer(makes: Bool = true) async throws -> Container {
        try await BlockingCall.run { [options] in
            try Container.open(
                at: options.container, makes: makes, fileSystem: options.fileSystem, reserve: options.reserve,
                machine: options.machine, engines: options.engines)
        }
    }
}

extension IngestInput {
    /// The paths of an input that consists of paths of which none exists; `nil` for other input.
    fileprivate func missingPaths(_ fileSystem: any FileSystem) -> [FilePath]? {
        guard case .addresses(let addresses) = self, !addresses.isEmpty else { return nil }
        let paths = addresses.compactMap(\.path)
        // A path that cannot be looked at may exist; the run reports why it cannot.
        let isMissing = paths.allSatisfy { (try? fileSystem.exists($0.absolute)) == false }
        return isMissing && paths.count == addresses.count ? paths : nil
    }
}

/// One run of the pipeline: its name, its workers and its progress.
struct PipelineRun {
    let name = UniqueName.make()
    let options: IngestOptions
    let router: Router
    let accounts: AccountBook
    let meter: ProgressMeter

    init(options: IngestOptions, registry: SinkRegistry, meter: ProgressMeter = ProgressMeter()) {
        self.options = options
        self.meter = meter
        router = Router(registry: registry, destination: options.destination)
        accounts = AccountBook(options, registry)
    }

    var composer: PackageComposer {
        PackageComposer(router: router, limits: options.limits, clock: options.clock, run: name, accounts: accounts)
    }

    /// Recognizes files that have not changed since they came in, or that were forgotten; `nil` if the run reads each file.
    ///
    /// - Parameter container: `nil` for a plan.
    func recognizer(_ catalog: any Catalog, _ container: Container?) -> SourceRecognizer? {
        guard !options.rereads else { return nil }
        return SourceRecognizer(
            catalog: catalog, container: container, router: router, run: name,
            describes: options.describes || !options.tags.isEmpty, login: accounts.login)
    }

    /// The first stages, up to composed packages.
    ///
    /// - Parameters:
    ///   - recognizer: recognizes files that have not changed since they came in; `nil` to read every file.
    ///   - catalog: knows the words that a person gave earlier packages; `nil` if there is no container yet.
    ///   - known: the content that needs no room; `nil` if all content does.
    ///   - makeArea: makes a staging area for the content of one worker, and for the copy of a form.
    func reader(
        _ inputs: RunInputs, _ recognizer: SourceRecognizer?, catalog: (any Catalog)?, known: KnownContent? = nil,
        _ makeArea: @escaping BatchReader.MakeArea
    ) throws -> BatchReader {
        let workers = try (0..<max(1, options.jobs)).map { _ in
            try IntakeWorker(
                area: makeArea(), composer: composer, recognizer: recognizer, catalog: catalog, known: known,
                options: options, meter: meter)
        }
        return BatchReader(inputs, workers: workers, limits: options.limits, meter: meter, makeArea)
    }

    /// Runs the stages, reports each receipt at each step, and reports the progress a few times a second.
    ///
    /// - Returns: the counts of the run, and the deliveries that were open when their package was settled.
    func drive<Stored: Sendable>(
        _ report: @escaping @Sendable (IngestEvent) async -> Void,
        _ stages: (@escaping @Sendable (BatchStep, [Receipt]) async -> Void) -> BatchStages<Stored>
    ) async throws -> (summary: Summary, open: ReportedDeliveries) {
        // A listener may block, for example on a terminal that takes no more output. Then it blocks only this queue.
        let listener = QueueTaskExecutor("sluice.report")
        let summary = Mutex(Summary())
        let open = Mutex(ReportedDeliveries())
        return try await withProgress(on: listener, report) {
            var batches = BatchPipeline(
                stages { step, receipts in
                    for receipt in receipts {
                        switch step {
                        case .committed: await report(.committed(receipt))
                        case .settled:
                            summary.withLock { $0.add(receipt) }
                            if options.delivers { open.withLock { $0.add(receipt) } }
                            await report(.settled(receipt))
                        }
                    }
                }, window: options.limits.settlingBatches, listener: listener)
            try await batches.run()
            return (summary.withLock { $0 }, open.withLock { $0 })
        }
    }

    private func withProgress<Value: Sendable>(
        on listener: any TaskExecutor, _ report: @escaping @Sendable (IngestEvent) async -> Void,
        _ body: () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup { group in
            group.addTask(executorPreference: listener) { [meter] in
                var isOver = false
                repeat {
                    isOver = (try? await Task.sleep(for: .milliseconds(100))) == nil
                    // Also at the end: a listener of a short run learns from it that the whole input was read.
                    await report(.progress(meter.reading))
                } while !isOver
            }
            defer { group.cancelAll() }
            return try await body()
        }
    }
}
