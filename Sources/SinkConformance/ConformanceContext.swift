internal import Files
internal import ShareModel
internal import SinkHost
internal import SinkKit
internal import SystemPackage

/// The common state of the checks of one sink: its manifest, content for it, and sessions with it. Only one task may
/// use it.
final class ConformanceContext {
    let sink: InstalledSink
    /// The folder of its `sink.json`.
    let folder: FilePath
    let options: ConformanceOptions
    let clocks: ProbeClocks
    let limits = DeliveryLimits()
    /// Content for the sink. Checks that need one content use the first.
    let inputs: [ConformanceInput]
    let samples: [SinkSample]
    private static let inputLimit = 8
    /// The time that the sink's own processes have to end after it. Later they count as left.
    private static let linger = Duration.seconds(1)
    private let scratch: TemporaryFolder
    private let confiner: SinkConfiner
    let configuration: HostMessage.Configuration
    /// The files beside the manifest before the sink's first start.
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
        scratch = try TemporaryFolder(for: "check")
        configuration = try ConformanceConfiguration.make(
            SinkSample.configuration(options.samples ?? folder.appending("samples")), for: sink)
        samples = try SinkSample.all(
            options.samples ?? folder.appending("samples"), isNamed: options.samples != nil, identify: options.identify)
        // A few samples are enough for the common checks. Each sample also has a check of its own.
        inputs =
            samples.isEmpty
            ? BuiltInContent.inputs(for: sink.manifest.accepts) : samples.prefix(Self.inputLimit).map(\.input)
    }

    /// The content for checks that need only one.
    var input: ConformanceInput { inputs.first ?? BuiltInContent.text }

    /// One content of each type, as the base of hostile content.
    var hostileBases: [ConformanceInput] {
        var types: Set<String> = []
        return inputs.filter { input in input.parts.first.map { types.insert($0.type).inserted } ?? false }
    }

    /// The record of the first sessions. They run once, because most checks only look at their record.
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

    /// Starts the sink, calls `body`, and ends the sink with every process that it started.
    ///
    /// - Throws: the errors of `body`; a ``CheckFailure`` if the sink breaks a rule that holds in every session.
    func withSession<Value>(_ body: (ProbeSession) throws -> Value) async throws -> Value {
        try await withRawSession { session in
            let value = try body(session)
            if let fault = session.record.fault { throw fault }
            return value
        }.value
    }

    /// Starts the sink, calls `body`, and ends the sink with every process that it started.
    ///
    /// - Returns: the value of `body`, and how the sink ended.
    func withRawSession<Value>(_ body: (ProbeSession) throws -> Value) async throws -> (value: Value, end: ProbeEnd) {
        processes += 1
        let work: WorkFolder
        do {
            work = try WorkFolder(scratch.path.appending("\(processes)"), on: scratch.fileSystem) {
                // The suite does not read the user's settings, so `sink.json` alone decides about the network.
                try confiner.launch(
                    sink, folder: $0, network: sink.needsNetwork, limits: sink.limits, linger: Self.linger,
                    on: scratch.fileSystem)
            }
        } catch let failure as SinkFailure {
            throw CheckFailure("it cannot be started: \(failure.why)")
        }
        let (result, ending) = try await SinkProcess.run(work.launch) { process in
            // On a busy machine the supervisor needs longer, which is not the sink's fault.
            defer { process.kill(patience: Self.patience) }
            let value = try body(ProbeSession(process, in: ProbeFolder(work: work), clocks: clocks))
            return (value, process.countLeft)
        }
        return (result.0, ProbeEnd(ending: ending, left: result.1))
    }

    /// The time that the supervisor has to end every process.
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

    /// Waits for the hello of the sink.
    ///
    /// - Throws: a ``CheckFailure`` if it has another id or version than `sink.json`.
    func greeting(_ session: ProbeSession, by deadline: ContinuousClock.Instant) throws -> SinkMessage.SinkHello {
        guard case .hello(let greeting) = try session.hear(by: deadline, "greeted") else {
            throw CheckFailure("its first message is not hello")
        }
        // A host ends such a session, so no check may pass in it.
        guard greeting.id == sink.manifest.id, greeting.protocol == sink.manifest.protocol else {
            throw CheckFailure(
                "its hello names '\(greeting.id)' with protocol \(greeting.protocol), but its sink.json names "
                    + "'\(sink.manifest.id)' with \(sink.manifest.protocol)", of: .hello)
        }
        return greeting
    }

    func configure(_ session: ProbeSession, by deadline: ContinuousClock.Instant) throws {
        try session.send(.configure(configuration))
        guard case .ready = try session.hear(by: deadline, "said that it is ready") else {
            throw CheckFailure("its answer to configure is not ready")
        }
    }

    /// Writes a delivery of this content into its folders.
    func delivery(
        _ input: ConformanceInput, key: String? = nil, attempt: Int = 1, in session: ProbeSession
    ) throws -> LaidOutDelivery {
        count += 1
        // By default the key is new, because a sink may answer a repeated one by `duplicate`.
        return try LaidOutDelivery(
            input, number: count, key: key ?? "\(sink.id):\(count)", attempt: attempt, in: session.folder,
            withContent: sink.manifest.content != SinkManifest.ContentNeed.none)
    }

    /// Sends content, and waits for the answer.
    func deliver(
        _ input: ConformanceInput, key: String? = nil, attempt: Int = 1, in session: ProbeSession
    ) throws -> DeliveryFinding {
        let delivery = try delivery(input, key: key, attempt: attempt, in: session)
        try session.send(.deliver(delivery.message))
        return try delivery.finding(session.answer(to: delivery.message.id), limits)
    }

    /// Sends content to a process of its own, waits for the answer, and then for the end of the process.
    ///
    /// - Throws: a ``CheckFailure`` also if the process crashes after its answer.
    func deliverAlone(_ input: ConformanceInput) async throws {
        let (hasEnded, end) = try await withRawSession { session in
            try open(session)
            _ = try deliver(input, in: session)
            try session.send(.goodbye)
            session.closeInput()
            let hasEnded = session.hearTheEnd(by: .now + clocks.grace)
            if let fault = session.record.fault { throw fault }
            return hasEnded
        }
        // The check of goodbye reports a sink that does not end. The suite has ended it, which is no crash.
        guard hasEnded, end.ending != .status(0) else { return }
        throw CheckFailure("it answered and then crashed: \(end.ending)")
    }

    /// Files that the sink made beside its manifest, where it must not write. Python makes `__pycache__` by itself.
    func strayFiles() -> [String] {
        FolderListing(folder).names.filter { !atHome.contains($0) && !$0.components.contains("__pycache__") }
            .map { "\($0) beside sink.json" }
    }
}
