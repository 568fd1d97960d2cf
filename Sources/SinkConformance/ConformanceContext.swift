internal import Files
internal import ShareModel
internal import SinkHost
internal import SinkKit
internal import SystemPackage

/// What the checks of one sink work with: its manifest, content for it, and sessions with it. For one task.
final class ConformanceContext {
    let sink: InstalledSink
    /// The folder of its `sink.json`.
    let folder: FilePath
    let options: ConformanceOptions
    let clocks: ProbeClocks
    let limits = DeliveryLimits()
    /// Content for the sink. The first is for the checks that need only one.
    let inputs: [ConformanceInput]
    let samples: [SinkSample]
    private static let inputLimit = 8
    /// How long the processes that a sink started may outlive it. Then they count as left.
    private static let linger = Duration.seconds(1)
    /// Removed with the context.
    private let scratch: FilePath
    private let confiner: SinkConfiner
    let configuration: HostMessage.Configuration
    /// The files beside the manifest before the sink ran.
    private let atHome: Set<FilePath>
    private var count = 0
    private var processes = 0
    private var knownRun: Result<ProbeRun, any Error>?

    init(
        _ sink: InstalledSink, folder: FilePath, options: ConformanceOptions, confiner: SinkConfiner
    ) throws {
        self.sink = sink
        self.confiner = confiner
        self.folder = folder
        self.options = options
        atHome = Set(FolderListing(folder).names)
        clocks = ProbeClocks(sink.limits, options)
        scratch = .temporaryFolder.appending("sluice-check-\(UniqueName.make())")
        try FolderTree.make(scratch)
        configuration = try ConformanceConfiguration.make(
            SinkSample.configuration(options.samples ?? folder.appending("samples")), for: sink)
        samples = try SinkSample.all(
            options.samples ?? folder.appending("samples"), isNamed: options.samples != nil, identify: options.identify)
        // A few are enough for the checks; each sample has one of its own.
        inputs =
            samples.isEmpty
            ? BuiltInContent.inputs(for: sink.manifest.accepts) : samples.prefix(Self.inputLimit).map(\.input)
    }

    deinit { try? FolderTree.remove(scratch) }

    /// The content of the checks that need only one.
    var input: ConformanceInput { inputs.first ?? BuiltInContent.text }

    /// One content of each type, to be made hostile.
    var hostileBases: [ConformanceInput] {
        var types: Set<String> = []
        return inputs.filter { input in input.parts.first.map { types.insert($0.type).inserted } ?? false }
    }

    /// The first sessions, made once: most checks only look at what they brought.
    func probeRun() async throws -> ProbeRun {
        if let knownRun { return try knownRun.get() }
        do {
            let run = try await ProbeRun(self)
            knownRun = .success(run)
            return run
        } catch {
            knownRun = .failure(error)
            throw error
        }
    }

    /// Starts the sink for `body`, and ends it with every process that it started.
    ///
    /// - Throws: what `body` throws; a ``CheckFailure`` if the sink breaks a rule that holds in every session.
    func withSession<Value>(_ body: (ProbeSession) throws -> Value) async throws -> Value {
        try await withRawSession { session in
            let value = try body(session)
            if let fault = session.record.fault { throw fault }
            return value
        }.value
    }

    /// Starts the sink for `body`, and ends it with every process that it started.
    ///
    /// - Returns: what `body` returned, and how the sink ended.
    func withRawSession<Value>(_ body: (ProbeSession) throws -> Value) async throws -> (value: Value, end: ProbeEnd) {
        processes += 1
        let work: WorkFolder
        do {
            work = try WorkFolder(scratch.appending("\(processes)")) {
                try confiner.launch(
                    sink, folder: $0, network: sink.needsNetwork, limits: sink.limits, linger: Self.linger)
            }
        } catch let failure as SinkFailure {
            throw CheckFailure("it cannot be started: \(failure.why)")
        }
        let (result, ending) = try await SinkProcess.run(work.launch) { process in
            // A busy machine is no fault of the sink's.
            defer { process.kill(patience: Self.patience) }
            let value = try body(ProbeSession(process, in: ProbeFolder(work: work), clocks: clocks))
            return (value, process.countLeft)
        }
        return (result.0, ProbeEnd(ending: ending, left: result.1))
    }

    /// What the supervisor has to end every process.
    private static let patience = Duration.seconds(10)

    /// Greets and configures the sink.
    @discardableResult
    func open(_ session: ProbeSession) throws -> SinkMessage.SinkHello {
        let deadline = ContinuousClock.now + clocks.startup
        try session.send(.hello(hello))
        let greeting = try greeting(session, by: deadline)
        try configure(session, by: deadline)
        return greeting
    }

    var hello: HostMessage.HostHello { .ours }

    func greeting(_ session: ProbeSession, by deadline: ContinuousClock.Instant) throws -> SinkMessage.SinkHello {
        guard case .hello(let greeting) = try session.hear(by: deadline, "greeted") else {
            throw CheckFailure("its first message is not hello")
        }
        return greeting
    }

    func configure(_ session: ProbeSession, by deadline: ContinuousClock.Instant) throws {
        try session.send(.configure(configuration))
        guard case .ready = try session.hear(by: deadline, "said that it is ready") else {
            throw CheckFailure("it answers configure with something else than ready")
        }
    }

    /// Lays out a delivery of this content, in folders of its own.
    func delivery(
        _ input: ConformanceInput, key: String? = nil, attempt: Int = 1, in session: ProbeSession
    ) throws -> LaidOutDelivery {
        count += 1
        return try LaidOutDelivery(
            input, number: count, key: key ?? "\(sink.id):\(count)", attempt: attempt, in: session.folder,
            withContent: sink.manifest.content != SinkManifest.ContentNeed.none)
    }

    /// Hands content over, and waits for the answer.
    func deliver(
        _ input: ConformanceInput, key: String? = nil, attempt: Int = 1, in session: ProbeSession
    ) throws -> DeliveryFinding {
        let delivery = try delivery(input, key: key, attempt: attempt, in: session)
        try session.send(.deliver(delivery.message))
        return try delivery.finding(session.answer(to: delivery.message.id), limits)
    }

    /// Files that the sink made beside its manifest, where it has no right to write.
    func strayFiles() -> [String] {
        FolderListing(folder).names.filter { !atHome.contains($0) && !$0.components.contains("__pycache__") }
            .map { "\($0) beside sink.json" }
    }
}
