internal import GroupContainer
internal import SinkKit
internal import SystemPackage

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What the checks of one sink work with: its manifest, content for it, and sessions with it. For one thread.
final class ConformanceBench {
    let sink: InstalledSink
    /// The folder of its `sink.json`.
    let folder: FilePath
    let options: ConformanceOptions
    let clocks: ProbeClocks
    let limits = IngestLimits()
    /// What the sink gets to see, the first for the checks that need only one.
    let inputs: [ConformanceInput]
    let samples: [SinkSample]
    private static let inputLimit = 8
    /// What a sink's processes have to end after it; whoever has not is said to be left.
    private static let linger = Duration.seconds(1)
    /// Gone with the bench.
    private let scratch: FilePath
    private let confiner: SinkConfiner
    let configuration: HostMessage.Configuration
    /// The files beside the manifest before the sink ran.
    private let atHome: Set<String>
    private var count = 0
    private var processes = 0
    private var known: Result<FirstSitting, any Error>?

    init(
        _ sink: InstalledSink, folder: FilePath, options: ConformanceOptions, confiner: SinkConfiner
    ) throws {
        self.sink = sink
        self.confiner = confiner
        self.folder = folder
        self.options = options
        atHome = Set(FolderListing(folder).names)
        clocks = ProbeClocks(sink.limits, options)
        let temporary = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
        scratch = FilePath(temporary.appending(path: "sluice-check-\(Run.identifier())").path)
        try FolderTree.make(scratch)
        configuration = try ConformanceConfiguration.make(
            SinkSample.configuration(options.samples ?? folder.appending("samples")), for: sink)
        samples = try SinkSample.all(options.samples ?? folder.appending("samples"), isNamed: options.samples != nil)
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

    /// What every sink is given first, once: most checks only look at it.
    func firstSitting() throws -> FirstSitting {
        let sitting = known ?? Result { try FirstSitting(self) }
        known = sitting
        return try sitting.get()
    }

    /// Starts the sink for a body, and ends it with all that it started.
    ///
    /// - Throws: what the body throws; a ``CheckFailure`` where the sink breaks what holds in every session.
    func sit<Value>(_ body: (ProbeSession) throws -> Value) throws -> Value {
        let session = try makeSession()
        defer { _ = session.probe.finish() }
        let value = try body(session)
        if let fault = session.record.fault { throw fault }
        return value
    }

    func makeSession() throws -> ProbeSession {
        processes += 1
        let folder: ProbeFolder
        do {
            folder = try ProbeFolder(scratch.appending("\(processes)")) {
                try confiner.launch(
                    sink, folder: $0, network: sink.needsNetwork, limits: sink.limits, linger: Self.linger)
            }
        } catch let failure as SinkFailure {
            throw CheckFailure("it cannot be started: \(failure.why)")
        }
        return ProbeSession(try SinkProbe(folder.launch, pipes: scratch), in: folder, clocks: clocks)
    }

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

    /// Hands over content and waits for the answer and what the sink left.
    func deliver(
        _ input: ConformanceInput, key: String? = nil, attempt: Int = 1, in session: ProbeSession
    ) throws -> DeliveryFinding {
        let delivery = try delivery(input, key: key, attempt: attempt, in: session)
        try session.send(.deliver(delivery.message))
        return try delivery.finding(session.answer(to: delivery.message.id), limits)
    }

    /// Files that the sink made beside its manifest, where it has no right to write.
    func strayFiles() -> [String] {
        FolderListing(folder).names.filter { !atHome.contains($0) && !$0.contains("__pycache__/") }
            .map { "\($0) beside sink.json" }
    }
}
