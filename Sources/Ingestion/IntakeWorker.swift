internal import Files
internal import GroupContainer
internal import Reading
internal import ShareModel
internal import Sniffing
internal import SystemPackage

/// Takes packages from their description to staged content and a receipt, one after the other.
///
/// Each worker runs on a thread of its own, because reading and hashing block. It owns a libmagic cookie, a folder in
/// the staging area and a buffer. Threads must not share these.
actor IntakeWorker {
    private let stager: Stager
    private let composer: PackageComposer
    /// The latest opener, and the source that it belongs to.
    private var opener: (folder: FilePath?, root: FilePath?, bag: BagManifest?, opener: SourceOpener)?
    private let recognizer: SourceRecognizer?
    private let meter: ProgressMeter
    private let options: IngestOptions
    private let executor = QueueExecutor("sluice.intake")

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - recognizer: recognizes files that have not changed since they came in; `nil` to read every file.
    ///   - known: the content that needs no room; `nil` if all content does.
    init(
        area: sending any StagingArea, composer: PackageComposer, recognizer: SourceRecognizer?, known: KnownContent?,
        options: IngestOptions, meter: ProgressMeter
    ) throws {
        stager = Stager(area: area, sniffer: try MagicSniffer(), meter: meter, known: known)
        self.composer = composer
        self.recognizer = recognizer
        self.meter = meter
        self.options = options
    }

    /// The result of a chunk of inputs.
    struct Chunk: Sendable {
        /// One for each input, in order, up to the failure.
        var intakes: [Intake] = []
        /// The error that ended the chunk: a fault of the container or the run, or a cancellation.
        var failure: (any Error)?
    }

    /// Resolves, selects, stages and composes inputs, one after the other.
    func take(_ inputs: [HandedInput]) -> Chunk {
        var chunk = Chunk()
        do {
            // The time before the first file is opened: a file that changes later must not count as quiet.
            let begin = options.clock.nanoseconds()
            let known = try recognizer?.recognize(inputs.map(\.input)) ?? []
            opener = nil
            for (place, input) in inputs.enumerated() {
                try Task.checkCancellation()
                if place < known.count, let receipt = known[place] {
                    chunk.intakes.append(Intake(receipt: receipt, proposal: nil))
                    meter.end()
                } else {
                    var intake = try named(input.input) {
                        try take(input.input, original: input.original, at: begin)
                    }
                    intake.isFound = input.input.source.isFound
                    chunk.intakes.append(intake)
                }
            }
        } catch {
            chunk.failure = error
        }
        return chunk
    }

    /// Names the input in the error that ends a run for want of room.
    private func named<Value>(_ input: ReadInput, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch  where error.isFullDisk {
            let explained = IngestionError(error)
            guard case .package(let package, _) = input else { throw explained }
            throw IngestionError(
                explained.code, "\(package.source.path) has no room: \(explained.message)", remedy: explained.remedy)
        }
    }

    /// - Parameter time: before the input was opened, in nanoseconds since 1970.
    private func take(_ input: ReadInput, original: [UInt8]?, at time: Int64) throws -> Intake {
        defer { meter.end() }
        switch input {
        case .skipped(let source, let why):
            return composer.skipped(source, why)
        case .missing(let source):
            return composer.missing(source)
        case .failed(let source, let error):
            return try keepOriginal(
                original, in: composer.failed(source, error.text(options.remedyWords), original: original))
        case .package(let package, let parts):
            meter.begin(package.source.path)
            if let why = whyUnsettled(package.source, at: time) { return composer.skipped(package.source, why) }
            var intake = try takeWithinRoom(package, parts, original: original)
            // Two writes within one tick of the clock leave the same stamp, so the stamp of a young file proves
            // nothing.
            if let stamp = intake.proposal?.stamp, !stamp.isQuiet(at: time) { intake.proposal?.stamp = nil }
            return intake.receipt.outcome == .accepted ? intake : try keepOriginal(original, in: intake)
        }
    }

    /// A file that changed further in the future has its time from another clock, which says nothing about writing. The
    /// clocks of a file server and of this machine differ by less.
    private static let longestLead: Int64 = 3_600 * 1_000_000_000

    /// The reason to leave a file to a later run; `nil` if it has been unchanged for long enough.
    private func whyUnsettled(_ source: PackageSource, at time: Int64) -> String? {
        guard options.settleTime > .zero, let stamp = source.stamp, stamp.changed <= time + Self.longestLead else {
            return nil
        }
        let wanted = options.settleTime.components
        let nanoseconds = wanted.seconds * 1_000_000_000 + wanted.attoseconds / 1_000_000_000
        guard !stamp.isQuiet(at: time, for: nanoseconds) else { return nil }
        return "still being written: it changed less than \(wanted.seconds) s ago; run again when it is done"
    }

    /// The opener for a source. Inputs of one folder share it, because it keeps that folder open.
    private func opener(of source: PackageSource, _ parts: (any PartSource)?) -> SourceOpener {
        if parts == nil, let opener, opener.folder == source.folder, opener.root == source.root,
            opener.bag == source.bag
        {
            return opener.opener
        }
        let new = SourceOpener(
            folder: source.folder, root: source.root, allowedRoots: options.allowedRoots, bag: source.bag,
            parts: parts, limits: options.limits.reading)
        // Parts belong to one package, so no other input can use an opener that has them.
        guard parts == nil else { return new }
        opener = (source.folder, source.root, source.bag, new)
        return new
    }

    /// Takes a package. If its content has no room and that of others has, the package fails alone.
    ///
    /// No other representation is tried then, because no room is no fault of a representation.
    private func takeWithinRoom(_ package: SharePackage, _ parts: (any PartSource)?, original: [UInt8]?) throws
        -> Intake
    {
        do {
            return try take(package, parts, original: original)
        } catch let error as ContainerError where error.code == .tooLarge {
            let why = error.remedy.map { "\(error.message); \(options.remedyWords($0))" } ?? error.message
            return composer.failed(package, why, original: original)
        }
    }

    private func take(_ package: SharePackage, _ parts: (any PartSource)?, original: [UInt8]?) throws -> Intake {
        let selector = ProviderSelector(
            stager: stager, opener: opener(of: package.source, parts), words: options.remedyWords)
        var resolution = Resolution(ranked: ResolvePolicy.standard.rank(package.items))
        // The next item is tried only if no provider of this one can be used.
        while let ranked = resolution.next() {
            let providers = ranked.item.providers
            let selections = try select(providers, with: selector)
            if selections.contains(where: { $0.content != nil }) {
                resolution.choose(ranked)
                return try addManifest(package, to: composer.package(package, ranked.item, selections, resolution))
            }
            resolution.passOver(ranked, selections)
        }
        guard package.source.kind == .submitted else {
            return composer.failed(package, resolution, original: original)
        }
        // A program chooses the name of such a package, perhaps the same for all. Its description tells two failures
        // apart, and is all that is left to understand one.
        let manifest = try Manifest.bytes(of: package)
        return try add(manifest, to: composer.failed(package, resolution, original: manifest))
    }

    /// Selects from each provider of an item. If one throws, the content of all is discarded.
    private func select(_ providers: [ItemProvider], with selector: ProviderSelector) throws -> [ProviderSelection] {
        var selections: [ProviderSelection] = []
        do {
            for (index, provider) in providers.enumerated() {
                selections.append(try selector.select(provider, index: index))
            }
            return selections
        } catch {
            for selection in selections { selection.content?.object.discard() }
            throw error
        }
    }

    /// Adds the manifest of a described package. A plain file has none, because its row says as much.
    private func addManifest(_ package: SharePackage, to intake: Intake) throws -> Intake {
        let source = package.source
        guard source.kind == .share || source.kind == .container || source.isTransient else { return intake }
        return try add(Manifest.bytes(of: package), to: intake)
    }

    /// Keeps the bytes of an input from a pipe, because a part of its package is missing and it cannot be read again.
    private func keepOriginal(_ original: [UInt8]?, in intake: Intake) throws -> Intake {
        guard let original else { return intake }
        return try add(original, to: intake)
    }

    private func add(_ bytes: [UInt8], to intake: Intake) throws -> Intake {
        var intake = intake
        do {
            let staged = try stager.stage(bytes)
            intake.staged.append(staged)
            intake.proposal?.records.append(ObjectRecord(digest: staged.digest, size: staged.size))
            return intake
        } catch {
            intake.staged.forEach { $0.discard() }
            throw error
        }
    }
}

extension ReadInput {
    /// The source of the input, whatever became of it.
    fileprivate var source: PackageSource {
        switch self {
        case .package(let package, _): package.source
        case .skipped(let source, _), .missing(let source), .failed(let source, _): source
        }
    }
}

/// An input for a worker.
struct HandedInput: Sendable {
    var input: ReadInput
    /// The bytes of an input that cannot be read again, because it came through a pipe.
    var original: [UInt8]?
    /// About the memory of the input, in bytes.
    let memory: Int

    init(input: ReadInput, original: [UInt8]? = nil) {
        (self.input, self.original) = (input, original)
        let package = if case .package(let package, _) = input { package.memory } else { 1_024 }
        memory = package + (original?.count ?? 0)
    }
}

extension ExtensionItem {
    /// The item's attachments. If there are none, the item's text is its only provider.
    var providers: [ItemProvider] {
        guard attachments.isEmpty, let text, !text.isEmpty else { return attachments }
        return [ItemProvider(representations: [Representation(content: .text(text))])]
    }
}
