internal import Files
internal import GroupContainer
internal import Reading
public import ShareModel
public import SystemPackage

/// Looks after a container: verifies, mends, collects, forgets. Blocking work runs on threads of its own.
public struct ContainerCare: Sendable {
    private let container: FilePath
    private let clock: Clock

    /// Opens nothing yet.
    public init(container: FilePath, clock: Clock = .system) {
        self.container = container.absolute
        self.clock = clock
    }

    /// Holds every row against its file and every file against its row; with `repairs`, puts right what can be.
    ///
    /// Findings come in a fixed order; `report` is called from several threads. A cancellation ends it between two
    /// objects.
    ///
    /// - Throws: ``IngestionError`` where the container cannot be used.
    public func verify(_ options: VerifyOptions, report: @escaping @Sendable (CareEvent) -> Void) async throws
        -> Verified
    {
        try await run(writes: options.repairs) { [clock] care, isStopped in
            try care.verify(options, now: clock.now, isStopped: isStopped, report: report)
        }
    }

    /// Removes rows of objects that nothing refers to, and files without a row that are older than the grace.
    ///
    /// - Throws: ``IngestionError`` where the container cannot be used.
    public func collect(_ options: CollectOptions, report: @escaping @Sendable (CollectEvent) -> Void) async throws
        -> Collected
    {
        try await run(writes: !options.isPlan) { [clock] care, isStopped in
            try care.collect(
                options, now: clock.nanoseconds() / 1_000_000_000, isStopped: isStopped, report: report)
        }
    }

    /// Removes packages with all that is theirs, and the content that no other package names.
    ///
    /// - Parameter prefixes: the beginnings of packages' identifiers; nothing is done unless each names exactly one.
    /// - Throws: ``IngestionError``, with code `notFound` where one names none or several.
    public func forget(_ prefixes: [String]) async throws -> Forgotten {
        try await run(writes: true) { care, _ in try care.forget(prefixes) }
    }

    /// Writes packages into a new or empty folder as a bag (RFC 8493), from one state of the container; see <doc:Export>.
    ///
    /// - Parameter prefixes: the beginnings of packages' identifiers; none of them means all packages.
    /// - Throws: ``IngestionError``, with code `notFound` where one names none or several. The folder is no bag then.
    public func export(
        to folder: FilePath, _ prefixes: [String], report: @escaping @Sendable (CareEvent) -> Void
    ) async throws -> Exported {
        try await run(writes: false) { [clock] care, isStopped in
            let info = [
                (name: "Bagging-Date", value: String(clock.now().prefix(10))),
                (name: "Bag-Software-Agent", value: "sluice \(Release.version)"),
            ]
            return try care.export(
                to: folder.absolute, prefixes, info: info,
                compose: { package, object, isTaken in
                    try withoutActuallyEscaping(object) { object in
                        try withoutActuallyEscaping(isTaken) { isTaken in
                            try BagComposer(package: package, object: object, isTaken: isTaken).files()
                        }
                    }
                }, isStopped: isStopped, report: report)
        }
    }

    /// Runs a call aside; a cancellation is told to it by what it is given to ask.
    func run<Value: Sendable>(
        writes: Bool, _ call: @escaping @Sendable (ContainerMaintenance, @escaping @Sendable () -> Bool) throws -> Value
    ) async throws -> Value {
        let stop = StopFlag()
        do {
            return try await withTaskCancellationHandler {
                try await BlockingCall.run { [container] in
                    let care =
                        try writes ? ContainerMaintenance(opening: container) : ContainerMaintenance(reading: container)
                    return try call(care) { stop.isSet }
                }
            } onCancel: {
                stop.set()
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            throw IngestionError(error)
        }
    }
}
