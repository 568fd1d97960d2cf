import Files
import GroupContainer
import Ingestion
import ShareModel
import SinkHost
import Synchronization
import SystemPackage

/// Runs one sink on some inputs: the ordinary pipeline with this sink alone, on a temporary container.
struct SinkTrial: Sendable {
    private let sink: InstalledSink
    private let options: IngestOptions

    /// The result for one group of an input.
    struct Answer: Sendable, Encodable {
        /// The input.
        var source: Receipt.Source
        /// The content's name, made safe; absent if no content could be read.
        var name: String?
        /// The content's type; absent if no content could be read.
        var type: MediaType?
        /// The delivery with the sink's answer; absent if the sink got none.
        var delivery: DeliveryRecord?
        /// Why the sink got no delivery, and the remedy.
        var why: String?
        /// The paths of the copied products, in their order; empty without `out`.
        var kept: [String] = []

        /// Whether the sink took or declined the delivery, or already had it.
        var isGood: Bool {
            switch delivery?.outcome {
            case .delivered, .declined, .duplicate: true
            case .failed, .quarantined, .pending, nil: false
            }
        }
    }

    /// Finds the sink.
    ///
    /// - Parameters:
    ///   - name: a sink's identifier, or the path of its folder or its `sink.json`.
    ///   - options: the folders of sinks and settings; the container is not used.
    /// - Throws: ``IngestionError`` if there is no such sink, if it is broken, or if its settings are incomplete.
    init(sink name: FilePath, options: IngestOptions) throws {
        var registry = SinkRegistry(
            folders: options.sinkFolders, program: ProgramPath.current, configuration: options.configurationFolder)
        if let folder = Self.folder(name, registry) {
            // With `/` as the program, no bundled sinks are found. The next line leaves out sinks in subfolders of
            // `folder`, which the registry searches too.
            registry = SinkRegistry(folders: [folder], program: "/", configuration: options.configurationFolder)
            registry = registry.limited(to: folder.appending(InstalledSink.manifestName))
            sink = try registry.usable(name, or: registry.found.first?.sink)
        } else {
            sink = try registry.usable(name)
        }
        self.options = options
    }

    /// Warnings about the sink's settings, such as a secret in a file that others may read.
    var cautions: [String] { sink.cautions }

    /// Delivers the inputs to the sink, and reports each answer in the order of the inputs.
    ///
    /// - Parameters:
    ///   - out: the folder for products, with a folder for each delivery in it. Nothing there is overwritten.
    ///   - log: gets the end of each sink process's standard error, with secrets removed.
    ///   - report: gets each answer. Its first error is thrown after the run.
    func run(
        _ paths: [FilePath], out: FilePath?, log: @escaping @Sendable (String) -> Void,
        report: @escaping @Sendable (Answer) throws -> Void
    ) async throws {
        let temporary = try TemporaryFolder(for: "trial")
        // The folder is removed with the value, which is not used after the next line.
        defer { withExtendedLifetime(temporary) {} }
        let (folder, fileSystem) = (temporary.path.appending("container"), temporary.fileSystem)
        var options = options
        options.container = folder
        // One worker, so that answers come in the order of the inputs.
        options.jobs = 1
        var sink = sink
        sink.listener = { if !$0.isEmpty { log($0) } }
        let accepts = sink.manifest.accepts.map(\.type).joined(separator: ", ")
        let pipeline = Pipeline(options: options, registry: SinkRegistry(sinks: [sink]))
        let failure = Mutex<(any Error)?>(nil)
        _ = try await pipeline.ingest(.paths(paths)) { event in
            guard case .settled(let receipt) = event else { return }
            do {
                for var answer in Self.answers(receipt, accepts: accepts) {
                    if let out { try Self.keep(&answer, from: folder, in: out, on: fileSystem) }
                    try report(answer)
                }
            } catch {
                failure.withLock { $0 = $0 ?? error }
            }
        }
        if let failure = failure.withLock({ $0 }) { throw failure }
    }

    /// The sink folder at the path, unless the name is a known sink's identifier.
    private static func folder(_ name: FilePath, _ registry: SinkRegistry) -> FilePath? {
        guard !registry.found.contains(where: { $0.sink?.id == name.string }) else { return nil }
        let folder = name.lastComponent?.string == InstalledSink.manifestName ? name.removingLastComponent() : name
        return folder.absolute.appending(InstalledSink.manifestName).real == nil ? nil : folder.absolute
    }

    private static func answers(_ receipt: Receipt, accepts: String) -> [Answer] {
        // Only content is in a group. A provider without content states its own reason.
        let leads = receipt.providers.filter { provider in
            provider.outcome == .failed || receipt.groups.isEmpty
                || receipt.groups.contains { $0.providers.first == provider.index }
        }
        if leads.isEmpty {
            return [Answer(source: receipt.source, why: receipt.reason ?? "no content could be read from it")]
        }
        return leads.map { lead in
            // The registry has one sink, so there is at most one delivery.
            let delivery = lead.deliveries.first
            let why = delivery == nil ? reason(lead, receipt, accepts) : nil
            return Answer(source: receipt.source, name: lead.name, type: lead.type, delivery: delivery, why: why)
        }
    }

    private static func reason(_ lead: Receipt.Provider, _ receipt: Receipt, _ accepts: String) -> String {
        guard let type = lead.type else { return lead.reason }
        if receipt.outcome == .duplicate { return "an earlier input has the same content; a sink gets it once" }
        return "the sink does not accept \(type), but \(accepts); change accepts in its sink.json"
    }

    /// Copies the products of an answer, because the container is removed after the run.
    private static func keep(
        _ answer: inout Answer, from container: FilePath, in out: FilePath, on fileSystem: any FileSystem
    ) throws {
        guard let delivery = answer.delivery, !delivery.products.isEmpty else { return }
        let folder = try newFolder(answer.name ?? "", in: out.absolute, on: fileSystem)
        let objects = try Container.open(at: container).objects
        for product in delivery.products {
            let path = folder.appending(product.name)
            let object = try objects.open(product.sha256)
            defer { try? object.close() }
            try fileSystem.copy(object, to: path)
            try fileSystem.setMode([.ownerReadWrite, .groupRead, .otherRead], of: path)
            answer.kept.append(path.string)
        }
    }

    /// Makes a new folder: `beach.jpg`, or `beach.jpg-2` and so on if that exists.
    private static func newFolder(
        _ name: String, in out: FilePath, on fileSystem: any FileSystem
    ) throws -> FilePath {
        let isNew = try !fileSystem.exists(out)
        try fileSystem.ensureFolders(out)
        // The products are for the user, not only for this program.
        if isNew { try fileSystem.setMode(folderMode, of: out) }
        let name = SafeName.make(name)
        for number in 1...mostFolders {
            let folder = out.appending(number == 1 ? name : "\(name)-\(number)")
            if try fileSystem.makeFolder(folder) {
                try fileSystem.setMode(folderMode, of: folder)
                return folder
            }
        }
        throw IngestionError(.usage, "\(out) has \(mostFolders) folders for \(name); name another folder")
    }

    /// The most folders for content of one name.
    private static let mostFolders = 10_000

    private static let folderMode: FilePermissions = [
        .ownerReadWriteExecute, .groupReadExecute, .otherReadExecute,
    ]
}

extension SinkRegistry {
    /// Only the sink with this manifest.
    fileprivate func limited(to manifest: FilePath) -> SinkRegistry {
        SinkRegistry(found: found.filter { $0.manifest == manifest })
    }

    /// The sink of this identifier, or else the sink of the folder that was named, if it can be started.
    fileprivate func usable(_ name: FilePath, or named: InstalledSink? = nil) throws -> InstalledSink {
        if let sink = found.compactMap(\.sink).first(where: { $0.id == name.string }) ?? named {
            if let obstacle = sink.obstacle {
                throw IngestionError(.notFound, "\(sink.id) cannot be started: \(obstacle)")
            }
            return sink
        }
        if found.count == 1, case .broken(let why) = found[0].standing {
            throw IngestionError(.notFound, "\(name) cannot be used: \(why)")
        }
        let near = NearestName.of(name.string, among: found.compactMap { $0.sink?.id }).map {
            "; did you mean '\($0)'?"
        }
        throw IngestionError(
            .notFound, "there is no sink \(name)\(near ?? ""); see `sluice sinks list`, or name its folder"
        )
    }
}
