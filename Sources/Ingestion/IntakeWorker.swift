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
    /// The records of the latest bag.
    private var records: (tags: BagManifest, records: BagRecords)?
    private let recognizer: SourceRecognizer?
    private let catalog: (any Catalog)?
    private let meter: ProgressMeter
    private let options: IngestOptions
    private let executor = QueueExecutor("sluice.intake")

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - recognizer: recognizes files that have not changed since they came in; `nil` to read every file.
    ///   - catalog: knows the words that a person gave earlier packages; `nil` if there is no container yet.
    ///   - known: the content that needs no room; `nil` if all content does.
    ///   - isShort: whether the worker takes one package.
    init(
        area: sending any StagingArea, composer: PackageComposer, recognizer: SourceRecognizer?,
        catalog: (any Catalog)?, known: KnownContent?, options: IngestOptions, meter: ProgressMeter,
        isShort: Bool = false
    ) throws {
        stager = Stager(area: area, sniffer: try MagicSniffer(isLate: isShort), meter: meter, known: known)
        self.composer = composer
        self.recognizer = recognizer
        self.catalog = catalog
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
            let words = try catalog.map { try inputs.givenWords(in: $0, besides: known) } ?? [:]
            (opener, records) = (nil, nil)
            for (place, input) in inputs.enumerated() {
                try Task.checkCancellation()
                if place < known.count, let receipt = known[place] {
                    chunk.intakes.append(Intake(final: receipt))
                    meter.end()
                } else {
                    var intake = try named(input.input) {
                        try take(input.input, original: input.original, words: words[place], at: begin)
                    }
                    intake.isFound = input.input.source.isFound
                    if !options.tags.isEmpty { intake.change { $0.tags = options.tags } }
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
            let name = package.source.kind == .standardInput ? PipeBeginning.name : package.source.path.string
            throw explained.withoutRoom(for: name)
        }
    }

    /// - Parameters:
    ///   - words: what a person called the earlier package of the input; `nil` if nothing.
    ///   - time: before the input was opened, in nanoseconds since 1970.
    private func take(_ input: ReadInput, original: HandedInput.Original?, words: GivenWords?, at time: Int64) throws
        -> Intake
    {
        defer { meter.end() }
        switch input {
        case .skipped(let source, let why):
            return composer.skipped(source, why)
        case .unusable(let source, let error):
            return composer.missing(source, error.text(options.remedyWords))
        case .failed(let source, let error):
            if let why = whyUnsettled(source, at: time) { return composer.skipped(source, why) }
            return try keepOriginal(
                original, in: composer.failed(source, error.text(options.remedyWords), original: original))
        case .recorded(let source, let receipt):
            return try recorded(source, receipt)
        case .package(let package, let parts):
            meter.begin(package.source.path)
            if let why = whyUnsettled(package.source, at: time) { return composer.skipped(package.source, why) }
            var intake = try takeWithinRoom(package, parts, original: original, words: words)
            // Two writes within one tick of the clock leave the same stamp, so the stamp of a young file proves
            // nothing.
            if let stamp = intake.proposal?.stamp, !stamp.isQuiet(at: time) { intake.change { $0.stamp = nil } }
            return intake.receipt.outcome == .accepted ? intake : try keepOriginal(original, in: intake)
        }
    }

    /// A file that changed further in the future has its time from another clock, which says nothing about writing. The
    /// clocks of a file server and of this machine differ by less.
    private static let longestLead: Int64 = 3_600 * 1_000_000_000

    /// The reason to leave a file to a later run; `nil` if it has been unchanged for long enough.
    private func whyUnsettled(_ source: PackageSource, at time: Int64) -> String? {
        // A clock may be at the end of the numbers, beyond which no file can be.
        let (latest, isLast) = time.addingReportingOverflow(Self.longestLead)
        guard options.settleTime > .zero, let stamp = source.stamp, isLast || stamp.changed <= latest else {
            return nil
        }
        let wanted = options.settleTime.components
        let nanoseconds = wanted.seconds * 1_000_000_000 + wanted.attoseconds / 1_000_000_000
        guard !stamp.isQuiet(at: time, for: nanoseconds) else { return nil }
        return "still being written: it changed less than \(Self.text(wanted.seconds)) ago; run again when it is done"
    }

    /// A time in the largest unit that divides it.
    private static func text(_ seconds: Int64) -> String {
        switch seconds {
        case _ where seconds >= 3_600 && seconds % 3_600 == 0: "\(seconds / 3_600) h"
        case _ where seconds >= 60 && seconds % 60 == 0: "\(seconds / 60) min"
        default: "\(seconds) s"
        }
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
    private func takeWithinRoom(
        _ package: SharePackage, _ parts: (any PartSource)?, original: HandedInput.Original?, words: GivenWords?
    ) throws -> Intake {
        do {
            return try take(package, parts, original: original, words: words)
        } catch let error as ContainerError where error.code == .tooLarge && !options.endsWithoutRoom {
            let why = error.remedy.map { "\(error.message); \(options.remedyWords($0))" } ?? error.message
            return composer.failed(package, why, original: original)
        }
    }

    private func take(
        _ sent: SharePackage, _ parts: (any PartSource)?, original: HandedInput.Original?, words: GivenWords?
    ) throws -> Intake {
        var package = sent.described(title: options.title, text: options.text)
        let selector = ProviderSelector(
            stager: stager, opener: opener(of: package.source, parts), words: options.remedyWords)
        var resolution = Resolution(ranked: ResolvePolicy.standard.rank(package.items))
        // The next item is tried only if no provider of this one can be used.
        while let ranked = resolution.next() {
            let providers = ranked.item.providers
            let selections = try select(providers, with: selector)
            if selections.contains(where: { $0.content != nil }) {
                if let words, words.belong(to: selections.map { $0.content?.object.digest }) {
                    package = package.described(title: words.title, text: words.text)
                }
                let item = package.items[ranked.index]
                resolution.choose(ranked, as: item)
                var intake = try composer.package(package, item, selections, resolution)
                if options.describes {
                    let plain = sent.items[ranked.index]
                    intake.plainID = PackageKey.identifier(
                        senderID: sent.id, title: plain.title, text: plain.text,
                        contents: intake.receipt.providers.map(\.sha256))
                }
                return try completed(intake, package, selections)
            }
            resolution.passOver(ranked, selections)
        }
        guard package.source.kind == .submitted else {
            return composer.failed(package, resolution, original: original)
        }
        // A program chooses the name of such a package, perhaps the same for all. Its description tells two failures
        // apart, and is all that is left to understand one.
        let manifest = try Manifest.bytes(of: package)
        return try add(manifest, to: composer.failed(package, resolution, original: .bytes(manifest)))
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

    /// Completes a package by what its bag records of it; otherwise by its manifest.
    private func completed(_ intake: Intake, _ package: SharePackage, _ selections: [ProviderSelection]) throws
        -> Intake
    {
        guard let records = records(of: package.source) else { return try addManifest(package, to: intake) }
        let id = intake.receipt.id
        do {
            guard let receipt = try records.receipt(id) else { return try addManifest(package, to: intake) }
            let stored = try records.records(id)
            let restored = try composer.restored(intake, selections, by: receipt)
            if stored.isEmpty {
                return try addProducts(from: records, to: try addManifest(package, receipt.source.kind, to: restored))
            }
            return try addProducts(from: records, to: try add(stored, to: restored))
        } catch let error as ReadingError {
            // The content is whole, so it comes in without its history.
            let why = "its receipt in the bag is not taken over: \(error.text(options.remedyWords))"
            return try addManifest(package, to: intake.warning(why))
        }
    }

    /// Takes in a failed package, of which its bag has only the receipt and perhaps the input.
    private func recorded(_ source: PackageSource, _ receipt: Receipt) throws -> Intake {
        do {
            let stored = try records(of: source)?.records(receipt.id) ?? []
            return try add(stored, to: composer.recorded(source, receipt, records: stored.map { Digest(of: $0) }))
        } catch let error as ReadingError {
            let bag = PackageSource(kind: .other, path: source.bag?.root ?? source.path, folder: nil)
            let why = "the receipt \(receipt.id): \(error.text(options.remedyWords))"
            return composer.failed(bag, why, original: nil)
        }
    }

    private func records(of source: PackageSource) -> BagRecords? {
        guard let tags = source.bag?.tags else { return nil }
        if let records, records.tags == tags { return records.records }
        let new = BagRecords(tags, limits: options.limits.reading)
        records = (tags, new)
        return new
    }

    /// Adds what sinks made of a package. A delivery that lacks one of its products is made again.
    private func addProducts(from records: BagRecords, to intake: Intake) throws -> Intake {
        guard var history = intake.proposal?.history else { return intake }
        var intake = intake
        for (place, delivery) in history.deliveries.enumerated().reversed() {
            do {
                let staged = try stage(delivery.record.products, from: records)
                intake.staged += staged.map(\.object)
                for (number, content) in staged.enumerated() {
                    history.deliveries[place].record.products[number].type = content.identification.type
                }
            } catch {
                let why: String
                switch error {
                case let error as ReadingError: why = error.text(options.remedyWords)
                case let error as ContainerError where error.code == .tooLarge: why = error.message
                default:
                    intake.staged.forEach { $0.discard() }
                    throw error
                }
                history.deliveries.remove(at: place)
                intake = intake.warning("what \(delivery.record.sink) made is not taken over from the bag: \(why)")
            }
        }
        intake.change { $0.history = history }
        return intake
    }

    private func stage(_ products: [DeliveryRecord.Product], from records: BagRecords) throws -> [StagedContent] {
        var staged: [StagedContent] = []
        do {
            for product in products {
                guard let file = records.product(product.sha256) else {
                    throw ReadingError(.missing, "the bag lacks \(product.name); it is made again")
                }
                let content = try stager.stage(
                    product: file, size: product.size, claims: TypeClaims(declared: product.type.description),
                    opener: records.opener)
                staged.append(content)
                guard content.object.digest == product.sha256 else {
                    throw ReadingError(.changed, "\(product.name) has other bytes than its receipt says")
                }
            }
            return staged
        } catch {
            for content in staged { content.object.discard() }
            throw error
        }
    }

    private func add(_ records: [[UInt8]], to intake: Intake) throws -> Intake {
        try records.reduce(intake) { try add($1, to: $0) }
    }

    /// Adds the manifest of a described package. A plain file has none, because its row says as much.
    ///
    /// - Parameter kind: the kind of the package's source; by default, that of this arrival.
    private func addManifest(_ package: SharePackage, _ kind: PackageSource.Kind? = nil, to intake: Intake) throws
        -> Intake
    {
        guard (kind ?? package.source.kind).isDescribed else { return intake }
        return try add(Manifest.bytes(of: package), to: intake)
    }

    /// Keeps the bytes of an input from a pipe, because a part of its package is missing and it cannot be read again.
    private func keepOriginal(_ original: HandedInput.Original?, in intake: Intake) throws -> Intake {
        switch original {
        case .bytes(let bytes): try add(bytes, to: intake)
        case .staged(let object): add(object, to: intake)
        case nil: intake
        }
    }

    private func add(_ bytes: [UInt8], to intake: Intake) throws -> Intake {
        do {
            return add(try stager.stage(bytes), to: intake)
        } catch {
            intake.staged.forEach { $0.discard() }
            throw error
        }
    }

    private func add(_ staged: StagedObject, to intake: Intake) -> Intake {
        var intake = intake
        intake.staged.append(staged)
        intake.change { $0.records.append(ObjectRecord(digest: staged.digest, size: staged.size)) }
        return intake
    }
}

extension PackageSource.Kind {
    /// Whether the container keeps the manifest of a package from such a source.
    fileprivate var isDescribed: Bool { [.share, .container, .group].contains(self) || isTransient }
}

extension Intake {
    /// The package with one more warning.
    fileprivate func warning(_ words: String) -> Intake {
        var intake = self
        intake.change { $0.receipt.warnings.append(words) }
        return intake
    }
}

extension ReadInput {
    /// The source of the input, whatever became of it.
    fileprivate var source: PackageSource {
        switch self {
        case .package(let package, _): package.source
        case .skipped(let source, _), .unusable(let source, _), .failed(let source, _),
            .recorded(let source, _):
            source
        }
    }
}

extension SharePackage {
    /// The package with a title and a text in each item that has none of its own.
    fileprivate func described(title: String?, text: String?) -> SharePackage {
        guard title != nil || text != nil else { return self }
        var package = self
        for place in items.indices {
            if items[place].title?.isEmpty ?? true { package.items[place].title = title }
            if items[place].text?.isEmpty ?? true { package.items[place].text = text }
        }
        return package
    }
}

extension ExtensionItem {
    /// The item's attachments. If there are none, the item's text is its only provider.
    var providers: [ItemProvider] {
        guard attachments.isEmpty, let text, !text.isEmpty else { return attachments }
        return [ItemProvider(representations: [Representation(content: .text(text))])]
    }
}
