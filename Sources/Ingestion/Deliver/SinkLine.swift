internal import GroupContainer
internal import ShareModel
internal import SinkKit
internal import Subprocess
internal import SystemPackage

/// One sink's line of work in a run, on a thread of its own: its process is started with the first delivery, kept for the
/// next ones, and started again where it died.
actor SinkLine {
    private let sink: InstalledSink
    private let desk: DeliveryDesk
    private let confiner: SharedConfiner
    private let calls = LineCalls()
    private let stop: StopFlag
    private let faults: FaultLog
    private let report: @Sendable (DeliveryRecord) -> Void
    private let executor = QueueExecutor("sluice.sink")

    /// Claimed, and not handed over yet; the next one comes last.
    private var waiting: [ClaimedDelivery] = []
    /// Those whose sink died with others in flight, or once of them alone; the next one comes last.
    private var alone: [ClaimedDelivery] = []
    private var flight = Flight()
    private var finished: [FinishedDelivery] = []
    /// How often in a row the sink failed, whatever of it; and how often it was let rest for that, in earlier runs as well.
    private var troubles = 0
    private var rests = 0
    private var isResting = false
    private var processes = 0
    /// What the latest process reached.
    private var containment: Containment?

    /// So many deaths of a sink that had a delivery alone, and it is the delivery's fault.
    private static let deathLimit = 2
    /// So many failures in a row, and it is the sink's: it rests.
    private static let troubleLimit = 8

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameter report: told of each delivery that ended.
    init(
        _ sink: InstalledSink, desk: sending DeliveryDesk, confiner: SharedConfiner, stop: StopFlag, faults: FaultLog,
        report: @escaping @Sendable (DeliveryRecord) -> Void
    ) {
        self.sink = sink
        self.desk = desk
        self.confiner = confiner
        self.stop = stop
        self.faults = faults
        self.report = report
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
            if await waitForTurn() {
                while try await waitForWork() { try await conclude(runProcess()) }
                try await close()
            }
        } catch {
            await faults.add(error)
        }
        calls.end()
    }

    private func close() throws {
        // What a run that was interrupted has claimed and not handed over.
        try desk.putBack(takeAllWaiting())
        try desk.close()
    }

    /// Before the first call it is not this process's turn.
    private func waitForTurn() -> Bool { calls.sleep() }

    /// Blocks until there is something to hand over; `false` where nothing more comes.
    private func waitForWork() throws -> Bool {
        while try !fill() {
            guard calls.sleep(), !stop.isSet else { return false }
        }
        return !stop.isSet
    }

    /// Claims what is open, where nothing is at hand. Answers those who wait for nothing else.
    private func fill() throws -> Bool {
        guard waiting.isEmpty, alone.isEmpty else { return true }
        let count = calls.count
        let claimed = try desk.claim()
        rests = max(rests, claimed.first?.troubles ?? 0)
        // Those never tried come first, by number: whoever waits for lower ones has them.
        let isFresh = claimed.first.map { $0.failures == 0 } ?? false
        calls.answer(first: count, before: isFresh ? claimed[0].seq : .max)
        waiting = claimed.reversed()
        isResting = isResting && claimed.isEmpty
        return !claimed.isEmpty
    }

    // MARK: - A process

    /// How a process ended.
    private struct End {
        var fault: SinkFault?
        var isReady = true
        var status = "did not start"
        var log = ""

        static func unready(_ why: String) -> End { End(fault: .unready(why), isReady: false) }
    }

    private func runProcess() async throws -> End {
        processes += 1
        let confiner = try await confiner.value
        var folder = try desk.makeWorkFolder(processes)
        defer { try? folder.remove() }
        let configuration: HostMessage.Configuration
        let launch: SinkLaunch
        do {
            configuration = try await sink.configuration()
            launch = try confiner.launch(
                sink, folder: folder.root, network: sink.allowsNetwork, limits: sink.limits)
        } catch let obstacle as SinkObstacle {
            return .unready("\(obstacle)")
        } catch let failure as SinkFailure {
            return .unready(failure.why)
        }
        folder.launch = launch
        containment = launch.containment
        desk.redactor = Redactor((configuration.secrets ?? [:]).values)
        return try await run(launch, configuration, folder)
    }

    private func run(_ launch: SinkLaunch, _ configuration: HostMessage.Configuration, _ folder: WorkFolder)
        async throws
        -> End
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
            return .unready("\(error)")
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
        let conversation = SinkConversation(pipes, sink: sink.manifest, limits: sink.limits, stop: stop)
        var end = End(isReady: false)
        do {
            try conversation.open(configuration)
            end.isReady = true
            var shift = Shift(conversation, folder, SinkBounds.make(sink.limits))
            repeat { try work(&shift) } while try !shift.isOver && staysForMore()
            try flush(shift.folder)
            if !conversation.close() { process.terminate(pipes) }
        } catch let fault as SinkFault {
            end.fault = fault
            try flush(folder)
            if case .died = fault { process.awaitDeath(pipes) } else { process.terminate(pipes) }
        }
        end.log = desk.redactor.redacted(pipes.readLog(), isTail: true)
        sink.listener?(end.log)
        return end
    }

    /// Waits, with the process at rest, until there is more to do.
    private func staysForMore() throws -> Bool { try waitForWork() }

    /// What one process has done so far.
    private struct Shift {
        let conversation: SinkConversation
        let folder: WorkFolder
        let window: Int
        var handed = 0
        private let processorTime: Duration
        private var lastLook = ContinuousClock.now

        static let windowLimit = 32
        private static let lookInterval = Duration.seconds(1)

        /// Whether the process takes no more, and another one is to be started: it says so, or it may soon have used up the
        /// processor time that it has for all its life.
        var isOver: Bool {
            handed >= conversation.hello.maxDeliveries ?? .max || conversation.busyTime > processorTime / 2
        }

        init(_ conversation: SinkConversation, _ folder: WorkFolder, _ bounds: SinkBounds) {
            self.conversation = conversation
            self.folder = folder
            processorTime = .seconds(bounds.processorSeconds)
            window = min(max(conversation.hello.maxInFlight ?? 1, 1), Self.windowLimit)
        }

        /// Once in a while, to see what the process has on the disk.
        mutating func isTimeToLook() -> Bool {
            guard ContinuousClock.now > lastLook + Self.lookInterval else { return false }
            lastLook = .now
            return true
        }
    }

    /// Hands over what is claimed and takes the answers, until all is answered.
    private func work(_ shift: inout Shift) throws {
        while true {
            try handOver(&shift)
            if flight.isEmpty || finished.count >= DeliveryDesk.claimLimit || flight.isDueForFlush {
                try flush(shift.folder)
            }
            if flight.isEmpty { return }
            do {
                if let message = try shift.conversation.next() { try take(message, shift) }
                if shift.isTimeToLook(), desk.isFull(shift.folder) { try makeSpace(shift.folder) }
            } catch let fault as SinkFault {
                try cancel(fault, shift)
            }
        }
    }

    private func handOver(_ shift: inout Shift) throws {
        while !shift.isOver, flight.count < (alone.isEmpty ? shift.window : 1), !stop.isSet {
            guard let next = (flight.isEmpty ? alone.popLast() : nil) ?? (alone.isEmpty ? waiting.popLast() : nil)
            else { return }
            shift.handed += 1
            if next.isUncertain, shift.conversation.canCheck {
                try shift.conversation.ask(.init(id: next.id, key: next.key), isFirst: flight.isEmpty)
                flight.addChecked(next, shift.handed)
            } else {
                try hand(next, shift.handed, shift)
            }
        }
    }

    private func hand(_ next: ClaimedDelivery, _ number: Int, _ shift: Shift) throws {
        let slot = flight.freeSlot
        switch try desk.prepare(next, in: shift.folder, number, slot: slot) {
        case .impossible(let why): finish(FinishedDelivery(next, .failed, why: why))
        case .ready(let delivery, let parts):
            do {
                try shift.conversation.hand(delivery, isFirst: flight.isEmpty)
                flight.add(next, number, slot: slot, parts)
            } catch let error as SinkProtocol.LineTooLong {
                try shift.folder.remove(parts)
                finish(FinishedDelivery(next, .failed, why: Self.words(error, delivery)))
            }
        }
    }

    private static func words(_ error: SinkProtocol.LineTooLong, _ delivery: Delivery) -> String {
        "its \(delivery.parts.count) parts take \(error.bytes) bytes to describe, and a line of the sink protocol holds "
            + "\(SinkProtocol.maximumLineBytes); share them in smaller groups"
    }

    private func take(_ message: SinkMessage, _ shift: Shift) throws {
        switch message {
        case .progress(let progress) where flight[progress.id] != nil: break
        case .done(let done):
            guard let (claimed, number, parts) = flight.remove(done.id) else {
                throw SinkFault.misbehaved(Self.unasked)
            }
            try shift.folder.remove(parts)
            finish(try desk.ending(of: claimed, done, out: shift.folder.out(number)))
            try succeed(claimed)
        case .fail(let failure):
            guard let (claimed, _, parts) = flight.remove(failure.id) else {
                throw SinkFault.misbehaved(Self.unasked)
            }
            try shift.folder.remove(parts)
            finish(desk.ending(of: claimed, failure))
            guard failure.class == .transient else { return try succeed(claimed) }
            try noteTrouble("the sink \(sink.id) keeps failing: \(failure.why)")
        case .checked(let checked):
            guard let (claimed, number) = flight.removeChecked(checked.id) else {
                throw SinkFault.misbehaved(Self.unasked)
            }
            if checked.answer == .present {
                finish(FinishedDelivery(claimed, .delivered, why: "the sink has it from an earlier attempt"))
            } else {
                try hand(claimed, number, shift)
            }
        default: throw SinkFault.misbehaved(Self.unasked)
        }
    }

    private static let unasked = "it answers something that was not asked"

    /// Gives the sink a last word about what is in flight, where it heeds a cancel; else, or after that, the fault stands.
    private func cancel(_ fault: SinkFault, _ shift: Shift) throws {
        guard shift.conversation.canCancel, !flight.isEmpty, fault.leavesSinkAlive else { throw fault }
        try shift.conversation.cancel(flight.ids)
        let deadline = ContinuousClock.now + SinkConversation.grace
        while !flight.isEmpty {
            guard ContinuousClock.now < deadline else { throw fault }
            guard let message = try shift.conversation.receive() else { continue }
            if case .fail(var failure) = message, failure.class == .transient {
                // Nothing is wrong with what was only interrupted.
                if case .stopped = fault {
                    _ = flight.remove(failure.id).map { waiting.append($0.claimed) }
                } else {
                    failure.why = fault.words(status: "", log: "") + "; it gave up: \(failure.why)"
                    try take(.fail(failure), shift)
                }
            } else {
                try take(message, shift)
            }
        }
        if case .stopped = fault { throw fault }
    }

    // MARK: - Endings

    private func finish(_ delivery: FinishedDelivery) {
        finished.append(delivery)
        flight.noteFinish(bytes: delivery.ending.record.products.reduce(0) { $0 + $1.size })
    }

    /// Commits what has ended so far.
    private func flush(_ folder: WorkFolder) throws {
        guard !finished.isEmpty else { return }
        for place in finished.indices { finished[place].ending.record.containment = containment }
        try desk.complete(finished)
        finished.forEach { report($0.ending.record) }
        finished = []
        flight.noteFlush()
        try clear(folder)
    }

    /// What is done goes first.
    ///
    /// - Throws: ``SinkFault`` where the process fills the disk with what is not.
    private func makeSpace(_ folder: WorkFolder) throws {
        try flush(folder)
        try clear(folder, all: true)
        guard desk.isFull(folder) else { return }
        throw SinkFault.misbehaved("it has more on the disk than it may have at a time; it must write less")
    }

    private func clear(_ folder: WorkFolder, all: Bool = false) throws {
        let numbers = flight.takeFinishedNumbers(all: all)
        guard sink.manifest.content != SinkManifest.ContentNeed.none else { return }
        for number in numbers { try folder.clear(number) }
    }

    private func succeed(_ claimed: ClaimedDelivery) throws {
        troubles = 0
        guard rests > 0 else { return }
        rests = 0
        try desk.release()
    }

    /// What follows from the end of a process.
    private func conclude(_ end: End) throws {
        guard let fault = end.fault else { return }
        let open = flight.removeAll()
        if case .stopped = fault { return try desk.putBack(takeAllWaiting()) }
        let why = desk.redactor.redacted(fault.words(status: end.status, log: end.log))
        guard end.isReady else { return try rest("the sink \(sink.id) cannot be started: \(why)") }
        guard !open.isEmpty else { return }
        if open.count == 1 {
            try settleDeath(of: open[0], why)
        } else {
            alone += try desk.attemptAgain(open).reversed()
        }
        try noteTrouble("the sink \(sink.id) keeps failing: \(why)")
    }

    private func settleDeath(of delivery: ClaimedDelivery, _ why: String) throws {
        var delivery = delivery
        delivery.deaths += 1
        guard delivery.deaths >= Self.deathLimit else {
            alone += try desk.attemptAgain([delivery])
            return
        }
        var ended = FinishedDelivery(delivery, .quarantined, why: "\(why); it died of it \(delivery.deaths) times")
        ended.ending.record.containment = containment
        try desk.complete([ended])
        report(ended.ending.record)
    }

    /// Counts a failure; a sink that rested before, and fails its trial, rests again at once.
    private func noteTrouble(_ why: String) throws {
        troubles += 1
        if !isResting, troubles >= Self.troubleLimit || rests > 0 { try rest(why) }
    }

    /// Lets the sink rest: what is not in flight waits, with the reason.
    private func rest(_ why: String) throws {
        troubles = 0
        rests += 1
        isResting = true
        try desk.putBack(takeAllWaiting())
        try desk.hold(failures: rests, why: why)
    }

    private func takeAllWaiting() -> [ClaimedDelivery] {
        defer { (waiting, alone) = ([], []) }
        return waiting + alone
    }
}

/// The errors of lines of work that run beside one another; the first one is told.
actor FaultLog {
    private(set) var first: (any Error)?

    func add(_ error: any Error) {
        if first == nil, !(error is CancellationError) { first = error }
    }
}
