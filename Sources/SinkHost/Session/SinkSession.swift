package import Files
internal import FoundationEssentials
package import ShareModel
internal import SinkKit
package import SystemPackage

/// The host's session with one process of a sink: it sends deliveries and returns their outcomes. Its calls block, and
/// only one thread may make them.
///
/// It knows no container. The caller chooses the next delivery and stores each outcome.
package final class SinkSession {
    package let containment: Containment
    /// Removes the sink's secrets from every text that comes from the sink.
    package let redactor: Redactor
    /// The number of deliveries that the process takes at once.
    package let window: Int
    /// The token of the account that the process has; `nil` if it has none.
    package let token: ShareToken?
    /// The login under which the process sends: that of its token, or of the requests that the host makes for it; `nil` without an account.
    package let owner: AccountUser?
    /// Whether the sink answers a query about an earlier attempt.
    package let canCheck: Bool
    /// Whether the process may get another delivery. It is asked before each one.
    package var mayHand: () -> Bool = { true }

    private let connection: SinkConnection
    private let folder: WorkFolder
    private let rules: AnswerRules
    /// Whether the sink obeys `cancel`.
    private let canCancel: Bool
    private let getsFiles: Bool
    private let sink: InstalledSink
    private let performer: any RequestPerformer
    /// `nil` for a sink that makes no requests.
    private let requests: OpenRequests?
    private let composer: RequestComposer
    /// Outcomes that ``next()`` has not returned.
    private var settled: [HostedOutcome] = []
    private let mostDeliveries: Int
    private let processorTime: Duration
    private var inFlight = InFlight()
    private var handed = 0
    private var givenUp: [String] = []
    private var untouched: [String] = []
    /// The fault for which the session canceled the deliveries in flight, and the end of the wait for their answers.
    private var cancellation: (fault: SinkFault, deadline: ContinuousClock.Instant)?
    private var lastLook = ContinuousClock.now

    /// A process gets at most this many deliveries at once, even if its `max_in_flight` is higher.
    package static let windowLimit = 32
    private static let lookInterval = Duration.seconds(1)

    private init(
        _ connection: SinkConnection, _ hello: SinkMessage.SinkHello, _ sink: InstalledSink, _ folder: WorkFolder,
        _ rules: AnswerRules, _ configuration: SinkConfiguration, _ performer: any RequestPerformer,
        _ requests: OpenRequests?
    ) {
        (token, owner) = (configuration.token, configuration.owner)
        (self.sink, self.performer, self.requests) = (sink, performer, requests)
        composer = RequestComposer(sink: sink, rules: rules, folder: folder)
        self.connection = connection
        self.folder = folder
        self.rules = rules
        (containment, redactor) = (folder.launch.containment, rules.redactor)
        window = min(hello.maxInFlight ?? 1, Self.windowLimit)
        mostDeliveries = hello.maxDeliveries ?? .max
        let features = hello.features ?? []
        (canCheck, canCancel) = (features.contains(.check), features.contains(.cancel))
        getsFiles = sink.manifest.content != SinkManifest.ContentNeed.none
        processorTime = Self.processorTime(of: sink)
    }

    /// Starts a process of a sink, opens a session with it, calls `body`, and ends the process.
    ///
    /// `body` runs in the caller's isolation and blocks its thread. It is not called if the process does not become
    /// ready. It may throw a ``SinkFault``, which ends the session.
    ///
    /// - Parameters:
    ///   - root: the work folder for this process only. This call makes it and removes it.
    ///   - tokens: gives out the tokens of accounts.
    ///   - refused: see ``TokenSource/token(of:refused:)``.
    ///   - performer: makes the requests of the sink.
    ///   - stop: ends the session soon after it is set.
    /// - Throws: errors that are not the sink's fault, such as a full disk. The sink's faults are in the result.
    package static func run(
        _ sink: InstalledSink, in root: FilePath, on fileSystem: any FileSystem, confiner: SinkConfiner,
        limits: DeliveryLimits, tokens: some TokenSource = NoTokens(), refused: TokenRefusal? = nil,
        performer: any RequestPerformer = NoRequests(), stop: StopFlag, isolation: isolated (any Actor)? = #isolation,
        _ body: (SinkSession) throws -> Void
    ) async throws -> SessionEnd {
        let configuration: SinkConfiguration
        let folder: WorkFolder
        do {
            configuration = try await sink.configuration(tokens: tokens, refused: refused)
            folder = try WorkFolder(root, on: fileSystem) {
                try confiner.launch(
                    sink, folder: $0, network: sink.allowsNetwork, limits: sink.limits, on: fileSystem)
            }
        } catch let obstacle as SinkObstacle {
            return SessionEnd(fault: .obstructed("\(obstacle)"))
        } catch let delay as TokenDelay {
            return SessionEnd(fault: .delayed("\(delay)"))
        } catch let failure as SinkFailure {
            return SessionEnd(fault: .obstructed(failure.why))
        }
        defer { folder.remove() }
        do {
            let redactor = Redactor(configuration.hidden)
            let rules = AnswerRules(limits: limits, redactor: redactor, fileSystem: fileSystem)
            var (end, ending) = try await SinkProcess.run(folder.launch) { process in
                var end = SessionEnd()
                var session: SinkSession?
                let connection = SinkConnection(process, to: sink, stop: stop, redactor: rules.redactor)
                do {
                    let hello = try connection.open(configuration.message)
                    end.isReady = true
                    let requests =
                        sink.makesRequests && hello.features?.contains(.transfer) == true ? try OpenRequests() : nil
                    connection.listen(to: requests?.box.bell)
                    let opened = SinkSession(
                        connection, hello, sink, folder, rules, configuration, performer, requests)
                    session = opened
                    // The wait for the end of the process hears no bell.
                    defer { connection.listen(to: nil) }
                    try body(opened)
                    connection.listen(to: nil)
                    connection.close()
                } catch let fault as SinkFault {
                    end.fault = fault
                    // A sink that closed its output is ending. Its own status tells more than that of a signal.
                    if case .died = fault { process.awaitEnd() } else { process.terminate() }
                }
                session?.report(to: &end)
                end.log = rules.redactor.redacted(process.readLog(), isCut: true)
                return end
            }
            end.ending = ending
            // A sink may have several threads, and may have needed a part of its time to start.
            end.hasSpentItsTime = ending.isOutOfProcessorTime && end.silence > processorTime(of: sink) / 4
            end.containment = folder.launch.containment
            end.state(rules.redactor)
            sink.listener?(end.log)
            return end
        } catch let failure as ProcessNotStarted {
            return SessionEnd(fault: .unready(failure.why))
        }
    }

    private static func processorTime(of sink: InstalledSink) -> Duration {
        .seconds(SinkBounds.make(sink.limits).processorSeconds)
    }

    private func report(to end: inout SessionEnd) {
        (end.handed, end.silence) = (handed, connection.silence)
        (end.unanswered, end.givenUp, end.untouched) = (inFlight.ids, givenUp, untouched)
    }

    // MARK: - Deliveries

    /// Whether the process takes no more deliveries: the session is ending, the sink got its `max_deliveries`, or its
    /// processor time may soon be used up. That limit is for the whole life of a process.
    package var isOver: Bool {
        cancellation != nil || handed >= mostDeliveries || connection.busyTime > processorTime / 2
    }

    /// Whether the process has nothing to do.
    package var isIdle: Bool { inFlight.isEmpty && settled.isEmpty && cancellation == nil }

    /// Sends a delivery. If the outcome of its last attempt is unknown, it first queries a sink that can check.
    ///
    /// - Returns: the outcome if the session cannot send the delivery. Otherwise ``next()`` returns the outcome later.
    /// - Throws: ``SinkFault``, or an error that is not the sink's fault. In both cases the sink does not have the
    ///   delivery.
    package func begin(_ delivery: HostedDelivery) throws -> HostedOutcome? {
        guard delivery.isUncertain, canCheck else { return try hand(delivery) }
        try connection.query(.init(id: delivery.id, key: delivery.key), isFirst: inFlight.isEmpty)
        inFlight.add(delivery, nil)
        return nil
    }

    /// The next outcome; `nil` if none came for a short while. The call may remove the files of the previous outcome.
    ///
    /// If a clock runs out or the run is stopped, a sink that obeys `cancel` has `SinkProcess.grace` for its last
    /// answers. This method still returns them, and then throws the fault.
    package func next() throws -> HostedOutcome? {
        removeAnswered(all: false)
        if let cancellation { return try next(in: cancellation) }
        do {
            try checkDisk()
            try passAnswersOn()
            if !settled.isEmpty { return settled.removeFirst() }
            let waits = requests?.isEmpty == false
            return try connection.next(oldestSince: inFlight.oldestSince, waitsForHost: waits).flatMap(take)
        } catch let fault as SinkFault {
            guard canCancel, fault.leavesSinkAlive else { throw fault }
            try connection.cancel(inFlight.handedIDs)
            cancellation = (fault, .now + SinkProcess.grace)
            return nil
        }
    }

    private func next(in cancellation: (fault: SinkFault, deadline: ContinuousClock.Instant)) throws -> HostedOutcome? {
        guard !inFlight.isEmpty || !settled.isEmpty, ContinuousClock.now < cancellation.deadline else {
            throw cancellation.fault
        }
        try passAnswersOn()
        if !settled.isEmpty { return settled.removeFirst() }
        switch try connection.receive() {
        case nil: return nil
        // After a request whose outcome no one knows, the delivery stays unanswered.
        case .fail(let failure) where failure.class == .transient && requests?.isUncertain(failure.id) == true:
            return nil
        case .fail(let failure) where failure.class == .transient:
            // The sink gave up only because of the cancel, so this failure does not count against the delivery.
            _ = try removeHanded(failure.id)
            givenUp.append(failure.id)
            return nil
        case .checked(let checked) where checked.answer != .present:
            guard inFlight.removeQueried(checked.id) != nil else { throw SinkFault.unasked(checked.id) }
            untouched.append(checked.id)
            return nil
        case .some(let message): return try take(message)
        }
    }

    /// Throws a fault if the sink writes a line or ends while it has nothing to do, or if it uses too much of the disk.
    package func checkAtRest() throws {
        try connection.checkSilence()
        try checkDisk()
    }

    private func take(_ message: SinkMessage) throws -> HostedOutcome? {
        switch message {
        case .progress(let progress):
            guard inFlight.has(progress.id) else { throw SinkFault.unasked(progress.id) }
            return nil
        case .request(let request):
            try begin(request)
            return nil
        case .transfer(let transfer): return try begin(transfer)
        case .done(let done):
            if requests?.isRecording(done.id) == true { throw SinkFault.unasked(done.id) }
            let result = rules.result(done, below: folder.out(try removeHanded(done.id)))
            if case .answered(let answer) = result { inFlight.note(answeredBytes: answer.bytes) }
            return HostedOutcome(id: done.id, result: result)
        case .fail(let failure):
            if requests?.isRecording(failure.id) == true { throw SinkFault.unasked(failure.id) }
            let isUncertain = requests?.isUncertain(failure.id) == true
            _ = try removeHanded(failure.id)
            return HostedOutcome(id: failure.id, result: rules.result(failure), isUncertain: isUncertain)
        case .checked(let checked):
            guard let delivery = inFlight.removeQueried(checked.id) else { throw SinkFault.unasked(checked.id) }
            if checked.answer == .present { return HostedOutcome(id: checked.id, result: .present) }
            guard mayHand() else {
                untouched.append(checked.id)
                return nil
            }
            do { return try hand(delivery) } catch {
                untouched.append(checked.id)
                throw error
            }
        case .hello, .ready: throw SinkFault.misbehaved("it sends hello or ready a second time")
        }
    }

    /// Takes an answered delivery out of ``inFlight``, and removes its parts from the disk.
    ///
    /// - Returns: the number of its folder for products.
    private func removeHanded(_ id: String) throws -> Int {
        requests?.end(of: id)
        guard let place = inFlight.removeHanded(id) else { throw SinkFault.unasked(id) }
        folder.remove(place.parts)
        return place.number
    }

    // MARK: - Requests

    /// Begins a request of the sink. One that cannot be made is answered at once.
    private func begin(_ request: SinkMessage.Request) throws {
        let (requests, delivery, place) = try asking(request.id)
        guard !requests.isFull, !requests.has(.init(id: request.id, name: request.name)) else {
            throw SinkFault.misbehaved(
                "it asks for a request with the name of an open one, or for more than \(OpenRequests.limit) at a time")
        }
        // A sink that asks and does not read must not fill the memory.
        guard connection.unsentBytes <= Self.unsentLimit else {
            throw SinkFault.misbehaved("it asks for requests, and does not read the answers")
        }
        func fail(_ kind: FailureClass, _ why: String) throws { try connection.answer(.failed(request, kind, why)) }
        guard cancellation == nil else { return try fail(.transient, "the run was interrupted") }
        do {
            let seconds = Self.seconds(of: inFlight.oldestSince + sink.limits.total - .now)
            requests.begin(try composer.request(request, for: delivery, in: place, seconds: seconds), by: performer)
        } catch let fault as RequestFault {
            try fail(fault.kind, fault.why)
        }
    }

    /// Records a transfer that the sink has handed a delivery over to.
    ///
    /// - Returns: the outcome if it cannot be recorded. Otherwise ``next()`` returns the outcome later.
    private func begin(_ transfer: SinkMessage.Transfer) throws -> HostedOutcome? {
        let (requests, delivery, place) = try asking(transfer.id)
        guard cancellation == nil else {
            _ = try removeHanded(transfer.id)
            givenUp.append(transfer.id)
            return nil
        }
        do {
            requests.record(try composer.transfer(transfer, for: delivery, in: place), by: performer)
            return nil
        } catch let fault as RequestFault {
            return try ended(transfer.id, .init(class: fault.kind, why: fault.why))
        }
    }

    private func ended(_ id: String, _ failure: HostMessage.RequestFailure?) throws -> HostedOutcome {
        _ = try removeHanded(id)
        guard let failure else { return HostedOutcome(id: id, result: .transferring) }
        let result = rules.result(
            SinkMessage.Failure(id: id, class: failure.class, why: "its transfer cannot begin: \(failure.why)"))
        return HostedOutcome(id: id, result: result)
    }

    /// The delivery for which a sink asks for something, with its place.
    private func asking(_ id: String) throws -> (OpenRequests, HostedDelivery, InFlight.Place) {
        guard let requests else {
            throw SinkFault.misbehaved(
                "it asks for a request without the feature 'transfer' or without 'needs': {'requests': …} in its sink.json"
            )
        }
        guard let (delivery, place) = inFlight.handed(id), !requests.isRecording(id) else {
            throw SinkFault.unasked(id)
        }
        return (requests, delivery, place)
    }

    /// Passes on the answers to the requests of the sink.
    private func passAnswersOn() throws {
        for answer in requests?.takeAnswers() ?? [] {
            switch answer {
            case .response(let response): try connection.answer(response)
            case .recording(let id, let failure): settled.append(try ended(id, failure))
            }
        }
    }

    /// The most bytes that wait for a sink with requests.
    private static let unsentLimit = 4 << 20

    /// A request ends a little before the time of its delivery, so that the sink can still answer.
    private static func seconds(of rest: Duration) -> Int {
        let seconds = max(1, Int(rest.components.seconds))
        return max(1, seconds - max(1, seconds / 10))
    }

    // MARK: - Files

    private func hand(_ delivery: HostedDelivery) throws -> HostedOutcome? {
        let (slot, number) = (inFlight.freeSlot, handed + 1)
        do {
            let (message, parts) = try layOut(delivery, number, slot: slot)
            do {
                try connection.hand(message, isFirst: inFlight.isEmpty)
            } catch let error as LineTooLong {
                // The folder for products stays. The next delivery has the same number, and `makeOut` replaces the
                // folder.
                folder.remove(parts)
                throw UndeliverableError(why: Self.words(error, delivery))
            }
            inFlight.add(delivery, .init(number: number, slot: slot, parts: parts))
            handed += 1
            return nil
        } catch let error as UndeliverableError {
            return HostedOutcome(id: delivery.id, result: .undeliverable(error.why))
        }
    }

    private func layOut(_ delivery: HostedDelivery, _ number: Int, slot: Int) throws -> (Delivery, [LaidOutPart]) {
        var message = Delivery(delivery)
        guard getsFiles else { return (message, []) }
        message.out = try folder.makeOut(number).string
        do {
            var parts = try delivery.parts.enumerated().map { try folder.addPart($1, place: $0, slot: slot) }
            for (place, part) in parts.enumerated() { message.parts[place].path = part.inside.string }
            if let download = delivery.download {
                let file = try folder.addPart(download, place: parts.count, slot: slot)
                message.transfer?.file?.path = file.inside.string
                parts.append(file)
            }
            return (message, parts)
        } catch let error as UndeliverableError {
            folder.clear(slot: slot)
            throw error
        }
    }

    private static func words(_ error: LineTooLong, _ delivery: HostedDelivery) -> String {
        "its \(delivery.parts.count) parts take \(error.bytes) bytes to describe, and a line of the sink protocol holds "
            + "\(error.limit); share them in smaller groups"
    }

    /// Removes the folders of answered deliveries.
    ///
    /// - Parameter all: whether a few small folders are removed too. Otherwise they stay for a while, because some file
    ///   systems make new files slowly beside removed ones.
    private func removeAnswered(all: Bool) {
        let numbers = inFlight.takeAnsweredNumbers(all: all)
        guard getsFiles else { return }
        for number in numbers { folder.removeOut(number) }
    }

    /// Checks the process's bytes on the disk, at most once a second, because counting walks its folders. Answered
    /// deliveries do not count, so their folders are removed first.
    private func checkDisk() throws {
        guard ContinuousClock.now > lastLook + Self.lookInterval else { return }
        lastLook = .now
        let limit = rules.limits.sinkBytes
        guard try folder.size(limit: limit) > limit else { return }
        // The host keeps the folders of answered deliveries for a while. They are not the sink's fault.
        removeAnswered(all: true)
        guard try folder.size(limit: limit) > limit else { return }
        throw SinkFault.misbehaved("it uses more of the disk than it may at a time; it must write less")
    }
}

extension Delivery {
    /// The message for a delivery. Its paths are filled in when the files are in the work folder.
    fileprivate init(_ hosted: HostedDelivery) {
        self.init(
            id: hosted.id, key: hosted.key, attempt: hosted.attempt, title: hosted.title, text: hosted.text,
            parts: hosted.parts.map { part in
                Part(
                    role: part.role, path: nil, name: part.name, type: part.type, size: part.size,
                    sha256: part.sha256.description)
            }, out: "", transfer: hosted.transfer)
    }
}
