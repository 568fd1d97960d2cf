import Files
import Glibc
import GroupChannel
import ShareModel
import SystemPackage
import Transfers

/// All transfers of the container: which of them run, when the others are tried again, and who gets their ends.
///
/// Its calls write the record, which blocks, so it has a thread of its own.
actor Desk {
    /// A process that gets the events of a session.
    private struct Joined {
        let connection: ChannelConnection
        /// The numbers of the ends that it has got and not confirmed.
        var told: [Int64] = []
        var lastWord = ContinuousClock.now
        var isDrained = false
    }

    private struct Running {
        let task: Task<Void, Never>
        let meter: UploadMeter
        let session: String
        let key: String
        let delivery: Int64
        /// The bytes of the body that is sent; 0 for a download, whose answer says how many there are.
        let size: Int64
        /// The bytes that were told last, and those on record.
        var lastSent: Int64 = -1
        var lastNoted: Int64 = -1
        var lastMove = ContinuousClock.now
        let began = ContinuousClock.now
        let mayYield: Bool

        /// Whether it may go on later, and has moved less than it should since it began.
        var isSlow: Bool {
            let time = ContinuousClock.now - began
            return mayYield && time > TransferLimits.firstTurn
                && meter.moved < TransferLimits.slowBytes * time.components.seconds
        }
    }

    private let store: TransferStore
    private let container: FilePath
    private let files: TransferFiles
    private let engine: Engine
    private let tokens: Tokens
    private let executor = QueueExecutor("sluice.transfers")
    /// The transfers that are due, in order, by the place that they go to: the host and the account.
    private var waiting: [String: [Int64]] = [:]
    /// Those whose next try is later, in milliseconds since 1970.
    private var delayed: [Int64: Int64] = [:]
    private var running: [Int64: Running] = [:]
    private var runningAt: [String: Int] = [:]
    /// The most transfers to a host at a time.
    private var widths: [String: Int] = [:]
    private var joined: [String: Joined] = [:]
    /// Those whose connections failed. A change of the network may end that.
    private var unreachable: Set<Int64> = []
    /// Those that were interrupted because others waited.
    private var evicted: Set<Int64> = []
    /// Those that were interrupted to begin again at once.
    private var restarting: Set<Int64> = []
    private var timer: Task<Void, Never>?
    private var ticker: Task<Void, Never>?
    private var ticks = 0
    private var networkLook: Task<Void, Never>?
    /// The time until the next start of an agent, and how many were started since an end was confirmed.
    private var agentTask: Task<Void, Never>?
    private var agentStarts = 0
    /// The orders that are not on record yet.
    private var unrecorded: [Unrecorded] = []
    private let busy: @Sendable (Bool) -> Void

    private struct Unrecorded {
        let order: TransferOrder
        let step: TransferStep
        let continuation: CheckedContinuation<TransferRecord?, any Error>
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The time between two messages about the progress of uploads.
    private static let progressInterval = Duration.milliseconds(250)
    /// So many of these are between two notes on record.
    private static let ticksOfNote = 8
    /// An agent gets this time to join, before another one is started; twice as long each time.
    private static let agentPatience = Duration.seconds(5)
    private static let mostAgentStarts = 8
    /// A network that comes back says so in several messages, and names can be resolved a little later. So it is looked at twice.
    private static let networkLooks = [Duration.milliseconds(100), .milliseconds(1_500)]
    /// The time between two looks whether the container is still there.
    private static let longestSleep = Duration.seconds(30)
    /// The time until another look after the record could not be written.
    private static let recordPatience = Duration.seconds(5)
    /// A running agent gets this time to join, before one is started.
    private static let wakePatience = Duration.milliseconds(500)
    /// The statuses of a service that may answer otherwise later (RFC 9110, section 15; RFC 6585; RFC 8470).
    private static let laterStatuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]
    /// Those that say that the request was not carried out.
    private static let refusals: Set<Int> = [425, 429]

    /// - Parameter busy: called with whether there is something to do, so that the process must not end.
    init(
        container: FilePath, engine: Engine, tokens: Tokens, busy: @escaping @Sendable (Bool) -> Void
    ) throws {
        store = try TransferStore(opening: container)
        (self.container, self.engine, self.tokens, self.busy) = (container, engine, tokens, busy)
        files = TransferFiles(container)
    }

    /// Begins with what an earlier process has left.
    func start() throws {
        files.sweep(except: try store.keysInUse(), now: now / 1_000)
        for (number, due) in try store.openPlaces() {
            guard try !store.wasStarted(number) else {
                try settleUnknown(number)
                continue
            }
            try add(number, due: due)
        }
        look()
        for session in try store.sessionsWithEvents() { tellSomeone(session) }
    }

    private var now: Int64 { Clock.systemNanoseconds() / 1_000_000 }

    private func step(_ kind: TransferStep.Kind, _ session: String, by process: Int32 = getpid(), why: String? = nil)
        -> TransferStep
    { TransferStep(kind, time: now, session: session, process: process, why: why) }

    // MARK: - Orders

    func record(_ order: TransferOrder, by process: Int32) async throws -> RecordAnswer {
        if let fault = RequestRules.fault(method: order.head.method) ?? RequestRules.fault(url: order.head.url)
            ?? RequestRules.fault(headers: order.head.headers)
        {
            return .refused(RequestFailure(.permanent, fault))
        }
        guard order.size <= TransferLimits.bodyBytes else {
            return .refused(
                RequestFailure(.permanent, "its body has more than \(TransferLimits.bodyBytes) bytes"))
        }
        do {
            if let fault = try exchange(order.head).fault(ofSize: order.size) {
                return .refused(RequestFailure(.permanent, fault))
            }
        } catch let failure as RequestFailure { return .refused(failure) }
        let step = step(.recorded, order.session, by: process)
        let record = try await withCheckedThrowingContinuation { continuation in
            unrecorded.append(Unrecorded(order: order, step: step, continuation: continuation))
            // Those that come meanwhile are recorded with it, by the same sync.
            if unrecorded.count == 1 { Task { self.recordAll() } }
        }
        guard let record else {
            return .refused(RequestFailure(.transient, "the session \(order.session) is ending"))
        }
        return .recorded(number: record.number)
    }

    private func recordAll() {
        let all = unrecorded
        unrecorded = []
        do {
            let records = try store.record(all.map { ($0.order, $0.step) })
            for (own, record) in zip(all, records) {
                if let record, running[record.number] == nil {
                    forget(record.number)
                    add(record, due: record.due)
                }
                own.continuation.resume(returning: record)
                if case .object(let path, _, _)? = own.order.body, record?.order.body != own.order.body {
                    files.removeBody(path)
                }
            }
            look()
        } catch {
            for own in all { own.continuation.resume(throwing: error) }
        }
    }

    func change(_ key: String, _ change: ChangeOrder.Change, end: Int64? = nil, by process: Int32) throws
        -> ChangeAnswer
    {
        let isDone =
            switch change {
            case .use: try use(key, end)
            case .cancel: try cancel(key, by: process)
            case .retry: try retry(key, by: process)
            }
        return isDone ? .done : .notPossible
    }

    private func use(_ key: String, _ end: Int64?) throws -> Bool {
        guard let used = try store.use(key, end: end) else { return false }
        files.remove(of: used.order)
        return true
    }

    private func cancel(_ key: String, by process: Int32) throws -> Bool {
        guard let record = try store.transfer(key: key), record.status == .open else { return false }
        let session = record.order.session
        running[record.number]?.task.cancel()
        forget(record.number)
        guard try store.end(record.number, nil, step(.canceled, session, by: process), isDownload: false) else {
            return false
        }
        let upload = upload(record, UploadMeter())
        Task(executorPreference: QueueExecutor("sluice.upload")) { await upload.abandon() }
        tellSomeone(session)
        return true
    }

    private func retry(_ key: String, by process: Int32) throws -> Bool {
        guard let record = try store.transfer(key: key), [.open, .failed, .canceled].contains(record.status) else {
            return false
        }
        let step = step(.retried, record.order.session, by: process)
        if record.status == .open {
            try store.hasten(key)
            try store.add(step, [record.number])
        } else {
            guard let whole = try store.transfer(record.number, withContent: true),
                try !store.record([(whole.order, step)]).contains(nil)
            else { return false }
        }
        if running[record.number] == nil {
            forget(record.number)
            try add(record.number, due: 0)
            look()
        }
        return true
    }

    func look(isNow: Bool) throws -> LookAnswer {
        if isNow {
            try store.hasten()
            for number in delayed.keys.sorted() { try add(number, due: 0) }
        }
        look()
        for session in try store.sessionsWithEvents() { tellSomeone(session) }
        return LookAnswer(open: try store.openCount())
    }

    /// Whether a transfer is under way.
    var isRunning: Bool { !running.isEmpty }

    /// Tries soon what waits for a network.
    func networkChanged() {
        guard networkLook == nil, !unreachable.isEmpty || !running.isEmpty else { return }
        networkLook = Task {
            for wait in Self.networkLooks {
                try? await Task.sleep(for: wait)
                self.tryUnreachable()
            }
            self.networkLook = nil
        }
    }

    private func tryUnreachable() {
        do {
            for number in unreachable.sorted() where delayed[number] != nil {
                // The failures without a network say nothing about the service.
                if let key = try store.transfer(number)?.order.key { try store.hasten(key) }
                try add(number, due: 0)
            }
            unreachable = []
            // A connection of before may wait for long until it notices.
            for (number, own) in running where .now > own.lastMove + Self.stillness {
                restarting.insert(number)
                own.task.cancel()
            }
            look()
        } catch { fail(error) }
    }

    /// An upload that has not moved for this time begins again when the network has changed.
    private static let stillness = Duration.seconds(3)

    // MARK: - What runs

    private func add(_ number: Int64, due: Int64) throws {
        delayed[number] = nil
        guard due <= now else {
            delayed[number] = due
            return
        }
        if let record = try store.transfer(number) { enqueue(record) }
    }

    private func add(_ record: TransferRecord, due: Int64) {
        delayed[record.number] = due > now ? due : nil
        if due <= now { enqueue(record) }
    }

    private func enqueue(_ record: TransferRecord) {
        let exchange = exchange(record.order.head)
        let place = "\(exchange.place ?? "") \(record.order.head.login?.account.description ?? "")"
        widths[place] = exchange.width
        waiting[place, default: []].append(record.number)
    }

    private func forget(_ number: Int64) {
        delayed[number] = nil
        for place in waiting.keys { waiting[place]?.removeAll { $0 == number } }
    }

    /// Starts what is due, within the limits: the host with the fewest transfers is next, so that a broken one holds up no other.
    private func look() {
        do {
            while running.count < TransferLimits.all, let place = nextPlace, let number = waiting[place]?.first {
                if let record = try store.transfer(number, withContent: true), record.status == .open,
                    running[number] == nil
                {
                    try start(record, at: place)
                }
                // Behind what may fail, so that it is not forgotten.
                waiting[place]?.removeFirst()
                if waiting[place]?.isEmpty == true { waiting[place] = nil }
            }
        } catch {
            // There may be room again, and what is on record stays.
            Task {
                try? await Task.sleep(for: Self.recordPatience)
                self.look()
            }
        }
        setTimer()
        busy(!running.isEmpty || !waiting.isEmpty || !delayed.isEmpty || agentTask != nil)
    }

    private var nextPlace: String? {
        let isRoomForMore = running.count < TransferLimits.all - TransferLimits.spare
        return waiting.keys.filter { place in
            let count = runningAt[place, default: 0]
            return count == 0 || isRoomForMore && count < widths[place, default: TransferLimits.perHost]
        }.min { (runningAt[$0, default: 0], $0) < (runningAt[$1, default: 0], $1) }
    }

    private func exchange(_ head: RequestHead) -> Exchange { Exchange(head: head, engine: engine, tokens: tokens) }

    private func upload(_ record: TransferRecord, _ meter: UploadMeter) -> Upload {
        Upload(record: record, exchange: exchange(record.order.head), container: container, meter: meter) {
            [self] progress, sent in try await save(record.number, progress, sent)
        }
    }

    private func start(_ record: TransferRecord, at place: String) throws {
        let order = record.order
        if !order.isRepeatable { try store.start(record.number) }
        let kind: TransferStep.Kind = record.progress == nil ? .started : .resumed
        try store.add(step(kind, order.session), [record.number])
        let meter = UploadMeter()
        let upload = upload(record, meter)
        // It reads and hashes files.
        let task = Task(executorPreference: QueueExecutor("sluice.upload")) {
            let result: Result<RequestAnswer, any Error>
            do { result = .success(try await upload.run()) } catch { result = .failure(error) }
            await self.settle(record, at: place, result)
        }
        runningAt[place, default: 0] += 1
        running[record.number] = Running(
            task: task, meter: meter, session: order.session, key: order.key, delivery: order.delivery,
            size: order.size, mayYield: order.isRepeatable && (order.download != nil || order.resumption != .none))
        beginTicking()
    }

    private func save(_ number: Int64, _ progress: UploadProgress?, _ sent: Int64) throws {
        try Task.checkCancellation()
        try store.save(number, progress, sent: sent)
    }

    private func settle(_ started: TransferRecord, at place: String, _ result: Result<RequestAnswer, any Error>) {
        runningAt[place, default: 1] -= 1
        running[started.number] = nil
        defer { evicted.remove(started.number) }
        do {
            // Another one may have canceled it and begun it anew, or its failures may have been forgotten since some bytes arrived.
            if let record = try store.transfer(started.number), record.status == .open {
                try settle(record, result)
            }
            look()
        } catch { fail(error) }
    }

    private func settle(_ record: TransferRecord, _ result: Result<RequestAnswer, any Error>) throws {
        switch result {
        case .success(let answer):
            let mayRepeat = record.order.isRepeatable || Self.refusals.contains(answer.status)
            guard Self.laterStatuses.contains(answer.status), mayRepeat, record.failures + 1 < TransferLimits.failures
            else { return try end(record, .answered(answer)) }
            try postpone(
                record, "the service answers \(answer.status)",
                atLeast: .seconds(min(max(answer.retryAfter ?? 0, 0), 86_400)))
        case .failure(let failure as RequestFailure):
            let mayRepeat = record.order.isRepeatable || !failure.mayHaveArrived
            guard failure.kind == .transient, mayRepeat, record.failures + 1 < TransferLimits.failures else {
                return try end(record, .failed(failure))
            }
            try postpone(record, failure.why)
            unreachable.insert(record.number)
        case .failure(let offline as OfflineError):
            // A change of the network ends the wait.
            try delay(record, offline.why, by: TransferLimits.longestWait)
            unreachable.insert(record.number)
        case .failure(is CancellationError):
            if evicted.remove(record.number) != nil {
                return try delay(record, "it was slow, and others waited", by: TransferLimits.firstWait)
            }
            guard restarting.remove(record.number) == nil else { return try add(record.number, due: 0) }
            try postpone(record, "it was interrupted")
        case .failure(let error): throw error
        }
    }

    /// Ends a transfer whose last request an earlier process has begun, and which must not be repeated.
    private func settleUnknown(_ number: Int64) throws {
        guard let record = try store.transfer(number) else { return }
        let why = "the transfer process has ended during the request, and the service may have got it"
        try end(record, .failed(RequestFailure(.transient, why, mayHaveArrived: true)))
    }

    private func end(_ record: TransferRecord, _ end: RequestEnd) throws {
        let session = record.order.session
        let own: TransferStep =
            switch end {
            case .answered(let answer): step(.finished, session, why: "the service answers \(answer.status)")
            case .failed(let failure): step(.failed, session, why: failure.why)
            }
        if try store.end(record.number, end, own, isDownload: record.order.download != nil) { tellSomeone(session) }
    }

    /// Tries a transfer again after a wait that grows with its failures.
    private func postpone(_ record: TransferRecord, _ why: String, atLeast least: Duration = .zero) throws {
        let failures = record.failures + 1
        let wait = min(TransferLimits.firstWait * (1 << min(failures - 1, 20)), TransferLimits.longestWait)
        try delay(record, why, by: wait, atLeast: least, failures: failures)
    }

    /// Tries a transfer again after a wait, which is up to a quarter shorter, so that those that failed at the same moment do not
    /// all come back at once.
    ///
    /// - Parameter failures: the failures in a row; as many as before if `nil`.
    private func delay(
        _ record: TransferRecord, _ why: String, by wait: Duration, atLeast least: Duration = .zero,
        failures: Int? = nil
    ) throws {
        let due = now + max(wait * Double.random(in: 0.75...1), least).milliseconds
        let failures = failures ?? record.failures
        try store.postpone(
            record.number, until: due, failures: failures, step(.interrupted, record.order.session, why: why))
        try add(record.number, due: due)
        tell(progressOf: record)
    }

    private func setTimer() {
        timer?.cancel()
        guard let next = delayed.values.min() else { return }
        let wait = min(Duration.milliseconds(max(next - now, 1)), Self.longestSleep)
        timer = Task {
            try? await Task.sleep(for: wait)
            if !Task.isCancelled { self.becomeDue() }
        }
    }

    private func becomeDue() {
        // Without its container there is nothing to do, and no one will ever ask.
        if (try? Directory.kind(named: container.appending(TransferStore.file))) == nil { exit(0) }
        do {
            for number in delayed.filter({ $0.value <= now }).keys.sorted() { try add(number, due: 0) }
            look()
        } catch { fail(error) }
    }

    /// Without its record the process cannot go on. Another one begins with what is durable.
    private func fail(_ error: any Error) -> Never { Main.fail("\(error)") }

    // MARK: - Sessions

    func join(_ order: JoinOrder, _ connection: ChannelConnection) throws -> JoinAnswer {
        let session = order.session
        if let own = joined[session], own.connection !== connection {
            return .inUseByAnotherProcess(process: own.connection.peer.process)
        }
        if order.onlyForEvents, try store.events(of: session, limit: 1).isEmpty {
            return .refused(why: "the session \(session) has no event")
        }
        joined[session] = Joined(connection: connection)
        tell(session)
        return .joined
    }

    func leave(_ manner: LeaveOrder.Manner, _ connection: ChannelConnection) throws -> LeaveAnswer {
        guard let session = session(of: connection) else { return .disconnected }
        if manner != .disconnect { try store.endSession(session, manner) }
        if manner == .invalidateAndCancel {
            for record in try store.transfers(onlyOpen: true) where record.order.session == session {
                _ = try change(record.order.key, .cancel, by: connection.peer.process)
            }
        }
        drop(session)
        try store.closeSession(session)
        return .left
    }

    /// The connection has ended.
    func ended(_ connection: ChannelConnection) {
        if let session = session(of: connection) { drop(session) }
    }

    func confirm(_ ends: [Int64], _ connection: ChannelConnection) {
        guard let session = session(of: connection) else { return }
        do { try store.confirm(ends, step(.confirmed, session, by: connection.peer.process)) } catch { fail(error) }
        joined[session]?.told.removeAll { ends.contains($0) }
        joined[session]?.lastWord = .now
        agentStarts = 0
        tell(session)
    }

    func heard(_ connection: ChannelConnection) {
        if let session = session(of: connection) { joined[session]?.lastWord = .now }
    }

    private func session(of connection: ChannelConnection) -> String? {
        joined.first { $0.value.connection === connection }?.key
    }

    /// Takes a session from its process. Its ends go to another one.
    private func drop(_ session: String) {
        joined[session] = nil
        tellSomeone(session)
    }

    /// Gives the next ends of a session to its process.
    private func tell(_ session: String) {
        guard var own = joined[session], own.told.isEmpty else { return }
        do {
            let records = try store.events(of: session, limit: TransferLimits.window)
            var events = records.map { record in
                let kind: TransferEvent.Kind =
                    switch record.end {
                    case .answered: .finished
                    case .failed(let failure): .failed(failure)
                    case nil: .canceled
                    }
                return TransferEvent(
                    number: record.number, key: record.order.key, delivery: record.order.delivery, kind: kind,
                    end: record.endNumber)
            }
            if events.isEmpty {
                guard !own.isDrained else { return }
                events = [TransferEvent(number: 0, key: "", delivery: 0, kind: .drained)]
                own.isDrained = true
            } else {
                (own.told, own.isDrained, own.lastWord) = (records.compactMap(\.endNumber), false, .now)
                let told = step(.told, session, by: own.connection.peer.process)
                try store.add(told, records.map(\.number))
                beginTicking()
            }
            joined[session] = own
            try own.connection.send(TransferEvents(events))
        } catch is ChannelError {
            // The end of the connection comes too.
        } catch { fail(error) }
    }

    /// Gives the ends of a session to its process. Without one, the agent is woken, or started.
    private func tellSomeone(_ session: String) {
        guard joined[session] == nil else { return tell(session) }
        do {
            guard let record = try store.events(of: session, limit: 1).first else { return }
            record.order.head.places.wakeAgent()
            startAgent(in: Self.wakePatience)
        } catch { fail(error) }
    }

    private func startAgent(in time: Duration) {
        guard agentTask == nil, agentStarts < Self.mostAgentStarts else { return }
        agentTask = Task {
            try? await Task.sleep(for: time)
            self.startAgent()
        }
    }

    private func startAgent() {
        agentTask = nil
        defer { look() }
        let sessions = ((try? store.sessionsWithEvents()) ?? []).filter { joined[$0] == nil }
        guard let session = sessions.first, let record = try? store.events(of: session, limit: 1).first,
            let program = record.order.agent.first
        else { return }
        agentStarts += 1
        _ = try? DetachedProcess.start(FilePath(program), Array(record.order.agent.dropFirst()))
        startAgent(in: Self.agentPatience * (1 << min(agentStarts, 6)))
    }

    // MARK: - Clocks of processes

    private func beginTicking() {
        guard ticker == nil else { return }
        ticker = Task {
            while self.tick() { try? await Task.sleep(for: Self.progressInterval) }
        }
    }

    /// Tells the progress of uploads, and drops processes that do not confirm.
    ///
    /// - Returns: whether there is something to look at.
    private func tick() -> Bool {
        ticks += 1
        if ticks % Self.ticksOfNote == 0 {
            let moved = running.filter { $0.value.lastSent != $0.value.lastNoted }
            for (number, own) in moved { running[number]?.lastNoted = own.lastSent }
            if !moved.isEmpty { try? store.note(moved.mapValues(\.meter.sent)) }
            makeRoom()
        }
        for (number, own) in running {
            let sent = own.meter.sent
            guard sent != own.lastSent else { continue }
            running[number]?.lastSent = sent
            running[number]?.lastMove = .now
            guard let process = joined[own.session] else { continue }
            let event = TransferEvent(
                number: number, key: own.key, delivery: own.delivery,
                kind: .progress(sent: sent, size: max(own.size, sent)))
            try? process.connection.send(TransferEvents([event]))
        }
        for (session, own) in joined
        where !own.told.isEmpty && ContinuousClock.now > own.lastWord + TransferLimits.confirmation {
            drop(session)
            // A stopped process learns of it when it goes on.
            own.connection.close("no confirmation in time")
        }
        let goesOn = !running.isEmpty || joined.values.contains { !$0.told.isEmpty }
        if !goesOn { ticker = nil }
        return goesOn
    }

    /// Takes the place of a transfer that hardly moves, if one to a host with none under way waits for it.
    private func makeRoom() {
        let needed = waiting.keys.filter { runningAt[$0, default: 0] == 0 }.count - (TransferLimits.all - running.count)
        guard needed > 0 else { return }
        let slow = running.filter { $0.value.isSlow && !evicted.contains($0.key) }
        for (number, own) in slow.sorted(by: { $0.value.began < $1.value.began }).prefix(needed) {
            evicted.insert(number)
            own.task.cancel()
        }
    }

    /// Tells that an upload waits for a later try.
    private func tell(progressOf record: TransferRecord) {
        guard let process = joined[record.order.session] else { return }
        let event = TransferEvent(
            number: record.number, key: record.order.key, delivery: record.order.delivery,
            kind: .waiting(why: record.why ?? "", until: delayed[record.number] ?? 0))
        try? process.connection.send(TransferEvents([event]))
    }
}
