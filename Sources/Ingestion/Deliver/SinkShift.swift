internal import GroupContainer
internal import ShareModel
internal import SinkKit

/// What one process of a sink does: takes deliveries, several at a time, and answers. For one thread, which blocks.
final class SinkShift {
    let conversation: SinkConversation
    private let books: SinkBooks
    private let folder: WorkFolder
    private let stop: StopFlag
    private let window: Int
    private let processorTime: Duration
    /// How many deliveries it was handed.
    private(set) var handed = 0
    private var lastLook = ContinuousClock.now

    /// How many deliveries a process has at most, whatever it takes.
    static let windowLimit = 32
    private static let lookInterval = Duration.seconds(1)

    init(
        _ conversation: SinkConversation, _ books: SinkBooks, _ folder: WorkFolder, _ bounds: SinkBounds,
        _ stop: StopFlag
    ) {
        self.conversation = conversation
        self.books = books
        self.folder = folder
        self.stop = stop
        processorTime = .seconds(bounds.processorSeconds)
        window = min(conversation.hello.maxInFlight ?? 1, Self.windowLimit)
    }

    /// Whether the process takes no more, and another one is to be started: it says so, or it may soon have used up the
    /// processor time that it has for all its life.
    var isOver: Bool {
        handed >= conversation.hello.maxDeliveries ?? .max || conversation.busyTime > processorTime / 2
    }

    /// Hands over what is at hand and takes the answers, until all is answered.
    ///
    /// - Throws: ``SinkFault``; another error where the container is at fault.
    func work() throws {
        // What came unasked while there was nothing to do is nobody's fault but the sink's.
        try conversation.checkSilence()
        while true {
            try handOver()
            if books.isDueForFlush { try books.flush(folder) }
            if books.work.flight.isEmpty { return }
            do {
                if let message = try conversation.next(oldestSince: books.work.flight.oldestSince) { try take(message) }
                try look()
            } catch let fault as SinkFault {
                try cancel(fault)
            }
        }
    }

    /// Looks, once in a while, what the process has on the disk. What is done goes first.
    func look() throws {
        guard ContinuousClock.now > lastLook + Self.lookInterval else { return }
        lastLook = .now
        guard books.desk.isFull(folder) else { return }
        try books.flush(folder)
        try books.clear(folder, all: true)
        guard books.desk.isFull(folder) else { return }
        throw SinkFault.misbehaved("it has more on the disk than it may have at a time; it must write less")
    }

    private func handOver() throws {
        while !isOver, !stop.isSet, let next = books.work.next(window: window) {
            do { try begin(next) } catch {
                books.work.putFirst(next)
                throw error
            }
        }
    }

    private func begin(_ next: ClaimedDelivery) throws {
        guard next.isUncertain, conversation.canCheck else { return try hand(next) }
        try conversation.ask(.init(id: next.id, key: next.key), isFirst: books.work.flight.isEmpty)
        books.work.flight.addChecked(next)
    }

    private func hand(_ next: ClaimedDelivery) throws {
        let (slot, number) = (books.work.flight.freeSlot, handed + 1)
        switch try books.desk.prepare(next, in: folder, number, slot: slot) {
        case .impossible(let why): try books.finish(FinishedDelivery(next, .failed, why: why), isSuccess: false)
        case .ready(let delivery, let parts):
            do {
                try conversation.hand(delivery, isFirst: books.work.flight.isEmpty)
                books.work.flight.add(next, number, slot: slot, parts)
                handed += 1
            } catch let error as SinkProtocol.LineTooLong {
                try folder.remove(parts)
                try books.finish(FinishedDelivery(next, .failed, why: Self.words(error, delivery)), isSuccess: false)
            }
        }
    }

    private static func words(_ error: SinkProtocol.LineTooLong, _ delivery: Delivery) -> String {
        "its \(delivery.parts.count) parts take \(error.bytes) bytes to describe, and a line of the sink protocol holds "
            + "\(SinkProtocol.maximumLineBytes); share them in smaller groups"
    }

    private func take(_ message: SinkMessage) throws {
        switch message {
        case .progress(let progress) where books.work.flight.has(progress.id): break
        case .done(let done):
            let (claimed, number) = try answered(done.id)
            try books.finish(books.desk.ending(of: claimed, done, out: folder.out(number)))
        case .fail(let failure): try books.finish(answered(failure.id).claimed, failure)
        case .checked(let checked):
            guard let claimed = books.work.flight.removeChecked(checked.id) else { throw SinkFault.unasked(checked.id) }
            if checked.answer == .present { try finishPresent(claimed) } else { try hand(claimed) }
        case .progress(let progress): throw SinkFault.unasked(progress.id)
        case .hello, .ready: throw SinkFault.misbehaved("it greets again")
        }
    }

    private func finishPresent(_ claimed: ClaimedDelivery) throws {
        try books.finish(FinishedDelivery(claimed, .delivered, why: "the sink has it from an earlier attempt"))
    }

    private func answered(_ id: String) throws -> (claimed: ClaimedDelivery, number: Int) {
        guard let (claimed, number, parts) = books.work.flight.remove(id) else { throw SinkFault.unasked(id) }
        try folder.remove(parts)
        return (claimed, number)
    }

    /// Gives the sink a last word about what it has, where it heeds a cancel. The fault stands in any case; what the sink
    /// only gave up for it counts as never answered, or where the run was stopped, as never handed over.
    private func cancel(_ fault: SinkFault) throws -> Never {
        guard conversation.canCancel, fault.leavesSinkAlive else { throw fault }
        try conversation.cancel(books.work.flight.handedIDs)
        let deadline = ContinuousClock.now + SinkConversation.grace
        var givenUp: [ClaimedDelivery] = []
        while !books.work.flight.isEmpty, ContinuousClock.now < deadline {
            guard let message = try conversation.receive() else { continue }
            switch message {
            case .fail(let failure) where failure.class == .transient: givenUp.append(try answered(failure.id).claimed)
            case .checked(let checked) where checked.answer != .present:
                guard let claimed = books.work.flight.removeChecked(checked.id) else {
                    throw SinkFault.unasked(checked.id)
                }
                books.work.putFirst(claimed)
            default: try take(message)
            }
        }
        if case .stopped = fault {
            for var claimed in givenUp {
                claimed.isUncertain = false
                books.work.putFirst(claimed)
            }
        } else {
            books.work.flight.restore(givenUp)
        }
        throw fault
    }
}
