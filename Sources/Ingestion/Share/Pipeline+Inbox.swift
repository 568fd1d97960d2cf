internal import Files
internal import GroupContainer
internal import Reading
internal import ShareModel
internal import SinkHost
package import SystemPackage

extension Pipeline {
    /// Puts the only input into the inbox of a container that has to be migrated first.
    static func wait(_ inputs: RunInputs, _ options: IngestOptions, _ meter: ProgressMeter) async throws
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
        // It is durable, so no error may follow. A migration may have ended meanwhile, and have looked into the inbox before this
        // share was there.
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
        let new = shares.filter { !known.contains($0) }
        guard !new.isEmpty else { return result }
        let registry = try await BlockingCall.run { Self.registry(options) }
        for share in new {
            guard !isOver() else { break }
            do {
                if try await takeIn(share, options: options, registry) != nil { result.taken += 1 }
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
    private static func takeIn(
        _ share: FilePath, options: IngestOptions, _ registry: SinkRegistry? = nil
    ) async throws -> Receipt? {
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
            SharedContent(pieces: [.waiting(share, taken.arrival)]), options: own, registry: registry,
            makesContainer: false, meter: ProgressMeter())
        try await BlockingCall.run { try inbox.remove(share) }
        return result.receipt
    }
}
