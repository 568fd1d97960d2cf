internal import Files
internal import GroupContainer
internal import Reading
internal import ShareModel
internal import SinkHost
internal import Sniffing
package import SystemPackage

extension Pipeline {
    /// Takes one package in, and starts no sink.
    ///
    /// It takes the way of a run up to the commit, but for one package: no walk, no batches beside each other, and no sync of
    /// what other programs have written. What needs no container is read while the container is opened. If the container has to be
    /// migrated first, the package waits in its inbox.
    ///
    /// - Parameter registry: the sinks; by default those that the options name.
    /// - Throws: an error before the share is durable, and then nothing of it is in the container.
    static func share(
        _ content: SharedContent, options: IngestOptions, registry: SinkRegistry? = nil, makesContainer: Bool,
        meter: ProgressMeter
    )
        async throws -> SharingResult
    {
        async let pipeline = BlockingCall.run {
            registry.map { Pipeline(options: options, registry: $0) } ?? Pipeline(options: options)
        }
        async let types: Void = BlockingCall.run { _ = SharedMIMEDatabase.system }
        if let name = options.destination, try await pipeline.registry[name] == nil {
            throw SharingError(.noDestination, "there is no destination '\(name)'", remedy: .listSinks)
        }
        let (options, inputs) = try await BlockingCall.run {
            var content = content
            let inputs = try content.inputs(options)
            var options = options
            options.allowedRoots += content.folders
            options.endsWithoutRoom = true
            return (options, inputs)
        }
        // Before a container is made: a wrong input makes none.
        try await inputs.open()
        let opened = try await BlockingCall.run { try container(options, makes: makesContainer) }
        guard let opened else { return try await wait(inputs, options, meter) }
        try await types
        return .stored(try await pipeline.take(inputs, options, in: opened, meter))
    }

    /// Opens the container for one package; `nil` if it has to be migrated first.
    private static func container(_ options: IngestOptions, makes: Bool) throws -> Container? {
        do {
            if !makes { try ContainerFormat.require(ContainerLayout(root: options.container), options.fileSystem) }
            return try Container.open(
                at: options.container, fileSystem: options.fileSystem, reserve: options.reserve, sync: .ownFiles,
                machine: options.machine, engines: options.engines)
        } catch let error as ContainerError where error.code == .olderFormat {
            return nil
        }
    }

    /// Takes the only input into an open container.
    private func take(
        _ inputs: RunInputs, _ options: IngestOptions, in container: Container, _ meter: ProgressMeter
    ) async throws -> Receipt {
        let input = try await inputs.only { try container.objects.makeStagingArea() }
        if case .failed(_, let error) = input.input {
            throw SharingError(.unreadableSource, error.message, remedy: error.remedy)
        }
        let run = PipelineRun(options: options, registry: registry, meter: meter)
        let worker = try IntakeWorker(
            area: try container.objects.makeStagingArea(), composer: run.composer,
            recognizer: run.recognizer(container.catalog, container), catalog: container.catalog,
            known: KnownContent(container: container), options: options, meter: meter, isShort: true)
        // Its end removes the staged content.
        defer { withExtendedLifetime(worker) {} }
        let chunk = await worker.take([input])
        if let failure = chunk.failure { throw failure }
        guard let intake = chunk.intakes.first else { throw CancellationError() }
        try intake.requireContent()
        if options.takesWhole { try intake.requireWhole() }
        try intake.require(options.destination)
        try Task.checkCancellation()
        do {
            let stored = try await Storer(container: container).store([intake])
            guard let receipt = try await Committer(container: container).commit(stored).first,
                receipt.outcome != .failed
            else { throw SharingError(.container, "its content was removed from the container just now; share again") }
            return receipt
        } catch {
            // The stored batch has ended here, and with it its lock.
            try? await BlockingCall.run { container.removeUnused(intake.staged.map(\.digest)) }
            throw error
        }
    }
}

// MARK: - The inbox

extension Pipeline {
    /// Puts the only input into the inbox.
    private static func wait(_ inputs: RunInputs, _ options: IngestOptions, _ meter: ProgressMeter) async throws
        -> SharingResult
    {
        let layout = ContainerLayout(root: options.container)
        let input = try await inputs.only { ScratchArea(fileSystem: options.fileSystem) }
        let package: SharePackage
        let parts: (any PartSource)?
        switch input.input {
        case .package(let read, let source): (package, parts) = (read, source)
        case .failed(_, let error), .unusable(_, let error):
            throw SharingError(.unreadableSource, error.message, remedy: error.remedy)
        case .skipped(let source, let why):
            throw SharingError(.unreadableSource, "\(source.path) cannot be shared: \(why)")
        case .recorded: throw CancellationError()
        }
        guard package.items.contains(where: { !$0.attachments.isEmpty || $0.text != nil }) else {
            throw SharingError(.nothingToShare, "it has no content")
        }
        let share = try await BlockingCall.run {
            let inbox = ShareInbox(layout, options.fileSystem)
            guard try inbox.shares().count < options.limits.waitingShares else {
                throw SharingError(
                    .needsMigration,
                    "\(layout.root) has to be migrated first, and \(options.limits.waitingShares) shares wait for that already",
                    remedy: .migrateContainer)
            }
            let opener = SourceOpener(
                folder: package.source.folder, root: package.source.root, allowedRoots: options.allowedRoots,
                bag: package.source.bag, parts: parts, limits: options.limits.reading)
            return try InboxShareWriter.write(
                package, inbox.begin(reserve: options.reserve), opener, InboxArrival(of: package.source, options),
                options.limits.reading, meter)
        }
        // It is durable, so no error may follow. A migration may have ended meanwhile, and whoever looks into the inbox after a
        // migration may have done so before.
        guard let receipt = try? await takeIn(share, options: options) else { return .waiting(share) }
        return .stored(receipt)
    }

    /// What became of the shares that waited in the inbox.
    package struct InboxResult: Sendable {
        /// The number of shares that are in the container now.
        package var taken = 0
        /// The shares that stay in the inbox, and why.
        package var left: [(share: FilePath, why: String)] = []
    }

    /// Takes the shares of the inbox in, the oldest first. A share that cannot be taken in stays there, and hinders no other.
    ///
    /// - Parameters:
    ///   - known: shares that are left where they are.
    ///   - isOver: whether to return, asked before each share.
    /// - Throws: ``IngestionError`` if the inbox cannot be read; `CancellationError`.
    package static func takeInbox(
        _ options: IngestOptions, except known: Set<FilePath> = [], until isOver: () -> Bool = { false }
    ) async throws -> InboxResult {
        var result = InboxResult()
        let inbox = ShareInbox(ContainerLayout(root: options.container), options.fileSystem)
        let shares: [FilePath]
        do {
            shares = try await BlockingCall.run {
                try inbox.sweep()
                return try inbox.shares()
            }
        } catch {
            throw IngestionError(error)
        }
        for share in shares where !known.contains(share) {
            guard !isOver() else { break }
            do {
                if try await takeIn(share, options: options) != nil { result.taken += 1 }
            } catch {
                try Task.checkCancellation()
                result.left.append((share, (error as? SharingError ?? SharingError(error)).message))
            }
        }
        return result
    }

    /// Takes a share of the inbox in, and removes it there.
    ///
    /// - Returns: `nil` if another process is doing so or has done so, or if the container has to be migrated first.
    private static func takeIn(_ share: FilePath, options: IngestOptions) async throws -> Receipt? {
        let layout = ContainerLayout(root: options.container)
        let inbox = ShareInbox(layout, options.fileSystem)
        let taken = try await BlockingCall.run { () -> (lock: KernelLock, arrival: InboxArrival?)? in
            // Otherwise it would go back into the inbox.
            guard try ContainerFormat.require(layout, options.fileSystem) == .present, let lock = try inbox.lock(share)
            else { return nil }
            return (lock, try InboxArrival.read(in: share, options.fileSystem))
        }
        guard let taken else { return nil }
        defer { withExtendedLifetime(taken.lock) {} }
        var own = taken.arrival?.options(options) ?? options
        own.takesWhole = true
        let result = try await Self.share(
            SharedContent(pieces: [.waiting(share, taken.arrival)]), options: own, makesContainer: false,
            meter: ProgressMeter())
        try await BlockingCall.run { try inbox.remove(share) }
        return result.receipt
    }
}

extension RunInputs {
    /// The only input.
    ///
    /// - Throws: ``SharingError`` if there is none, or another one.
    fileprivate func only(_ makeArea: BatchReader.MakeArea) throws -> HandedInput {
        let inputs = try next(makeArea) ?? []
        guard let input = inputs.first else { throw SharingError(.nothingToShare, "standard input is empty") }
        let isOnly = try inputs.count == 1 && (next(makeArea) ?? []).isEmpty
        // A canceled reading ends early, too.
        try Task.checkCancellation()
        guard isOnly else {
            throw SharingError(
                .unreadableSource, "standard input has several packages, and a share is one; take them in as a run")
        }
        return input
    }
}

extension Intake {
    /// - Throws: ``SharingError`` if the destination takes nothing of the package. Its content is discarded.
    fileprivate func require(_ destination: String?) throws {
        guard let destination, receipt.destination == nil else { return }
        staged.forEach { $0.discard() }
        let types = Set(receipt.providers.compactMap(\.type?.description)).sorted().joined(separator: ", ")
        throw SharingError(.noDestination, "'\(destination)' takes no \(types)", remedy: .listSinks)
    }

    /// The inbox has the only copy of a share, and a form that could be read when it came in may be unreadable now for a moment.
    ///
    /// - Throws: ``SharingError`` if a file cannot be read. Its content is discarded.
    fileprivate func requireWhole() throws {
        let forms: Set<Receipt.Form> = [.file, .data]
        let failed = receipt.providers.flatMap(\.tried).first {
            $0.outcome == .failed && forms.contains($0.form) && !$0.isOfNothing
        }
        guard let failed else { return }
        staged.forEach { $0.discard() }
        throw SharingError(.unreadableSource, failed.why)
    }

    /// - Throws: ``SharingError`` if nothing of the package can be used. Its content is discarded.
    fileprivate func requireContent() throws {
        guard receipt.outcome == .failed || receipt.outcome == .skipped else { return }
        staged.forEach { $0.discard() }
        let why = receipt.reason ?? "it has no content"
        let isEmpty = receipt.outcome == .failed && receipt.providers.isEmpty && receipt.alternatives.isEmpty
        throw SharingError(isEmpty ? .nothingToShare : .unreadableSource, why)
    }
}
