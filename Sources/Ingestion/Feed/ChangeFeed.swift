internal import Files
internal import GroupContainer
public import ShareModel
public import SystemPackage

/// A line of a container's feed.
public enum FeedEvent: Sendable, Equatable {
    /// What was known before means nothing; all changes from the beginning follow.
    case reset(ChangeReset)
    /// What changed.
    case change(ChangeEntry)
}

/// The changes of a container, for programs that keep something beside it up to date.
///
/// Reading changes nothing in the container. A ``FeedObserver`` records what a program has handled.
public struct ChangeFeed: Sendable {
    private let reader: FeedReader
    private let layout: ContainerLayout
    private let observers: Observers
    private let observer: String?

    /// Opens the feed; makes no container.
    ///
    /// - Parameter observer: reads start after the last change that this observer acknowledged.
    /// - Throws: ``IngestionError`` where there is no container, or it cannot be read.
    public init(container: FilePath, observer: String? = nil) throws {
        do {
            let catalog = try CatalogReader(reading: container.absolute)
            reader = catalog.feed
            observers = catalog.observers
            layout = ContainerLayout(root: container.absolute)
            self.observer = observer
        } catch {
            throw IngestionError(error)
        }
    }

    /// What is read, and for how long.
    public struct Request: Sendable {
        /// Where to begin; `nil` for the observer's place, and for the beginning where it has none.
        public var since: ChangeCursor?
        /// How many changes at most; `nil` for all.
        public var limit: Int?
        /// Whether to wait for more at the end.
        public var follows = false
        /// Where the changes go: nobody reads it any more, and following ends.
        public var output: FileDescriptor?

        /// All that there is, once.
        public init() {}
    }

    /// Hands the changes over in order, a page at a time. No observer moves.
    ///
    /// A cancellation ends it between two pages, at once where it waits.
    ///
    /// - Throws: ``IngestionError`` where the container is at fault; what `take` throws.
    public func read(_ request: Request, _ take: @escaping @Sendable ([FeedEvent]) throws -> Void) async throws {
        let watch: FileWatch?
        do {
            watch = request.follows ? try layout.watchChanges(output: request.output) : nil
        } catch {
            throw IngestionError(error)
        }
        let stop = StopFlag()
        try await withTaskCancellationHandler {
            try await BlockingCall.run {
                try read(request, watch) { events in
                    if stop.isSet { throw CancellationError() }
                    try take(events)
                }
            }
        } onCancel: {
            stop.set()
            watch?.stop()
        }
        try Task.checkCancellation()
    }

    private func read(_ request: Request, _ watch: FileWatch?, _ take: ([FeedEvent]) throws -> Void) throws {
        do {
            let since = try request.since ?? observer.flatMap { try observers.cursor($0) }
            var (cursor, reset) = try reader.start(since)
            if let reset { try take([.reset(reset)]) }
            var left = request.limit ?? .max
            repeat {
                while left > 0, case let page = try reader.page(after: cursor, limit: left), let last = page.last {
                    cursor.number = last.number
                    left -= page.count
                    try take(page.map(FeedEvent.change))
                }
            } while try left > 0 && watch?.wait() ?? false
        } catch let error as ContainerError {
            throw IngestionError(error)
        }
    }
}
