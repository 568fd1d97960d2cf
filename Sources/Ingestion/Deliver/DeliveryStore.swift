internal import Files
internal import GroupContainer
internal import Reading
internal import ShareModel
internal import SinkHost
internal import SinkKit
internal import Sniffing
internal import SystemPackage

/// One sink's deliveries in the container: claims them from the queue, opens their content, stages their products, and
/// completes them. For one thread, which blocks.
final class DeliveryStore {
    private let container: Container
    private let sink: String
    /// The version of the sink, by its manifest.
    private let version: String
    private let limits: DeliveryLimits
    private let clock: Clock
    private var latest: (number: Int64, package: DeliveredPackage)?
    /// The packages of the deliveries that the sink has, and the names of their content or the addresses of links, by the deliveries' identifiers.
    private var subjects: [String: (package: String, name: String?)] = [:]
    /// Made for the first product, because many sinks make no products.
    private var madeStager: Stager?

    /// The most deliveries that are claimed or completed at once. Their rows share a transaction, so they share its sync.
    static let claimLimit = 128
    /// A delivery is quarantined after this number of transient failures, over all runs.
    static let failureLimit = 10

    init(container: Container, sink: SinkManifest, limits: DeliveryLimits, clock: Clock) {
        self.container = container
        self.sink = sink.id
        version = sink.version
        self.limits = limits
        self.clock = clock
    }

    /// Removes the sink's folders in the container's `tmp` and `work`.
    func close() {
        madeStager = nil
        fileSystem.removeTree(workFolder)
    }

    var fileSystem: any FileSystem { container.fileSystem }

    /// Where the sink's processes have their folders.
    var workFolder: FilePath { container.layout.work.appending(sink) }

    private var now: Int64 { clock.nanoseconds() / 1_000_000 }

    // MARK: - The queue

    /// Claims the next due deliveries. Their attempts are on record before this returns.
    ///
    /// - Parameter login: the login under which they go out; `nil` if the sink needs none.
    func claim(as login: AccountUser? = nil, limit: Int = claimLimit) throws -> [ClaimedDelivery] {
        try container.claim(sink: sink, now: now, limit: limit, as: login)
    }

    /// Takes back the claim of deliveries that were not handed over.
    func putBack(_ deliveries: [ClaimedDelivery]) throws { try container.deliveries.putBack(deliveries) }

    /// Records one more attempt of claimed deliveries.
    func attemptAgain(_ deliveries: [ClaimedDelivery]) throws -> [ClaimedDelivery] {
        try container.deliveries.attemptAgain(deliveries)
    }

    /// Pauses the sink.
    ///
    /// - Parameter pauses: how many consecutive pauses this makes. With 0 the queue keeps only the reason why the sink is not
    ///   started, and pauses nothing.
    func hold(pauses: Int, why: String) throws {
        var generator = SystemRandomNumberGenerator()
        let due = pauses == 0 ? 0 : now + Backoff.milliseconds(after: pauses, using: &generator)
        try container.breakers.hold(.init(sink: sink, failures: pauses, due: due, why: why))
    }

    /// Ends the sink's pause.
    func release() throws { try container.breakers.release(sink: sink) }

    /// Commits endings with their products.
    ///
    /// - Returns: those that are on record now, in order, and the error that ended the rest. The queue drops an ending if
    ///   another process has claimed the delivery since, or if its package was forgotten.
    /// - Throws: if no ending is on record.
    func complete(_ finished: [FinishedDelivery]) throws -> (recorded: [FinishedDelivery], failure: (any Error)?) {
        do {
            // The lock keeps the garbage collector away from the products until the rows name them.
            let completions = try container.withLock(.objects, .shared) {
                try container.store(finished.flatMap(\.staged))
                return try container.deliveries.complete(
                    finished.map { delivery in
                        var ending = delivery.ending
                        ending.version = ending.record.outcome == .pending ? nil : version
                        return ending
                    })
            }
            return (Self.recorded(finished, completions), nil)
        } catch let error as PartialCompletion {
            return (Self.recorded(finished, error.completions), error.cause)
        }
    }

    private static func recorded(_ finished: [FinishedDelivery], _ completions: [DeliveryCompletion])
        -> [FinishedDelivery]
    { zip(finished, completions).filter { $0.1 == .recorded }.map(\.0) }

    // MARK: - To the sink

    /// The delivery in the form that the sink gets.
    ///
    /// - Throws: ``UndeliverableError`` if its record is broken.
    func hosted(_ claimed: ClaimedDelivery) throws -> HostedDelivery {
        let package = try package(of: claimed)
        let hosted = HostedDelivery(claimed, of: package, captionBytes: limits.captionBytes, container.objects)
        subjects[claimed.id] = (package.id, package.address ?? hosted.parts.first?.name)
        return hosted
    }

    /// Deliveries of one package follow one another, and there may be many.
    private func package(of claimed: ClaimedDelivery) throws -> DeliveredPackage {
        if let latest, latest.number == claimed.package { return latest.package }
        do {
            let package = try claimed.receipt(DeliveredPackage.init)
            latest = (claimed.package, package)
            return package
        } catch let error as ContainerError where error.code == .catalog {
            // The sink and its other deliveries go on.
            throw UndeliverableError(why: "the package cannot be read: \(error)")
        }
    }

    // MARK: - From the sink

    /// The ending of a delivery. Its products are staged, and committed by ``complete(_:)``.
    func finished(_ claimed: ClaimedDelivery, _ result: HostedOutcome.Result, in session: SinkSession) throws
        -> FinishedDelivery
    {
        let ended = { (outcome: DeliveryOutcome, why: String?) in
            FinishedDelivery(claimed, outcome, why: why, session.containment)
        }
        let ending =
            switch result {
            case .answered(let answer): try finished(claimed, answer, in: session)
            case .present: ended(.delivered, "the sink has it from an earlier attempt")
            case .refused(let why), .failed(let why), .unauthorized(let why), .undeliverable(let why):
                ended(.failed, why)
            case .transferring: transferring(claimed, session.containment)
            case .transient(let why, let retryAfter):
                postponed(ended(.pending, why), why: why, retryAfter: retryAfter)
            }
        return named(ending, claimed)
    }

    /// A finished delivery with its package and the name of its content.
    func named(_ finished: FinishedDelivery, _ claimed: ClaimedDelivery) -> FinishedDelivery {
        var named = finished
        if let subject = subjects.removeValue(forKey: claimed.id) { (named.package, named.name) = subject }
        return named
    }

    /// Leaves a delivery open until its transfer ends.
    func transferring(_ claimed: ClaimedDelivery, _ containment: Containment?) -> FinishedDelivery {
        var ending = FinishedDelivery(claimed, .pending, why: Self.transferring, containment)
        // Its end makes it due. Should that be lost, a look shows what became of it.
        ending.ending.due = now + Self.transferLook.milliseconds
        ending.isTransferring = true
        return ending
    }

    /// Why a delivery is open whose content is on its way. The catalogs of users have this sentence, so it must stay.
    static let transferring = sentence.with(.listTransfers)
    private static let sentence = "its content is being transferred in the background"

    /// Whether a delivery with this reason is open because its content is on its way.
    static func isTransferring(_ why: String?) -> Bool { why?.hasPrefix(sentence) == true }

    private static let transferLook = Duration.seconds(3_600)

    /// Makes deliveries due whose transfers have ended.
    func makeDue(_ deliveries: [FinishedDelivery]) throws {
        try container.deliveries.makeDue(deliveries.map(\.ending.seq), now: now)
    }

    /// Leaves a delivery open until a later attempt is worth it, or gives it up after too many.
    private func postponed(_ delivery: FinishedDelivery, why: String, retryAfter: Int?) -> FinishedDelivery {
        var postponed = delivery
        let failures = delivery.ending.failures + 1
        postponed.ending.failures = failures
        guard failures < Self.failureLimit else {
            postponed.ending.record.outcome = .quarantined
            postponed.ending.record.why = "given up after \(failures) failures; the last: \(why)"
            return postponed
        }
        var generator = SystemRandomNumberGenerator()
        postponed.ending.due = now + Backoff.milliseconds(after: failures, asked: retryAfter, using: &generator)
        return postponed
    }

    private func finished(_ claimed: ClaimedDelivery, _ answer: HostedAnswer, in session: SinkSession) throws
        -> FinishedDelivery
    {
        var finished = FinishedDelivery(claimed, DeliveryOutcome(answer.status), why: answer.why, session.containment)
        finished.ending.record.metadata = answer.metadata
        finished.ending.isAnswer = true
        do {
            try stage(answer, &finished)
            return finished
        } catch let error as ReadingError {
            finished.discard()
            return FinishedDelivery(
                claimed, .failed, why: session.redactor.refusal("\(error)"), session.containment)
        } catch  where error.isFullDisk {
            // Room may come later, and other deliveries may need none.
            finished.discard()
            let why = session.redactor.shortened("\(error)")
            let ended = FinishedDelivery(claimed, .pending, why: why, session.containment)
            return postponed(ended, why: why, retryAfter: nil)
        }
    }

    private func stage(_ answer: HostedAnswer, _ finished: inout FinishedDelivery) throws {
        guard !answer.products.isEmpty else { return }
        // No link is followed below the container's folder: the sink can swap its files at any moment.
        let opener = SourceOpener(folder: answer.folder, root: container.layout.root)
        for product in answer.products {
            let content = try stager().stage(
                product: .path(FilePath(product.path)), size: product.size, claims: TypeClaims(declared: product.type),
                opener: opener)
            finished.staged.append(content.object)
            finished.ending.record.products.append(
                .init(
                    role: SafeName.make(product.role), name: SafeName.make(product.name),
                    type: content.identification.type.orPage(declared: product.type), sha256: content.object.digest,
                    size: content.object.size))
        }
    }

    private func stager() throws -> Stager {
        if let madeStager { return madeStager }
        let stager = Stager(
            area: try container.objects.makeStagingArea(), sniffer: try MagicSniffer(), meter: ProgressMeter())
        madeStager = stager
        return stager
    }
}

/// A delivery that has ended, with its products in the staging area.
struct FinishedDelivery: Sendable {
    var ending: DeliveryEnding
    var staged: [StagedObject] = []
    /// Whether it is open because its transfer is.
    var isTransferring = false
    /// The identifier of its package and the name of its content, for the listener.
    var package, name: String?

    /// A delivery that ended without an answer of its sink.
    init(_ claimed: ClaimedDelivery, _ outcome: DeliveryOutcome, why: String? = nil, _ containment: Containment?) {
        var record = DeliveryRecord(
            id: claimed.id, sink: claimed.sink, outcome: outcome, why: why, attempts: claimed.attempt)
        record.containment = containment
        ending = DeliveryEnding(
            record: record, seq: claimed.seq, fence: claimed.fence, deaths: claimed.deaths, failures: claimed.failures)
        ending.isAnswer = false
    }

    func discard() { staged.forEach { $0.discard() } }
}

extension DeliveryOutcome {
    fileprivate init(_ status: SinkMessage.Done.Status) {
        switch status {
        case .delivered: self = .delivered
        case .duplicate: self = .duplicate
        case .declined: self = .declined
        }
    }
}
