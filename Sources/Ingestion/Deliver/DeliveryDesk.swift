internal import GroupContainer
internal import ShareModel
internal import SinkKit
internal import Sniffing
internal import SystemPackage
internal import Unpacking

/// One sink's dealings with the container: takes deliveries from the queue, lays out what the sink may see, and takes
/// back what it made. Runs on a thread of its own.
actor DeliveryDesk {
    private let container: Container
    private let sink: InstalledSink
    private let run: String
    private let limits: IngestLimits
    private let meter = ProgressMeter()
    private let stager: Stager
    private let executor = QueueExecutor("sluice.deliver")

    /// How many deliveries are claimed and completed at once: their attempts and outcomes share a transaction each.
    private static let claimLimit = 64

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(container: Container, sink: InstalledSink, run: String, limits: IngestLimits) throws {
        self.container = container
        self.sink = sink
        self.run = run
        self.limits = limits
        stager = Stager(area: try container.objects.makeStagingArea(), sniffer: try MagicSniffer(), meter: meter)
    }

    /// The next open deliveries, their attempts recorded; none twice in one run.
    func claim() throws -> [ClaimedDelivery] {
        try container.deliveries.claim(sink: sink.id, run: run, limit: Self.claimLimit)
    }

    /// Lays out what the sink gets of a delivery.
    ///
    /// - Throws: where the container is at fault as a whole; what only this delivery lacks makes it impossible.
    func prepare(_ claimed: ClaimedDelivery) throws -> PreparedDelivery {
        do {
            return .ready(try layOut(claimed))
        } catch let error as ContainerError where error.code == .notFound {
            return .impossible(error.message)
        } catch let error as DecodingError {
            return .impossible("its record cannot be read, \(error); forget the package and take it in again")
        }
    }

    private func layOut(_ claimed: ClaimedDelivery) throws -> Delivery {
        var delivery = try Delivery(claimed, captionBytes: limits.captionBytes)
        guard sink.manifest.content != SinkManifest.ContentNeed.none else { return delivery }
        let folder = try WorkFolder(container.layout.work.appending(sink.id).appending(workName(claimed)))
        delivery.out = folder.out.string
        for place in delivery.parts.indices {
            guard let digest = Digest(delivery.parts[place].sha256) else { continue }
            let object = try container.objects.open(digest)
            defer { try? object.close() }
            delivery.parts[place].path = try folder.addPart(place, copying: object).string
        }
        return delivery
    }

    /// Records that a delivery is handed over once more.
    func attemptAgain(_ delivery: ClaimedDelivery) throws -> ClaimedDelivery {
        try container.deliveries.attemptAgain(delivery)
    }

    /// Turns a sink's answer into the delivery's ending; its products are staged, and committed with ``complete(_:)``.
    func ending(of claimed: ClaimedDelivery, _ answer: SinkMessage) throws -> FinishedDelivery {
        var record = DeliveryRecord(id: claimed.id, sink: sink.id, outcome: .pending, attempts: claimed.attempt)
        var staged: [StagedObject] = []
        switch answer {
        case .done(let done):
            record.outcome = DeliveryOutcome(done.status)
            record.why = done.why.map(shortened)
            record.metadata = done.metadata
            do {
                try checkMetadata(done.metadata)
                try take(done.products ?? [], from: claimed, &record, &staged)
            } catch let error as UnpackingError {
                (record.outcome, record.why) = (.failed, "the sink's answer is refused: \(error.message)")
                record.products = []
                record.metadata = nil
                staged.forEach { $0.discard() }
                staged = []
            }
        case .fail(let failure):
            record.outcome = failure.class == .transient ? .pending : .failed
            record.why = shortened(failure.why)
        default: record.why = "the sink gave no answer"
        }
        return FinishedDelivery(ending: DeliveryEnding(record: record, deaths: claimed.deaths), staged: staged)
    }

    /// Commits endings with their products, and clears the sink's folders.
    func complete(_ finished: [FinishedDelivery]) throws {
        // Held until the rows are in: until then nothing else names the products.
        let lock = try container.lock(.objects, .shared)
        try container.objects.commit(finished.flatMap(\.staged))
        try container.deliveries.complete(finished.map { try $0.ending.withText(from: container.objects) })
        _ = consume lock
        try WorkFolder.removeAll(container.layout.work.appending(sink.id))
    }

    private func workName(_ claimed: ClaimedDelivery) -> String { "\(claimed.id)-\(claimed.attempt)-\(claimed.deaths)" }

    private func take(
        _ products: [Product], from claimed: ClaimedDelivery, _ record: inout DeliveryRecord,
        _ staged: inout [StagedObject]
    ) throws {
        guard products.count <= limits.products else {
            throw UnpackingError(.limit, "it has \(products.count) products; \(limits.products) are allowed")
        }
        let out = container.layout.work.appending(sink.id).appending(workName(claimed)).appending("out")
        let opener = SourceOpener(folder: out, root: container.layout.root)
        for product in products {
            guard !product.path.isEmpty, !product.path.hasPrefix("/"), !product.path.utf8.contains(0) else {
                throw UnpackingError(.refused, "'\(product.path)' is no path relative to the folder out")
            }
            let reference = FileReference.path(FilePath(product.path))
            let content = try stager.stage(
                product: reference, limit: limits.productBytes, claims: TypeClaims(declared: product.type),
                opener: opener)
            staged.append(content.object)
            record.products.append(
                .init(
                    role: SafeName.make(product.role), name: SafeName.make(product.path),
                    type: content.identification.type, sha256: content.object.digest, size: content.object.size))
        }
    }

    private func checkMetadata(_ metadata: JSONValue?) throws {
        guard let metadata else { return }
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

    private func shortened(_ text: String) -> String {
        text.utf8.count <= LogTail.limit ? text : text.cut(toBytes: LogTail.limit) + "…"
    }
}

/// A delivery on its way to the sink.
enum PreparedDelivery: Sendable {
    case ready(Delivery)
    /// It can never be made, and why.
    case impossible(String)
}

/// A delivery that has ended, with its products in the staging area.
struct FinishedDelivery: Sendable {
    let ending: DeliveryEnding
    let staged: [StagedObject]
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
