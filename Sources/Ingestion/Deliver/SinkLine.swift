internal import GroupContainer
internal import ShareModel
internal import SinkKit
internal import Subprocess
internal import SystemPackage

/// One sink's line of work in a run, on a thread of its own: its process is started with the first delivery, kept for the
/// next ones, and started again where it died.
actor SinkLine {
    private let sink: InstalledSink
    private let books: SinkBooks
    private let confiner: SharedConfiner
    private let calls = LineCalls()
    private let stop: StopFlag
    private let faults: FaultLog
    private let executor = QueueExecutor("sluice.sink")
    private var processes = 0
    /// Whether the sink cannot be started as things are; the next run looks again.
    private var isObstructed = false

    /// How often a process at rest is looked at.
    private static let lookInterval = Duration.seconds(1)
    /// After so many looks at a process that has nothing to do, it is let go.
    private static let looksAtRest = 30

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameter report: told of each delivery that ended.
    init(
        _ sink: InstalledSink, desk: sending DeliveryDesk, confiner: SharedConfiner, stop: StopFlag, faults: FaultLog,
        report: @escaping @Sendable (DeliveryRecord) -> Void
    ) {
        self.sink = sink
        books = SinkBooks(sink, desk: desk, report: report)
        self.confiner = confiner
        self.stop = stop
        self.faults = faults
    }

    /// Does what is open, up to a delivery's number, and returns then. Needs ``run()`` to be under way.
    nonisolated func settle(upTo number: Int64) async { await calls.settle(upTo: number) }

    /// There may be something to do.
    nonisolated func wake() { calls.wake() }

    /// No more calls come; ``run()`` ends the process and returns.
    nonisolated func finish() { calls.finish() }

    /// Does what is open whenever it is woken, until ``finish()``.
    nonisolated func run() async {
        do {
            // Without a turn all that lies in the work folders is another process's.
            guard await waitForTurn() else { return calls.end() }
            while try await waitForWork() { try await conclude(runProcess()) }
        } catch {
            await faults.add(error)
        }
        do { try await close() } catch { await faults.add(error) }
        calls.end()
    }

    /// Leaves what was claimed and not handed over as it was, and nothing in the container's folders.
    private func close() throws {
        try books.putBack()
        try books.desk.close()
    }

    /// Before the first call it is not this process's turn.
    private func waitForTurn() -> Bool { calls.sleep() == .woken }

    /// Blocks until there is something to hand over; `false` where nothing more comes.
    private func waitForWork() throws -> Bool {
        while try !fill() {
            guard calls.sleep() == .woken, !stop.isSet else { return false }
        }
        return !stop.isSet
    }

    /// Claims what is open, where nothing is at hand. Answers those who wait for nothing else.
    private func fill() throws -> Bool {
        guard books.work.isEmpty else { return true }
        // Once nobody waits any more, what others hand in is theirs.
        guard !calls.isOver else { return false }
        let count = calls.count
        guard !isObstructed else {
            calls.answer(first: count)
            return false
        }
        let first = try books.claim()
        // Whoever waits for lower numbers has them.
        calls.answer(first: count, before: first ?? .max)
        return !books.work.isEmpty
    }

    // MARK: - A process

    /// How a process ended.
    private struct End {
        var fault: SinkFault?
        var isReady = true
        /// How many deliveries it had been handed.
        var handed = 0
        var status = "did not start"
        var log = ""

        /// It did not come to a process.
        static func none(_ fault: SinkFault) -> End { End(fault: fault, isReady: false) }
    }

    private func runProcess() async throws -> End {
        processes += 1
        let confiner = try await confiner.value
        var folder = try books.desk.makeWorkFolder(processes)
        defer { try? folder.remove() }
        let configuration: HostMessage.Configuration
        let launch: SinkLaunch
        do {
            configuration = try await sink.configuration()
            launch = try confiner.launch(
                sink, folder: folder.root, network: sink.allowsNetwork, limits: sink.limits)
        } catch let obstacle as SinkObstacle {
            return .none(.obstructed("\(obstacle)"))
        } catch let failure as SinkFailure {
            return .none(.obstructed(failure.why))
        }
        folder.launch = launch
        books.containment = launch.containment
        books.desk.redactor = Redactor((configuration.secrets ?? [:]).values)
        return try await run(launch, configuration, folder)
    }

    private func run(_ launch: SinkLaunch, _ configuration: HostMessage.Configuration, _ folder: WorkFolder)
        async throws -> End
    {
        let pipes = try SinkPipes()
        var options = PlatformOptions()
        // A group of its own: Ctrl-C on the terminal does not reach the sink, which is told by its host.
        options.processGroupID = 0
        options.teardownSequence = [.send(signal: .quit, allowedDurationToNextStep: SinkConversation.grace)]
        do {
            let result = try await Subprocess.run(
                .path(launch.executable), arguments: Arguments(launch.arguments),
                environment: .custom(
                    Dictionary(
                        uniqueKeysWithValues: launch.environment.map { (Environment.Key(stringLiteral: $0), $1) })),
                platformOptions: options,
                input: .fileDescriptor(pipes.sinkEnds.input, closeAfterSpawningProcess: true),
                output: .fileDescriptor(pipes.sinkEnds.output, closeAfterSpawningProcess: true),
                error: .fileDescriptor(pipes.sinkEnds.log, closeAfterSpawningProcess: true)
            ) { execution in
                try serve(pipes, SinkProcess(execution.processIdentifier), configuration, folder)
            }
            var end = result.closureResult
            end.status = SinkProcess.words(result.terminationStatus)
            return end
        } catch let error as SubprocessError {
            return .none(.unready("\(error)"))
        }
    }

    /// Speaks with the process until there is nothing more to do, or a fault.
    ///
    /// - Throws: where the container is at fault.
    private func serve(
        _ pipes: SinkPipes, _ process: SinkProcess, _ configuration: HostMessage.Configuration, _ folder: WorkFolder
    ) throws -> End {
        // Whatever it started ends with it.
        defer { process.kill(pipes) }
        let conversation = SinkConversation(
            pipes, sink: sink.manifest, limits: sink.limits, stop: stop, redactor: books.desk.redactor)
        var end = End(isReady: false)
        var shift: SinkShift?
        do {
            try conversation.open(configuration)
            end.isReady = true
            let opened = SinkShift(conversation, books, folder, SinkBounds.make(sink.limits), stop)
            shift = opened
            repeat { try opened.work() } while try !opened.isOver && staysForMore(opened)
            try books.flush(folder)
            if !conversation.close() { process.terminate(pipes) }
        } catch let fault as SinkFault {
            end.fault = fault
            try books.flush(folder)
            if case .died = fault { process.awaitDeath(pipes) } else { process.terminate(pipes) }
        } catch {
            // What was answered counts, whatever happened to the container beside.
            try? books.flush(folder)
            throw error
        }
        end.handed = shift?.handed ?? 0
        end.log = books.desk.redactor.redacted(pipes.readLog(), isTail: true)
        sink.listener?(end.log)
        return end
    }

    /// Waits, with the process at rest, until there is more to do; `false` where nothing comes for a while.
    private func staysForMore(_ shift: SinkShift) throws -> Bool {
        var looks = 0
        while try !fill() {
            switch calls.sleep(for: Self.lookInterval) {
            case .over: return false
            case .woken: if stop.isSet { return false }
            case .nothing:
                looks += 1
                guard looks < Self.looksAtRest else { return false }
                try shift.conversation.checkSilence()
                try shift.look()
            }
        }
        return !stop.isSet
    }

    /// What follows from the end of a process.
    private func conclude(_ end: End) throws {
        guard let fault = end.fault else { return }
        let open = books.work.flight.removeAll()
        if case .stopped = fault { return try books.putBack() }
        if case .obstructed(let why) = fault {
            isObstructed = true
            return try books.noteObstacle(why)
        }
        let why = books.desk.shortened(fault.words(status: end.status, log: end.log))
        guard end.isReady, !open.isEmpty || end.handed > 0 else { return try books.noteFalseStart(why) }
        try books.noteDeath(of: open, isFirst: end.handed == 1, why)
    }
}

/// The errors of lines of work that run beside one another; the first one is told.
actor FaultLog {
    private(set) var first: (any Error)?

    func add(_ error: any Error) {
        if first == nil, !(error is CancellationError) { first = error }
    }
}
