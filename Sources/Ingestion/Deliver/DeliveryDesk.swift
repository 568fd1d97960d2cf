internal import GroupContainer
internal import ShareModel
internal import SinkKit
internal import Sniffing
internal import SystemPackage
internal import Unpacking

/// One sink's dealings with the container: takes deliveries from the queue, lays out what the sink may see, and takes
/// back what it made. For one thread, which blocks.
final class DeliveryDesk {
    private let container: Container
    private let sink: InstalledSink
    private let limits: IngestLimits
    private let clock: Clock
    /// Keeps what the sink was told in confidence out of what it says.
    var redactor = Redactor([])
    private var latest: (number: Int64, package: DeliveredPackage)?
    /// Made with the first product: many sinks make none.
    private var madeStager: Stager?

    /// How many deliveries are claimed and completed at once: their attempts and outcomes share a transaction each.
    static let claimLimit = 128

    init(container: Container, sink: InstalledSink, limits: IngestLimits, clock: Clock) {
        self.container = container
        self.sink = sink
        self.limits = limits
        self.clock = clock
    }

    private func stager() throws -> Stager {
        if let madeStager { return madeStager }
        let stager = Stager(
            area: try container.objects.makeStagingArea(), sniffer: try MagicSniffer(), meter: ProgressMeter())
        madeStager = stager
        return stager
    }

    /// Leaves nothing behind in the container's folders `tmp` and `work`.
    func close() throws {
        madeStager = nil
        try FolderTree.remove(container.layout.work.appending(sink.id))
    }

    /// The time in milliseconds since 1970.
    var now: Int64 { clock.nanoseconds() / 1_000_000 }

    /// The next open deliveries that may be tried by now, their attempts recorded.
    func claim() throws -> [ClaimedDelivery] {
        try container.deliveries.claim(sink: sink.id, now: now, limit: Self.claimLimit)
    }

    /// Leaves claimed deliveries that were not handed over as they were.
    func putBack(_ deliveries: [ClaimedDelivery]) throws { try container.deliveries.putBack(deliveries) }

    /// Lets the sink rest, after so many failures as a whole; after none, only the reason is kept why it is not started.
    func hold(failures: Int, why: String) throws {
        var generator = SystemRandomNumberGenerator()
        let due = failures == 0 ? 0 : now + Backoff.milliseconds(after: failures, using: &generator)
        try container.deliveries.hold(.init(sink: sink.id, failures: failures, due: due, why: why))
    }

    /// Ends the sink's rest.
    func release() throws { try container.deliveries.release(sink: sink.id) }

    /// The folders of the sink's process of this number, which was never used before.
    func makeWorkFolder(_ number: Int) throws -> WorkFolder {
        try WorkFolder(container.layout.work.appending(sink.id).appending(String(number)))
    }

    /// Lays out what the sink gets of a delivery.
    ///
    /// - Throws: where the container is at fault as a whole; what only this delivery lacks makes it impossible.
    ///
    /// - Parameters:
    ///   - number: names its folder for products; used once.
    ///   - slot: its place in the folder for content; free.
    func prepare(_ claimed: ClaimedDelivery, in folder: WorkFolder, _ number: Int, slot: Int) throws
        -> PreparedDelivery
    {
        do {
            return try layOut(claimed, in: folder, number, slot)
        } catch let error as ContainerError where error.code == .notFound {
            try folder.clear(slot: slot)
            return .impossible(error.message)
        } catch let error as DecodingError {
            return .impossible("its record cannot be read, \(error); forget the package and take it in again")
        }
    }

    /// Deliveries of a package follow one another, and there may be many.
    private func package(of claimed: ClaimedDelivery) throws -> DeliveredPackage {
        if let latest, latest.number == claimed.package { return latest.package }
        let package = try claimed.receipt(as: DeliveredPackage.self)
        latest = (claimed.package, package)
        return package
    }

    private func layOut(_ claimed: ClaimedDelivery, in folder: WorkFolder, _ number: Int, _ slot: Int) throws
        -> PreparedDelivery
    {
        var delivery = Delivery(claimed, of: try package(of: claimed), captionBytes: limits.captionBytes)
        guard sink.manifest.content != SinkManifest.ContentNeed.none else { return .ready(delivery, []) }
        var parts: [LaidOutPart] = []
        delivery.out = try folder.makeOut(number).string
        for place in delivery.parts.indices {
            guard let digest = Digest(delivery.parts[place].sha256) else { continue }
            let part = try folder.addPart(
                place, delivery.parts[place].name, slot: slot, container.layout.object(digest)
            ) { try container.objects.open(digest) }
            delivery.parts[place].path = part.inside.string
            parts.append(part)
        }
        return .ready(delivery, parts)
    }

    /// Whether a process has more on the disk than it may have at a time.
    func isFull(_ folder: WorkFolder) -> Bool { folder.size(limit: limits.sinkBytes) > limits.sinkBytes }

    /// Records that deliveries are handed over once more.
    func attemptAgain(_ deliveries: [ClaimedDelivery]) throws -> [ClaimedDelivery] {
        try container.deliveries.attemptAgain(deliveries)
    }

    /// Turns a sink's answer into the delivery's ending; its products are staged, and committed with ``complete(_:)``.
    ///
    /// - Parameter out: the folder that the sink had for its products.
    func ending(of claimed: ClaimedDelivery, _ done: SinkMessage.Done, out: FilePath) throws -> FinishedDelivery {
        var finished = FinishedDelivery(claimed, DeliveryOutcome(done.status), why: done.why.map(shortened))
        do {
            try checkMetadata(done.metadata)
            finished.ending.record.metadata = done.metadata.map(redactor.redacted)
            try take(done.products ?? [], from: out, &finished)
        } catch let error as UnpackingError {
            finished.discard()
            finished = FinishedDelivery(
                claimed, .failed, why: "the sink's answer is refused: \(shortened(error.message))")
        } catch let error as ContainerError where error.code == .full {
            // There may be room later; what else is delivered now may need none.
            finished.discard()
            return ending(of: claimed, .init(id: claimed.id, class: .transient, why: error.message))
        }
        return finished
    }

    /// The ending of a delivery that the sink gave up: final, or open until it is worth another try.
    func ending(of claimed: ClaimedDelivery, _ failure: SinkMessage.Failure) -> FinishedDelivery {
        guard failure.class == .transient else {
            return FinishedDelivery(claimed, .failed, why: shortened(failure.why))
        }
        let failures = claimed.failures + 1
        var finished = FinishedDelivery(claimed, .pending, why: shortened(failure.why))
        finished.ending.failures = failures
        guard failures < Self.failureLimit else {
            finished.ending.record.outcome = .quarantined
            finished.ending.record.why = "given up after \(failures) failures; the last: \(shortened(failure.why))"
            return finished
        }
        var generator = SystemRandomNumberGenerator()
        finished.ending.due =
            now + Backoff.milliseconds(after: failures, asked: failure.retryAfterMilliseconds, using: &generator)
        return finished
    }

    /// After how many transient failures a delivery is given up, over all runs.
    static let failureLimit = 10

    /// Commits endings with their products.
    func complete(_ finished: [FinishedDelivery]) throws {
        // Held until the rows are in: until then nothing else names the products.
        let lock = try container.lock(.objects, .shared)
        try container.store(finished.flatMap(\.staged))
        try container.deliveries.complete(finished.map { try $0.ending.withText(from: container.objects) })
        _ = consume lock
    }

    private func take(_ products: [Product], from out: FilePath, _ finished: inout FinishedDelivery) throws {
        guard products.count <= limits.products else {
            throw UnpackingError(.limit, "it has \(products.count) products; \(limits.products) are allowed")
        }
        guard !products.isEmpty else { return }
        try checkSizes(of: products, in: out)
        let opener = SourceOpener(folder: out, root: container.layout.root)
        for product in products {
            guard !product.path.isEmpty, !product.path.hasPrefix("/"), !product.path.utf8.contains(0) else {
                throw UnpackingError(.refused, "'\(shortened(product.path))' is no path relative to the folder out")
            }
            guard FolderTree.exists(out.pushing(FilePath(product.path))) else {
                throw UnpackingError(
                    .refused, "it names the product '\(shortened(product.path))', and there is no such file below out")
            }
            let reference = FileReference.path(FilePath(product.path))
            let content = try stager().stage(
                product: reference, limit: limits.productBytes, claims: TypeClaims(declared: product.type),
                opener: opener)
            finished.staged.append(content.object)
            finished.ending.record.products.append(
                .init(
                    role: SafeName.make(redactor.redacted(product.role)),
                    name: SafeName.make(redactor.redacted(product.path)),
                    type: content.identification.type, sha256: content.object.digest, size: content.object.size))
        }
    }

    /// What the products claim to be long is what is copied, holes and all; none is copied before all are known.
    private func checkSizes(of products: [Product], in out: FilePath) throws {
        var paths: Set<FilePath> = []
        var sum: Int64 = 0
        for product in products {
            let path = out.pushing(FilePath(product.path)).lexicallyNormalized()
            guard paths.insert(path).inserted else {
                throw UnpackingError(.refused, "it names the product '\(shortened(product.path))' twice")
            }
            sum += min(FolderTree.length(of: path), limits.sinkBytes)
            // One that is too long by itself is told by its name.
            guard sum <= limits.sinkBytes || products.count == 1 else {
                throw UnpackingError(.limit, "its products are longer than \(limits.sinkBytes) bytes together")
            }
        }
    }

    private func checkMetadata(_ metadata: JSONValue?) throws {
        guard let metadata else { return }
        guard case .object = metadata else { throw UnpackingError(.malformed, "its metadata is no JSON object") }
        guard metadata.depth <= limits.metadataDepth else {
            throw UnpackingError(.limit, "its metadata is more than \(limits.metadataDepth) levels deep")
        }
        let size: Int
        do {
            size = try SinkProtocol.line(metadata).count
        } catch let error as SinkProtocol.LineTooLong {
            // Numbers can be longer in the host's words than in the sink's.
            size = error.bytes
        }
        guard size <= limits.metadataBytes else {
            throw UnpackingError(.limit, "its metadata takes \(size) bytes; \(limits.metadataBytes) are allowed")
        }
    }

    /// A sink's words as they may be kept: not too many, and without its secrets.
    func shortened(_ text: String) -> String {
        let text = redactor.redacted(text)
        return text.utf8.count <= SinkPipes.logLimit ? text : text.cut(toBytes: SinkPipes.logLimit) + "…"
    }
}

/// A delivery on its way to the sink.
enum PreparedDelivery: Sendable {
    /// With what lies in its slot.
    case ready(Delivery, [LaidOutPart])
    /// It can never be made, and why.
    case impossible(String)
}

/// A delivery that has ended, with its products in the staging area.
struct FinishedDelivery: Sendable {
    var ending: DeliveryEnding
    var staged: [StagedObject] = []

    init(_ claimed: ClaimedDelivery, _ outcome: DeliveryOutcome, why: String? = nil) {
        let record = DeliveryRecord(
            id: claimed.id, sink: claimed.sink, outcome: outcome, why: why, attempts: claimed.attempt)
        ending = DeliveryEnding(
            record: record, seq: claimed.seq, deaths: claimed.deaths, failures: claimed.failures)
    }

    func discard() { staged.forEach { $0.discard() } }
}

extension DeliveryOutcome {
    init(_ status: SinkMessage.Done.Status) {
        switch status {
        case .delivered: self = .delivered
        case .duplicate: self = .duplicate
        case .declined: self = .declined
        }
    }
}
