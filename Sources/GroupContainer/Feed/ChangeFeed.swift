internal import Files
public import ShareModel
public import SystemPackage

/// An event for a program that reads a container's feed.
public enum FeedEvent: Sendable, Equatable {
    /// The feed does not have the cursor, so the program's copy is out of date. All changes follow, from the beginning.
    case reset(ChangeReset)
    /// A change of the container.
    case change(ChangeEntry)
}

/// The changes of a container, for programs that keep a copy of it up to date.
///
/// Reading changes nothing in the container. ``Observers`` record which changes a program has handled.
public struct ChangeFeed: Sendable {
    private let reader: FeedReader
    private let layout: ContainerLayout
    private let observers: Observers
    private let observer: String?

    /// Opens the feed of a container.
    ///
    /// - Parameters:
    ///   - root: the container's folder; a relative path starts at the working folder.
    ///   - observer: reads start after the last change that this observer acknowledged.
    /// - Throws: ``ContainerError`` if there is no container, or it cannot be read.
    public init(reading root: FilePath, observer: String? = nil) throws {
        let catalog = try CatalogReader(reading: root)
        reader = catalog.feed
        observers = catalog.observers
        layout = ContainerLayout(root: root)
        self.observer = observer
    }

    /// The place after the last change, for a reader that wants the later ones alone.
    ///
    /// - Throws: ``ContainerError`` if the container cannot be read.
    public func end() throws -> ChangeCursor { try reader.end() }

    /// The range of changes to read.
    public struct Request: Sendable {
        /// The place to begin after. With `nil`, the place is the observer's, or the beginning if it has none.
        public var since: ChangeCursor?
        /// The largest number of changes; `nil` for all.
        public var limit: Int?
        /// Whether to wait for more changes at the end.
        public var follows = false
        /// The descriptor that the changes go to, not owned. Following ends when no process reads from it any more.
        public var output: FileDescriptor?

        /// A request for all changes until now.
        public init() {}
    }

    /// Calls `take` with the changes in order, a page at a time, and moves no observer. A cancellation ends the call
    /// between two pages, or at once while it waits.
    ///
    /// - Throws: ``ContainerError`` if the container cannot be read; `CancellationError`; an error of `take`.
    public func read(_ request: Request, _ take: @escaping @Sendable ([FeedEvent]) throws -> Void) async throws {
        if request.follows, let staleness = reader.database.staleness {
            throw ContainerError(
                .catalog,
                "changes of \(layout.root) cannot be followed, because this process reads a catalog that stays as it is: "
                    + staleness)
        }
        // The watch begins before the first read, so a commit between the last read and the wait ends that wait at
        // once.
        let watch = try ContainerError.converting {
            request.follows ? try layout.watchChanges(output: request.output) : nil
        }
        // The wait blocks its thread, so it must not run on the shared pool.
        try await withTaskCancellationHandler {
            try await BlockingCall.run {
                try read(request, watch) { events in
                    try Task.checkCancellation()
                    try take(events)
                }
            }
        } onCancel: {
            watch?.stop()
        }
        try Task.checkCancellation()
    }

    private func read(_ request: Request, _ watch: FileWatch?, _ take: ([FeedEvent]) throws -> Void) throws {
        let since = try request.since ?? observer.flatMap { try observers.cursor($0) }
        var (cursor, reset) = try reader.start(since)
        if let reset { try take([.reset(reset)]) }
        var left = request.limit ?? .max
        repeat {
            // Each page is a read of its own, so a slow `take` does not keep the write-ahead log from being truncated.
            while left > 0, case let page = try reader.page(after: cursor, limit: left), let last = page.last {
                cursor.number = last.number
                left -= page.count
                try take(page.map(FeedEvent.change))
            }
        } while try left > 0 && ContainerError.converting { try watch?.wait() ?? false }
    }
}
