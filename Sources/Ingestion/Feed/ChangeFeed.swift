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

/// The changes of a container, for whoever keeps something beside it up to date.
public struct ChangeFeed: Sendable {
    private let reader: FeedReader
    private let layout: ContainerLayout
    private let observer: String?
    /// Open for writing only where an observer's place is to be remembered.
    private let container: Container?

    /// Opens the feed; makes no container.
    ///
    /// - Parameter observer: the name under which the container remembers what was taken.
    /// - Throws: ``IngestionError`` where there is no container, or it may not be used so.
    public init(container: FilePath, observer: String? = nil) throws {
        do {
            reader = try CatalogReader(reading: container.absolute).feed
            layout = ContainerLayout(root: container.absolute)
            self.observer = observer
            self.container = try observer.map { _ in try Container(opening: container.absolute) }
        } catch {
            throw IngestionError(error)
        }
    }

    /// Whether a name may be an observer's: up to 64 small letters, digits, `.`, `-` and `_`, the first a letter or digit.
    public static func isObserver(_ name: String) -> Bool { Observers.isName(name) && name != ReservedObserver.library }

    /// What is read, and for how long.
    public struct Request: Sendable {
        /// Where to begin; `nil` where the observer was last, or at the beginning.
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

    /// Hands the changes over in order, a page at a time. The observer's place moves on when `take` has returned: what it
    /// was handed must be safe by then.
    ///
    /// A cancellation ends it between two pages, at once where it waits.
    ///
    /// - Throws: ``IngestionError`` where the container is at fault; what `take` throws.
    public func read(_ request: Request, _ take: @escaping @Sendable ([FeedEvent]) throws -> Void) async throws {
        let watch: ChangeWatch?
        do {
            watch = request.follows ? try ChangeWatch(layout, output: request.output) : nil
        } catch {
            throw IngestionError(error)
        }
        let stop = StopFlag()
        try await withTaskCancellationHandler {
            try await Aside.run {
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

    private func read(_ request: Request, _ watch: ChangeWatch?, _ take: ([FeedEvent]) throws -> Void) throws {
        do {
            let since = try request.since ?? observer.flatMap { try container?.observers.cursor($0) }
            var (cursor, reset) = try reader.start(since)
            if let reset { try hand([.reset(reset)], upTo: cursor, take) }
            var left = request.limit ?? .max
            repeat {
                while left > 0, case let page = try reader.page(after: cursor, limit: left), let last = page.last {
                    cursor.number = last.number
                    left -= page.count
                    try hand(page.map(FeedEvent.change), upTo: cursor, take)
                }
            } while try left > 0 && watch?.wait() ?? false
        } catch let error as ContainerError {
            throw IngestionError(error)
        }
    }

    private func hand(_ events: [FeedEvent], upTo cursor: ChangeCursor, _ take: ([FeedEvent]) throws -> Void) throws {
        try take(events)
        if let observer { try container?.observers.set(observer, cursor) }
    }
}

/// Names of observers that the program itself uses.
enum ReservedObserver {
    /// The folder `library`.
    static let library = "library"
}
