internal import Files
public import ShareModel
public import SystemPackage

/// The changes of a container for a program that keeps a copy of it, such as a widget or an index of its own.
///
/// It yields each change once, in order, with the package as it is now, and then waits for more:
///
///     for try await page in try ContainerObserver(of: container, as: "widget") {
///         if page.reset != nil { copy.removeAll() }
///         for change in page.changes { try copy.update(change.id, try change.package.get()) }
///     }
///
/// The container records how far the observer has come. A page counts as handled when the program asks for the next one, so a
/// program that ends before that gets the page again. The sequence ends with an error if there is no container, also if it is
/// removed for a moment, to be restored; begin again then. Whatever happens meanwhile, the next page goes on where the last one ended:
/// a restart of either side, a month without a look, or a commit whose notice was lost. A message of the agent is only a hint, so
/// the observer needs none: the file system wakes it after each commit.
///
/// The container is open for writing only while a page is recorded, so an observer that waits keeps no migration out.
public struct ContainerObserver: AsyncSequence, Sendable {
    /// Changes that follow those of the page before.
    public struct Page: Sendable {
        /// Why the program's copy is out of date: it must remove it, because the changes begin at the first one again; `nil`
        /// for most pages. The page may have no change.
        public var reset: ChangeReset?
        /// The changes in order, at most 1,000.
        public var changes: [Change]
    }

    /// A change, and the package that it belongs to.
    public struct Change: Sendable {
        /// The change as the feed has it.
        public var entry: ChangeEntry
        /// The identifier of the package, also for a change of a delivery.
        public var id: String { entry.package ?? entry.id }
        /// The package as it is now, which may be later than the change; `nil` if it was forgotten. An unreadable record is a
        /// failure, and hides no other package.
        public var package: Result<Receipt?, ContainerError>
    }

    private let root: FilePath
    private let name: String

    /// An observer, which reads nothing yet.
    ///
    /// - Parameters:
    ///   - root: the folder of the container, which must exist; a relative path starts at the working folder.
    ///   - name: the name under which the container records its place. A name is for one copy: a second observer of the name would
    ///     begin where the first one is.
    /// - Throws: ``ContainerError`` with the code `cursor` if ``Observers/isName(_:)`` rejects the name.
    public init(of root: FilePath, as name: String) throws {
        try Observers.require(name)
        (self.root, self.name) = (root, name)
    }

    /// An iterator that begins after the last page that this observer has handled.
    public func makeAsyncIterator() -> Iterator { Iterator(root: root, name: name) }

    /// Yields the pages. It ends only with an error: of the container, such as its removal, or a `CancellationError`.
    public struct Iterator: AsyncIteratorProtocol {
        let root: FilePath
        let name: String
        /// The place after the last page; `nil` before the first one.
        private var place: ChangeCursor?
        private var opened: OpenFeed?

        init(root: FilePath, name: String) { (self.root, self.name) = (root, name) }

        /// Records that the page before is handled, and waits for the next one.
        ///
        /// - Throws: ``ContainerError``; `CancellationError`.
        public mutating func next() async throws -> Page? {
            if let place { try await record(place) }
            while true {
                let feed = try await open()
                let since = place
                let page = try await withTaskCancellationHandler {
                    try await BlockingCall.run { try feed.page(after: since, orWait: since != nil) }
                } onCancel: {
                    feed.watch.stop()
                }
                // Its watch is stopped.
                if Task.isCancelled { opened = nil }
                try Task.checkCancellation()
                guard let page else { continue }
                place = page.end
                if page.page.reset != nil || !page.page.changes.isEmpty { return page.page }
            }
        }

        private func record(_ place: ChangeCursor) async throws {
            try await BlockingCall.run { [root, name, opened] in
                // The next page tells that the container was replaced.
                guard try opened?.isInPlace() ?? true else { return }
                do {
                    try Observers(opening: root).acknowledge(name, place)
                } catch let error as ContainerError where error.code == .cursor {
                    // Another process of this name is further, or the catalog was replaced just now.
                } catch {
                    // The reason of the failure may be that the container is being removed.
                    _ = try opened?.isInPlace()
                    throw error
                }
            }
        }

        /// The feed of the container that is there now, which may have replaced the one before.
        ///
        /// - Throws: ``ContainerError`` if it was removed. Opening it meanwhile would make parts of it again.
        private mutating func open() async throws -> OpenFeed {
            let last = opened
            let (feed, recorded) = try await BlockingCall.run { [root, name] () -> (OpenFeed, ChangeCursor?) in
                if let last, try last.isInPlace() { return (last, nil) }
                // Opening it for writing gives a restored container its new epoch.
                let observers = try Observers(opening: root)
                return (try OpenFeed(root), try observers.cursor(name))
            }
            (opened, place) = (feed, place ?? recorded)
            return feed
        }
    }
}

/// The feed of a container that is open, and the watch of its changes.
private struct OpenFeed: Sendable {
    let watch: FileWatch
    private let reader: CatalogReader
    private let identity: ContainerIdentity

    init(_ root: FilePath) throws {
        let layout = ContainerLayout(root: root)
        // First, so that a container which replaces this one meanwhile is noticed.
        identity = ContainerIdentity(of: layout, SystemFileSystem.system)
        // The watch begins before the first read, so it reports each commit after it.
        watch = try ContainerError.converting { try layout.watchChanges() }
        reader = try CatalogReader(reading: root)
    }

    /// Whether the container is still there. If not, another one is.
    ///
    /// - Throws: ``ContainerError`` if none is.
    func isInPlace() throws -> Bool {
        let present = ContainerIdentity(of: reader.layout, SystemFileSystem.system)
        guard present.isWhole else { throw reader.layout.isGone }
        return present == identity
    }

    /// The changes after a place, which is the beginning if it is `nil`.
    ///
    /// - Parameter waits: whether to wait for a change if there is none.
    /// - Returns: the page and the place after it; `nil` after a wait.
    func page(after cursor: ChangeCursor?, orWait waits: Bool) throws -> (
        page: ContainerObserver.Page, end: ChangeCursor
    )? {
        let (start, reset) = try reader.feed.start(cursor)
        let entries = try reader.feed.page(after: start)
        if entries.isEmpty, reset == nil, waits {
            try ContainerError.converting {
                do { _ = try watch.wait() } catch { if try isInPlace() { throw error } }
            }
            return nil
        }
        var known: [String: Result<Receipt?, ContainerError>] = [:]
        let changes = try entries.map { entry in
            var change = ContainerObserver.Change(entry: entry, package: .success(nil))
            change.package = try known[change.id] ?? receipt(change.id)
            known[change.id] = change.package
            return change
        }
        return (
            ContainerObserver.Page(reset: reset, changes: changes),
            ChangeCursor(epoch: start.epoch, number: entries.last?.number ?? start.number)
        )
    }

    private func receipt(_ id: String) throws -> Result<Receipt?, ContainerError> {
        do {
            return .success(try reader.receipt(id))
        } catch let error as ContainerError where error.code == .notFound {
            return .success(nil)
        } catch let error as ContainerError where error.isUnreadableRecord {
            return .failure(error)
        }
    }
}
