internal import GroupContainer
internal import ShareModel
internal import SinkKit
internal import Subprocess

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// One sink's line of work in a run: its process is started with the first delivery, kept for the next ones, and started
/// again where it died.
struct SinkLine: Sendable {
    /// A call to do all that is open; answered when that is done.
    struct Call: Sendable {
        private let continuation: CheckedContinuation<Void, Never>

        init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = continuation }

        func answer() { continuation.resume() }
    }

    let sink: InstalledSink
    private let desk: DeliveryDesk
    private let report: @Sendable (DeliveryRecord) async -> Void
    private let calls: AsyncStream<Call>
    private let caller: AsyncStream<Call>.Continuation
    private let faults: FaultLog

    init(
        _ sink: InstalledSink, desk: DeliveryDesk, faults: FaultLog,
        report: @escaping @Sendable (DeliveryRecord) async -> Void
    ) {
        self.sink = sink
        self.desk = desk
        self.faults = faults
        self.report = report
        (calls, caller) = AsyncStream.makeStream()
    }

    /// Does all that is open for this sink. Needs ``run()`` to be under way.
    func drain() async {
        await withCheckedContinuation { continuation in
            // A line that has ended takes no more calls.
            if case .terminated = caller.yield(Call(continuation)) { continuation.resume() }
        }
    }

    /// No more calls will come; ``run()`` ends the process and returns.
    func finish() { caller.finish() }

    /// Answers calls until ``finish()``.
    func run() async {
        // Once it could not be started, it is not tried again in this run.
        var whyBroken: String?
        while let call = await nextCall() {
            var work = Work(call: call, whyBroken: whyBroken)
            do {
                work.deliveries = try await desk.claim()
                // A process serves until it dies or the calls end; what it leaves undone, the next one takes up.
                while !work.deliveries.isEmpty {
                    if let why = work.whyBroken { try await giveUp(&work, why) } else { try await serve(&work) }
                }
            } catch {
                await faults.add(error)
            }
            whyBroken = work.whyBroken
            work.call?.answer()
        }
    }

    private func nextCall() async -> Call? {
        var iterator = calls.makeAsyncIterator()
        return await iterator.next()
    }

    /// What is to be done now, and for whom.
    private struct Work {
        var call: Call?
        var deliveries: [ClaimedDelivery] = []
        /// The delivery that the process has now.
        var current: ClaimedDelivery?
        var isStarted = false
        /// Why the sink cannot be used in this run.
        var whyBroken: String?
    }

    private func serve(_ work: inout Work) async throws {
        work.isStarted = false
        work.current = nil
        let end = try await runProcess(&work)
        guard let fault = end.fault else { return }
        if let current = work.current {
            try await settleDeath(of: current, end.words(fault), &work)
        } else if !work.isStarted {
            work.whyBroken = "the sink \(sink.id) cannot be started: \(end.words(fault))"
        }
    }

    /// How a process ended.
    private struct End {
        var fault: SinkFault?
        var status = "did not start"
        var log = ""

        func words(_ fault: SinkFault) -> String { fault.words(status: status, log: log) }
    }

    private func runProcess(_ work: inout Work) async throws -> End {
        var options = PlatformOptions()
        // A group of its own: a signal to the sink reaches what it started, and Ctrl-C on the terminal does not reach it.
        options.processGroupID = 0
        let arguments = Array(sink.manifest.command.dropFirst())
        do {
            let result = try await Subprocess.run(
                .path(sink.program), arguments: Arguments(arguments), platformOptions: options, input: .inputWriter,
                output: .sequence, error: .sequence
            ) { process in
                async let log = LogTail.collect(process.standardError)
                let fault: SinkFault?
                do {
                    // Whatever it started ends with it; a child that holds its standard error would keep the log open.
                    defer { Self.signal(process, .kill) }
                    fault = try await converse(process, &work)
                }
                return (fault, await log)
            }
            return End(
                fault: result.closureResult.0, status: Self.words(result.terminationStatus), log: result.closureResult.1
            )
        } catch let error as SubprocessError {
            return End(fault: .misbehaved("\(error)"))
        }
    }

    /// Speaks with the process until the calls end, or a fault does.
    private func converse(_ process: SinkConversation.Process, _ work: inout Work) async throws -> SinkFault? {
        let watchdog = Watchdog()
        async let _ = watchdog.watch {
            Self.signal(process, .terminate)
            try? await Task.sleep(for: Watchdog.grace)
            Self.signal(process, .kill)
        }
        var conversation = SinkConversation(process, watchdog: watchdog, limits: sink.manifest.limits)
        do {
            try await conversation.open(sink.manifest)
            work.isStarted = true
            repeat {
                try await deliver(&work, &conversation)
                work.call?.answer()
                work.call = await nextCall()
                if work.call != nil { work.deliveries = try await desk.claim() }
            } while work.call != nil
            work.current = nil
            try await conversation.close()
            return nil
        } catch let fault as SinkFault {
            return fault
        }
    }

    /// Hands over what is claimed, and what can be claimed after that, until nothing is open.
    private func deliver(_ work: inout Work, _ conversation: inout SinkConversation) async throws {
        while !work.deliveries.isEmpty {
            var finished: [FinishedDelivery] = []
            do {
                while let next = work.deliveries.first {
                    try Task.checkCancellation()
                    work.current = next
                    switch try await desk.prepare(next) {
                    case .ready(let delivery):
                        let answer = try await conversation.deliver(delivery)
                        finished.append(try await desk.ending(of: next, answer))
                    case .impossible(let why): finished.append(end(next, .failed, why))
                    }
                    work.current = nil
                    work.deliveries.removeFirst()
                }
            } catch {
                // What was answered before the fault is kept.
                try await complete(finished)
                throw error
            }
            try await complete(finished)
            work.deliveries = try await desk.claim()
        }
    }

    private func complete(_ finished: [FinishedDelivery]) async throws {
        try await desk.complete(finished)
        for delivery in finished { await report(delivery.ending.record) }
    }

    /// One delivery is in flight at a time, so that a death is always that delivery's alone. The second one quarantines it.
    private func settleDeath(of delivery: ClaimedDelivery, _ why: String, _ work: inout Work) async throws {
        work.deliveries.removeFirst()
        var delivery = delivery
        delivery.deaths += 1
        guard delivery.deaths >= Self.deathLimit else {
            work.deliveries.insert(try await desk.attemptAgain(delivery), at: 0)
            return
        }
        try await complete([end(delivery, .quarantined, "\(why); it died of it \(delivery.deaths) times")])
        if work.deliveries.isEmpty { work.deliveries = try await desk.claim() }
    }

    private static let deathLimit = 2

    /// Leaves the work open for a later run: nothing is wrong with it.
    private func giveUp(_ work: inout Work, _ why: String) async throws {
        try await complete(work.deliveries.map { end($0, .pending, why) })
        work.deliveries = try await desk.claim()
    }

    private func end(_ delivery: ClaimedDelivery, _ outcome: DeliveryOutcome, _ why: String) -> FinishedDelivery {
        let record = DeliveryRecord(
            id: delivery.id, sink: sink.id, outcome: outcome, why: why, attempts: delivery.attempt)
        return FinishedDelivery(ending: DeliveryEnding(record: record, deaths: delivery.deaths), staged: [])
    }

    private static func signal(_ process: SinkConversation.Process, _ signal: Signal) {
        // It may have ended by itself meanwhile.
        try? process.send(signal: signal, toProcessGroup: true)
    }

    private static func words(_ status: TerminationStatus) -> String {
        switch status {
        case .exited(let code): "ended with status \(code) before it answered"
        case .signaled(let number): "died of \(signalNames[number] ?? "signal \(number)")"
        }
    }

    private static let signalNames: [Int32: String] = [
        SIGILL: "an illegal instruction (SIGILL)", SIGABRT: "its own alarm (SIGABRT)", SIGBUS: "a bus error (SIGBUS)",
        SIGFPE: "an arithmetic fault (SIGFPE)", SIGKILL: "SIGKILL, sent by somebody or for want of memory",
        SIGSEGV: "a memory fault (SIGSEGV)", SIGTERM: "SIGTERM", SIGXCPU: "its limit of processor time (SIGXCPU)",
        SIGXFSZ: "its limit of file size (SIGXFSZ)",
    ]
}

/// The errors of lines of work that run beside one another; the first one is told.
actor FaultLog {
    private(set) var first: (any Error)?

    func add(_ error: any Error) {
        if first == nil, !(error is CancellationError) { first = error }
    }
}
