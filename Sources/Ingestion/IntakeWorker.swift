internal import GroupContainer
internal import ShareModel
internal import Sniffing
internal import Unpacking

/// Takes one package after the other from its description to staged content; runs on a thread of its own.
///
/// Owns what must not be shared: a libmagic cookie, a folder in the staging area, a buffer.
actor IntakeWorker {
    private let stager: Stager
    private let composer: IntakeComposer
    private let meter: ProgressMeter
    private let options: IngestOptions
    private let executor = QueueExecutor("sluice.intake")

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(area: sending StagingArea, composer: IntakeComposer, options: IngestOptions, meter: ProgressMeter) throws {
        stager = Stager(area: area, sniffer: try MagicSniffer(), meter: meter)
        self.composer = composer
        self.meter = meter
        self.options = options
    }

    /// Resolves, selects and stages an input.
    ///
    /// - Parameter original: the input's own bytes, where it cannot be read a second time.
    /// - Throws: where the container or the run is at fault, and on cancellation; nothing is left staged then.
    func take(_ input: ReadInput, original: [UInt8]?) throws -> Intake {
        defer { meter.end() }
        switch input {
        case .skipped(let source, let why):
            return composer.skipped(source, why)
        case .missing(let source):
            return composer.missing(source)
        case .failed(let source, let error):
            return try keepOriginal(original, in: composer.failed(source, error.message, original: original))
        case .package(let package):
            meter.begin(package.source.path)
            let intake = try take(package, original: original)
            return intake.receipt.outcome == .accepted ? intake : try keepOriginal(original, in: intake)
        }
    }

    private func take(_ package: SharePackage, original: [UInt8]?) throws -> Intake {
        let opener = SourceOpener(
            folder: package.source.folder, root: package.source.root, allowedRoots: options.allowedRoots,
            limits: options.limits.unpacking)
        let selector = ProviderSelector(stager: stager, opener: opener)
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
        guard package.source.kind == .share || package.source.isTransient else { return intake }
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

extension ExtensionItem {
    /// The item's attachments; an item that has only a text of its own is its text.
    var providers: [ItemProvider] {
        guard attachments.isEmpty, let text, !text.isEmpty else { return attachments }
        return [ItemProvider(representations: [Representation(content: .text(text))])]
    }
}
