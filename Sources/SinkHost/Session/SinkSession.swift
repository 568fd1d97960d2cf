package import Files
package import ShareModel
internal import SinkKit
package import SystemPackage

/// The host's session with one process of a sink: it hands deliveries over and returns their outcomes. For one thread,
/// which blocks.
///
/// It knows no container. The caller decides which delivery comes next, and keeps what came of it.
package final class SinkSession {
    /// What is between the process and everything else.
    package let containment: Containment
    /// Keeps the sink's secrets out of every text that comes from the sink.
    package let redactor: Redactor
    /// How many deliveries the process takes at once.
    package let window: Int

    private let connection: SinkConnection
    private let folder: WorkFolder
    private let rules: AnswerRules
    /// Whether the sink answers a query about an earlier attempt.
    private let canCheck: Bool
    /// Whether the sink heeds a cancel.
    private let canCancel: Bool
    private let getsFiles: Bool
    private let mostDeliveries: Int
    private let processorTime: Duration
    private var inFlight = InFlight()
    private var handed = 0
    private var givenUp: [String] = []
    private var untouched: [String] = []
    /// The fault for which the deliveries in flight were canceled, and until when their answers are awaited.
    private var cancellation: (fault: SinkFault, deadline: ContinuousClock.Instant)?
    private var lastLook = ContinuousClock.now

    /// The most deliveries that a process gets at once.
    package static let windowLimit = 32
    private static let lookInterval = Duration.seconds(1)

    private init(
        _ connection: SinkConnection, _ hello: SinkMessage.SinkHello, _ sink: InstalledSink, _ folder: WorkFolder,
        _ rules: AnswerRules
    ) {
        self.connection = connection
        self.folder = folder
        self.rules = rules
        (containment, redactor) = (folder.launch.containment, rules.redactor)
        window = min(hello.maxInFlight ?? 1, Self.windowLimit)
        mostDeliveries = hello.maxDeliveries ?? .max
        let features = hello.features ?? []
        (canCheck, canCancel) = (features.contains(.check), features.contains(.cancel))
        getsFiles = sink.manifest.content != SinkManifest.ContentNeed.none
        processorTime = .seconds(SinkBounds.make(sink.limits).processorSeconds)
    }

    /// Starts a process of a sink, opens a session with it for the time of `body`, and ends the process.
    ///
    /// `body` runs in the caller's isolation and blocks its thread. It is not called if the process does not become ready. It
    /// may throw a ``SinkFault``, which ends the session.
    ///
    /// - Parameters:
    ///   - root: the work folder of this process alone. It is made here, and gone at the end.
    ///   - stop: ends the session soon after it is set.
    /// - Throws: what is not the sink's fault.
    package static func run(
        _ sink: InstalledSink, in root: FilePath, confiner: SinkConfiner, limits: DeliveryLimits, stop: StopFlag,
        isolation: isolated (any Actor)? = #isolation, _ body: (SinkSession) throws -> Void
    ) async throws -> SessionEnd {
        let configuration: HostMessage.Configuration
        let folder: WorkFolder
        do {
            configuration = try await sink.configuration()
            folder = try WorkFolder(root) {
                try confiner.launch(sink, folder: $0, network: sink.allowsNetwork, limits: sink.limits)
            }
        } catch let obstacle as SinkObstacle {
            return SessionEnd(fault: .obstructed("\(obstacle)"))
        } catch let failure as SinkFailure {
            return SessionEnd(fault: .obstructed(failure.why))
        }
        defer { try? folder.remove() }
        do {
            let rules = AnswerRules(limits: limits, redactor: Redactor((configuration.secrets ?? [:]).values))
            var (end, ending) = try await SinkProcess.run(folder.launch) { process in
                var end = SessionEnd()
                var session: SinkSession?
                let connection = SinkConnection(process, to: sink, stop: stop, redactor: rules.redactor)
                do {
                    let hello = try connection.open(configuration)
                    end.isReady = true
                    let opened = SinkSession(connection, hello, sink, folder, rules)
                    session = opened
                    try body(opened)
                    connection.close()
                } catch let fault as SinkFault {
                    end.fault = fault
                    if case .died = fault { process.awaitEnd() } else { process.terminate() }
                }
                session?.report(to: &end)
                end.log = rules.redactor.redacted(process.readLog(), isTail: true)
                return end
            }
            end.ending = ending
            end.containment = folder.launch.containment
            end.state(rules.redactor)
            sink.listener?(end.log)
            return end
        } catch let failure as ProcessNotStarted {
            return SessionEnd(fault: .unready(failure.why))
        }
    }

    private func report(to end: inout SessionEnd) {
        end.handed = handed
        (end.unanswered, end.givenUp, end.untouched) = (inFlight.ids, givenUp, untouched)
    }

    // MARK: - Deliveries

    /// Whether the process takes no more deliveries: the session is ending, the sink has as many as it takes, or its processor
    /// time for all its life may soon be used up.
    package var isOver: Bool {
        cancellation != nil || handed >= mostDeliveries || connection.busyTime > processorTime / 2
    }

    /// Whether the process has nothing to do.
    package var isIdle: Bool { inFlight.isEmpty && cancellation == nil }

    /// Hands a delivery over, or first queries the sink about one whose last attempt has no known outcome.
    ///
    /// - Returns: the outcome if the delivery cannot be handed over; else ``next()`` returns it later.
    /// - Throws: ``SinkFault``, or what is not the sink's fault. The sink does not have the delivery then.
    package func begin(_ delivery: HostedDelivery) throws -> HostedOutcome? {
        guard delivery.isUncertain, canCheck else { return try hand(delivery) }
        try connection.query(.init(id: delivery.id, key: delivery.key), isFirst: inFlight.isEmpty)
        inFlight.add(delivery, nil)
        return nil
    }

    /// The next outcome; `nil` if none came for a short while. The files of the outcome before may be gone afterwards.
    ///
    /// If a clock runs out or the run is stopped, a sink that heeds a cancel gets `SinkProcess.grace` for its last answers,
    /// which this still returns. Then it throws the fault.
    package func next() throws -> HostedOutcome? {
        try removeAnswered(all: false)
        if let cancellation { return try next(in: cancellation) }
        do {
            try checkDisk()
            return try connection.next(oldestSince: inFlight.oldestSince).flatMap(take)
        } catch let fault as SinkFault {
            guard canCancel, fault.leavesSinkAlive else { throw fault }
            try connection.cancel(inFlight.handedIDs)
            cancellation = (fault, .now + SinkProcess.grace)
            return nil
        }
    }

    private func next(in cancellation: (fault: SinkFault, deadline: ContinuousClock.Instant)) throws -> HostedOutcome? {
        guard !inFlight.isEmpty, ContinuousClock.now < cancellation.deadline else { throw cancellation.fault }
        switch try connection.receive() {
        case nil: return nil
        case .fail(let failure) where failure.class == .transient:
            // The sink gave it up for the cancel alone, so this is no failure of the delivery.
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

    /// Throws a fault if the sink speaks or ends while it has nothing to do, or if it has too much on the disk.
    package func checkAtRest() throws {
        try connection.checkSilence()
        try checkDisk()
    }

    private func take(_ message: SinkMessage) throws -> HostedOutcome? {
        switch message {
        case .progress(let progress):
            guard inFlight.has(progress.id) else { throw SinkFault.unasked(progress.id) }
            return nil
        case .done(let done):
            let result = rules.result(done, below: folder.out(try removeHanded(done.id)))
            if case .answered(let answer) = result { inFlight.note(answeredBytes: answer.bytes) }
            return HostedOutcome(id: done.id, result: result)
        case .fail(let failure):
            _ = try removeHanded(failure.id)
            return HostedOutcome(id: failure.id, result: rules.result(failure))
        case .checked(let checked):
            guard let delivery = inFlight.removeQueried(checked.id) else { throw SinkFault.unasked(checked.id) }
            if checked.answer == .present { return HostedOutcome(id: checked.id, result: .present) }
            do { return try hand(delivery) } catch {
                untouched.append(checked.id)
                throw error
            }
        case .hello, .ready: throw SinkFault.misbehaved("it greets again")
        }
    }

    /// Takes an answered delivery out of the flight, and its parts off the disk.
    ///
    /// - Returns: the number of its folder for products.
    private func removeHanded(_ id: String) throws -> Int {
        guard let place = inFlight.removeHanded(id) else { throw SinkFault.unasked(id) }
        try folder.remove(place.parts)
        return place.number
    }

    // MARK: - Files

    private func hand(_ delivery: HostedDelivery) throws -> HostedOutcome? {
        let (slot, number) = (inFlight.freeSlot, handed + 1)
        do {
            let (message, parts) = try layOut(delivery, number, slot: slot)
            do {
                try connection.hand(message, isFirst: inFlight.isEmpty)
            } catch let error as SinkProtocol.LineTooLong {
                try folder.remove(parts)
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
            let parts = try delivery.parts.enumerated().map { try folder.addPart($1, place: $0, slot: slot) }
            for (place, part) in parts.enumerated() { message.parts[place].path = part.inside.string }
            return (message, parts)
        } catch let error as UndeliverableError {
            try folder.clear(slot: slot)
            throw error
        }
    }

    private static func words(_ error: SinkProtocol.LineTooLong, _ delivery: HostedDelivery) -> String {
        "its \(delivery.parts.count) parts take \(error.bytes) bytes to describe, and a line of the sink protocol holds "
            + "\(SinkProtocol.maximumLineBytes); share them in smaller groups"
    }

    /// Removes the folders of answered deliveries, as a rule only when they are many.
    private func removeAnswered(all: Bool) throws {
        let numbers = inFlight.takeAnsweredNumbers(all: all)
        guard getsFiles else { return }
        for number in numbers { try folder.removeOut(number) }
    }

    /// Once in a while, holds the process to its share of the disk. Answered deliveries do not count: they go first.
    private func checkDisk() throws {
        guard ContinuousClock.now > lastLook + Self.lookInterval else { return }
        lastLook = .now
        let limit = rules.limits.sinkBytes
        guard folder.size(limit: limit) > limit else { return }
        try removeAnswered(all: true)
        guard folder.size(limit: limit) > limit else { return }
        throw SinkFault.misbehaved("it has more on the disk than it may have at a time; it must write less")
    }
}

extension Delivery {
    /// The message for a delivery, still without its folders.
    fileprivate init(_ hosted: HostedDelivery) {
        self.init(
            id: hosted.id, key: hosted.key, attempt: hosted.attempt, title: hosted.title, text: hosted.text,
            parts: hosted.parts.map { part in
                Part(
                    role: part.role, path: nil, name: part.name, type: part.type, size: part.size,
                    sha256: part.sha256.description)
            }, out: "")
    }
}
