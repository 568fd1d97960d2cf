internal import Files
internal import GroupContainer
internal import Reading
internal import ShareModel
internal import Sniffing
internal import SystemPackage

/// Takes one package after the other from its description to staged content; runs on a thread of its own.
///
/// Owns what must not be shared: a libmagic cookie, a folder in the staging area, a buffer.
actor IntakeWorker {
    private let stager: Stager
    private let composer: PackageComposer
    private var opener: (folder: FilePath?, root: FilePath?, bag: BagManifest?, opener: SourceOpener)?
    private let recognizer: SourceRecognizer?
    private let meter: ProgressMeter
    private let options: IngestOptions
    private let executor = QueueExecutor("sluice.intake")

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameter recognizer: knows files again that came in before; `nil` where all are to be read.
    init(
        area: sending any StagingArea, composer: PackageComposer, recognizer: SourceRecognizer?, options: IngestOptions,
        meter: ProgressMeter
    ) throws {
        stager = Stager(area: area, sniffer: try MagicSniffer(), meter: meter)
        self.composer = composer
        self.recognizer = recognizer
        self.meter = meter
        self.options = options
    }

    /// What became of some inputs that were handed over together.
    struct Chunk: Sendable {
        /// In order; fewer than the inputs where there is a failure.
        var intakes: [Intake] = []
        /// Why the next one could not be taken, where the container or the run is at fault, or it was cancelled.
        var failure: (any Error)?
    }

    /// Resolves, selects and stages inputs, one after the other; nothing is left staged of one that fails.
    func take(_ inputs: [HandedInput]) -> Chunk {
        var chunk = Chunk()
        do {
            let begin = options.clock.nanoseconds()
            let known = try recognizer?.recognize(inputs.map(\.input)) ?? []
            opener = nil
            for (place, input) in inputs.enumerated() {
                try Task.checkCancellation()
                if place < known.count, let receipt = known[place] {
                    chunk.intakes.append(Intake(receipt: receipt, proposal: nil))
                    meter.end()
                } else {
                    chunk.intakes.append(try take(input.input, original: input.original, at: begin))
                }
            }
        } catch {
            chunk.failure = error
        }
        return chunk
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
            var intake = try take(package, parts, original: original)
            if let stamp = intake.proposal?.stamp, !stamp.isQuiet(at: time) { intake.proposal?.stamp = nil }
            return intake.receipt.outcome == .accepted ? intake : try keepOriginal(original, in: intake)
        }
    }

    /// Why a file is to be left to a later run.
    private func whyUnsettled(_ source: PackageSource, at time: Int64) -> String? {
        guard options.settleTime > .zero, let stamp = source.stamp else { return nil }
        let wanted = options.settleTime.components
        let nanoseconds = wanted.seconds * 1_000_000_000 + wanted.attoseconds / 1_000_000_000
        guard !stamp.isQuiet(at: time, for: nanoseconds) else { return nil }
        return "still being written: it changed less than \(wanted.seconds) s ago; run again when it is done"
    }

    /// The opener of the folder that the inputs lie in; neighbors share it, and the folder that it has open.
    private func opener(of source: PackageSource, _ parts: (any PartSource)?) -> SourceOpener {
        if parts == nil, let opener, opener.folder == source.folder, opener.root == source.root,
            opener.bag == source.bag
        {
            return opener.opener
        }
        let new = SourceOpener(
            folder: source.folder, root: source.root, allowedRoots: options.allowedRoots, bag: source.bag,
            parts: parts, limits: options.limits.reading)
        // A container has one package, and is not kept open after it.
        guard parts == nil else { return new }
        opener = (source.folder, source.root, source.bag, new)
        return new
    }

    private func take(_ package: SharePackage, _ parts: (any PartSource)?, original: [UInt8]?) throws -> Intake {
        let selector = ProviderSelector(
            stager: stager, opener: opener(of: package.source, parts), words: options.remedyWords)
        var resolution = Resolution(ranked: ResolvePolicy.standard.rank(package.items))
        while let ranked = resolution.next() {
            let providers = ranked.item.providers
            let selections = try select(providers, with: selector)
            if selections.contains(where: { $0.content != nil }) {
                resolution.choose(ranked)
                return try addManifest(package, to: composer.package(package, ranked.item, selections, resolution))
            }
            resolution.passOver(ranked, selections)
        }
        return composer.failed(package, resolution, original: original)
    }

    /// All providers of an item, or none staged when one throws.
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

    private func addManifest(_ package: SharePackage, to intake: Intake) throws -> Intake {
        let source = package.source
        guard source.kind == .share || source.kind == .container || source.isTransient else { return intake }
        return try add(Manifest.bytes(of: package), to: intake)
    }

    /// What came by a way that cannot be gone twice is kept whole as long as something of it is not in.
    private func keepOriginal(_ original: [UInt8]?, in intake: Intake) throws -> Intake {
        guard let original else { return intake }
        return try add(original, to: intake)
    }

    private func add(_ bytes: [UInt8], to intake: Intake) throws -> Intake {
        var intake = intake
        let staged = try stager.stage(bytes)
        intake.staged.append(staged)
        intake.proposal?.records.append(ObjectRecord(digest: staged.digest, size: staged.size))
        return intake
    }
}

/// An input on its way to a worker, with its own bytes where it cannot be read a second time.
struct HandedInput: Sendable {
    var input: ReadInput
    var original: [UInt8]?
}

extension ExtensionItem {
    /// The item's attachments; an item that has only a text of its own is its text.
    var providers: [ItemProvider] {
        guard attachments.isEmpty, let text, !text.isEmpty else { return attachments }
        return [ItemProvider(representations: [Representation(content: .text(text))])]
    }
}
