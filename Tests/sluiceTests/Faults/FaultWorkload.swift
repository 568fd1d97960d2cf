import Foundation
import ShareModel
import SinkKit
import SystemPackage

@testable import ContainerTools
@testable import Files
@testable import GroupContainer
@testable import Ingestion
@testable import SinkHost
@testable import Sniffing

/// The work of a run that is disturbed. It takes a few packages of all kinds in, in several batches. Then it makes
/// their deliveries and the folder `library`, forgets one package and collects.
struct FaultWorkload: Sendable {
    /// How the packages come in.
    enum Intake: CaseIterable {
        case run
        /// One sharing session after the other.
        case shares
    }

    private let input: FilePath
    private let intake: Intake
    private let registry = SinkRegistry(sinks: [
        InstalledSink(
            manifest: SinkManifest(
                id: "press", version: "1", command: ["press"], accepts: [.init(type: "*/*")], content: .path),
            program: "press")
    ])

    /// The number of packages in a batch, and of deliveries that are completed at once.
    private static let batch = 3

    /// Writes the input below a folder.
    ///
    /// - Parameter rounds: the number of inputs of each kind.
    init(in folder: TestFolder, rounds: Int, by intake: Intake = .run) throws {
        input = folder["in"]
        self.intake = intake
        // Larger than a buffer, so that the copy needs several writes.
        let large = (0..<(300 << 10)).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        try folder.write("in/0-large.bin", large)
        for round in 0..<rounds {
            let name = "in/\(round)"
            try folder.write("\(name)-a.txt", "the river \(round)")
            try folder.write("\(name)-b.txt", "the river \(round / 2)")
            try folder.write("\(name)-c.url", "[InternetShortcut]\nURL=https://example.org/\(round)\n")
            try folder.share(
                "\(name)-d", id: "share-\(round)", title: "Share \(round)",
                #"{"representations": [{"text": "shared \#(round)"}]}"#,
                #"{"representations": [{"text": "the river 0"}]}"#)
            try folder.write("\(name)-e.share/share.json", #"{"version": 1, "items": 7}"#)
            try folder.share("\(name)-f", #"{"representations": [{"link": "https://example.org/\#(round)"}]}"#)
        }
    }

    /// Takes everything in, makes all deliveries and the folder `library`, forgets and collects. Calls `acknowledge` as
    /// soon as the program would report.
    func run(
        on container: FilePath, _ fileSystem: any FileSystem = SystemFileSystem(),
        acknowledge: @escaping @Sendable (Acknowledgment) -> Void = { _ in }
    ) async throws {
        var options = IngestOptions(container: container)
        options.fileSystem = fileSystem
        options.jobs = 1
        options.delivers = false
        options.limits.batchPackages = Self.batch
        options.limits.chunkPackages = 1
        // Otherwise a busy machine would end some batches early, and a run would have more operations than the next one.
        options.limits.batchDuration = .seconds(3_600)
        // An hour ahead: files that were written within the last seconds get no stamp, and a rerun would read them
        // again.
        options.clock = Clock {
            "2026-01-01T00:00:00Z"
        } nanoseconds: {
            Clock.systemNanoseconds() + 3_600_000_000_000
        }
        let pipeline = Pipeline(options: options, registry: registry)
        if intake == .shares {
            try await share(by: pipeline, acknowledge)
        } else {
            try await ingest(by: pipeline, acknowledge)
        }
        try await BlockingCall.run {
            try deliver(container, fileSystem, acknowledge)
            try makeLibrary(container, fileSystem)
            try forget(container, fileSystem, acknowledge)
        }
    }

    private func ingest(by pipeline: Pipeline, _ acknowledge: @escaping @Sendable (Acknowledgment) -> Void) async throws
    {
        _ = try await pipeline.ingest(.paths([input])) { event in
            // What an earlier run forgot is skipped. It is not in the container, and no one said so.
            if case .settled(let receipt) = event, receipt.outcome != .skipped {
                acknowledge(.kept(receipt.duplicateOf ?? receipt.id))
            }
        }
    }

    /// The container is current, so no share may wait in its inbox.
    private struct WronglyWaiting: Error {}

    /// A share for each input, and one of several files.
    private func share(by pipeline: Pipeline, _ acknowledge: @escaping @Sendable (Acknowledgment) -> Void) async throws
    {
        let paths = try FileManager.default.contentsOfDirectory(atPath: input.string).sorted().map(input.appending)
        for files in paths.map({ [$0] }) + [paths.filter { $0.extension == "txt" }] {
            let content = SharedContent(pieces: files.map(SharedContent.Piece.file))
            do {
                let result = try await Pipeline.share(
                    content, options: pipeline.options, registry: pipeline.registry, makesContainer: true,
                    meter: ProgressMeter())
                guard let receipt = result.receipt else { throw WronglyWaiting() }
                acknowledge(.kept(receipt.duplicateOf ?? receipt.id))
            } catch let error as SharingError where error.code == .unreadableSource {
                // One of the inputs is broken.
            }
        }
    }

    /// Completes deliveries as the host does, without a sink program.
    private func deliver(
        _ path: FilePath, _ fileSystem: any FileSystem, _ acknowledge: (Acknowledgment) -> Void
    ) throws {
        let container = try Container.open(at: path, fileSystem: fileSystem)
        let area = try container.objects.makeStagingArea()
        let driving = try container.lock(.deliver, .exclusive)
        defer { withExtendedLifetime(driving) {} }
        while case let claimed = try container.claim(sink: "press", now: 0, limit: Self.batch),
            !claimed.isEmpty
        {
            let products = try claimed.map { try area.stage(Array("pressed \($0.key)".utf8)) }
            let lock = try container.lock(.objects, .shared)
            try container.objects.commit(products)
            try container.deliveries.complete(zip(claimed, products).map(ending))
            withExtendedLifetime(lock) {}
            claimed.forEach { acknowledge(.kept($0.id)) }
        }
    }

    private func makeLibrary(_ path: FilePath, _ fileSystem: any FileSystem) throws {
        var librarian = try Librarian(
            opening: path, fileSystem: fileSystem, name: LibraryNaming(fits: SharedMIMEDatabase.system.fits).name)
        _ = try librarian.run(rebuilding: false)
    }

    private func forget(
        _ path: FilePath, _ fileSystem: any FileSystem, _ acknowledge: (Acknowledgment) -> Void
    ) throws {
        let care = try ContainerMaintenance(opening: path, fileSystem: fileSystem)
        let reader = try CatalogReader(reading: path)
        var forgotten: [String] = []
        try reader.forEachPackage { entry in
            if FilePath(entry.source.path).lastComponent == "0-c.url" { forgotten.append(entry.id) }
        }
        for id in forgotten {
            let deliveries = try reader.receipt(id).providers.flatMap(\.deliveries).map(\.id)
            for told in [id] + deliveries { acknowledge(.withdrawn(told)) }
        }
        _ = try care.forget(forgotten)
        var options = CollectOptions()
        options.grace = 0
        _ = try care.collect(options, now: Int64(Date.now.timeIntervalSince1970) + 1) { _ in }
    }

    private func ending(of claimed: ClaimedDelivery, _ product: StagedObject) -> DeliveryEnding {
        let record = DeliveryRecord(
            id: claimed.id, sink: claimed.sink, outcome: .delivered, attempts: claimed.attempt,
            products: [
                .init(role: "text", name: "pressed", type: .plainText, sha256: product.digest, size: product.size)
            ])
        return DeliveryEnding(record: record, seq: claimed.seq, fence: claimed.fence, deaths: claimed.deaths)
    }
}
