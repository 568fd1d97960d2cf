internal import Files
internal import GroupContainer
internal import Reading
internal import ShareModel
internal import SinkHost
internal import Sniffing
internal import SystemPackage

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
    ) async throws -> SharingResult {
        async let pipeline = BlockingCall.run {
            Pipeline(options: options, registry: registry ?? Self.registry(options))
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
                at: options.container, fileSystem: options.fileSystem, reserve: options.reserve, writer: .share,
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

extension RunInputs {
    /// The only input.
    ///
    /// - Throws: ``SharingError`` if there is none, or another one.
    func only(_ makeArea: BatchReader.MakeArea) throws -> HandedInput {
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
