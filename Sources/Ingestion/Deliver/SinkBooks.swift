internal import GroupContainer
internal import ShareModel
internal import SinkKit

/// The books of a sink's line of work: what it has at hand, what has ended and is not committed yet, how the sink has done.
/// For one thread, which blocks.
final class SinkBooks {
    let desk: DeliveryDesk
    var work = WorkAtHand()
    /// What the latest process reached.
    var containment: Containment?
    private let sink: InstalledSink
    private let report: @Sendable (DeliveryRecord) -> Void
    private var finished: [FinishedDelivery] = []
    private var standing = SinkStanding()

    /// So many deaths of a sink that had begun with a delivery, and it is the delivery's fault.
    private static let deathLimit = 2

    init(_ sink: InstalledSink, desk: DeliveryDesk, report: @escaping @Sendable (DeliveryRecord) -> Void) {
        self.sink = sink
        self.desk = desk
        self.report = report
    }

    /// Claims what is open.
    ///
    /// - Returns: the lowest number of what was not tried yet; `nil` where there is no such thing.
    func claim() throws -> Int64? {
        let claimed = try desk.claim()
        if let first = claimed.first { standing.begin(rests: first.troubles) }
        work.add(claimed)
        // Those never tried come first, by number.
        return claimed.first.flatMap { $0.due == 0 ? $0.seq : nil }
    }

    // MARK: - Answers

    /// The sink's answer to a delivery that it had.
    func finish(_ delivery: FinishedDelivery, isSuccess: Bool = true) throws {
        finished.append(delivery)
        work.flight.noteFinish(bytes: delivery.ending.record.products.reduce(0) { $0 + $1.size })
        if isSuccess, standing.succeed() { try desk.release() }
    }

    /// The sink gave a delivery up: for good, or for now.
    func finish(_ claimed: ClaimedDelivery, _ failure: SinkMessage.Failure) throws {
        let ended = desk.ending(of: claimed, failure)
        let isTransient = failure.class == .transient
        try finish(ended, isSuccess: !isTransient)
        if isTransient { try noteTrouble("the sink \(sink.id) keeps failing: \(ended.ending.record.why ?? "")") }
    }

    /// Whether there are answers that have waited long enough for others to share their transaction.
    var isDueForFlush: Bool {
        work.flight.isEmpty || finished.count >= DeliveryDesk.claimLimit || work.flight.isDueForFlush
    }

    /// Commits what has ended so far.
    func flush(_ folder: WorkFolder) throws {
        guard !finished.isEmpty else { return }
        for place in finished.indices { finished[place].ending.record.containment = containment }
        try desk.complete(finished)
        finished.forEach { report($0.ending.record) }
        finished = []
        work.flight.noteFlush()
        try clear(folder)
    }

    /// Removes the folders of what is done; as a rule when they are many.
    func clear(_ folder: WorkFolder, all: Bool = false) throws {
        let numbers = work.flight.takeFinishedNumbers(all: all)
        guard sink.manifest.content != SinkManifest.ContentNeed.none else { return }
        for number in numbers { try folder.clear(number) }
    }

    // MARK: - Ends of processes

    /// The process died, or was ended for its own fault, with these deliveries in flight.
    ///
    /// - Parameter isFirst: whether the one that it had was its first: only then is it clear that it died of that one.
    func noteDeath(of open: [ClaimedDelivery], isFirst: Bool, _ why: String) throws {
        guard !open.isEmpty else { return }
        if open.count == 1, isFirst {
            try settleDeath(of: open[0], why)
        } else {
            work.suspect(try desk.attemptAgain(open))
        }
        try noteTrouble("the sink \(sink.id) keeps failing: \(why)")
    }

    private func settleDeath(of delivery: ClaimedDelivery, _ why: String) throws {
        var delivery = delivery
        delivery.deaths += 1
        guard delivery.deaths >= Self.deathLimit else { return work.suspect(try desk.attemptAgain([delivery])) }
        var ended = FinishedDelivery(delivery, .quarantined, why: "\(why); it died of it \(delivery.deaths) times")
        ended.ending.record.containment = containment
        try desk.complete([ended])
        report(ended.ending.record)
    }

    /// The process never came to work.
    func noteFalseStart(_ why: String) throws { try rest("the sink \(sink.id) cannot be started: \(why)") }

    /// The sink is not to be started as things are. Nothing is wrong with it: it waits for no time, only says why.
    func noteObstacle(_ why: String) throws {
        try putBack()
        try desk.hold(failures: 0, why: "the sink \(sink.id) cannot be started: \(why)")
    }

    /// Leaves what was not handed over as it was.
    func putBack() throws { try desk.putBack(work.removeAll()) }

    private func noteTrouble(_ why: String) throws {
        if standing.fail() { try rest(why) }
    }

    /// Lets the sink rest: what is not in flight waits, with the reason.
    private func rest(_ why: String) throws {
        standing.rest()
        try putBack()
        try desk.hold(failures: standing.rests, why: why)
    }
}
