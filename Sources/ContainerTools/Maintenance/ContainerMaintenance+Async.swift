internal import Files
public import GroupContainer
public import ShareModel
public import SystemPackage

/// The calls for programs. Each call opens the container, and works on a thread of its own.
///
/// `root` is the container's folder; a relative path starts at the working folder.
extension ContainerMaintenance {
    /// Checks every row against its file and every file against its row, and repairs faults if the options allow it.
    ///
    /// Findings come in a fixed order; `report` is called from several threads. A cancellation ends the call between
    /// two objects.
    ///
    /// - Throws: `ContainerError` if the container cannot be used; `CancellationError`.
    public static func verify(
        _ root: FilePath, _ options: VerifyOptions, clock: Clock = .system,
        report: @escaping @Sendable (CareEvent) -> Void
    ) async throws -> Verified {
        try await run(root, writes: options.repairs) { maintenance, isStopped in
            try maintenance.verify(options, now: clock.now, isStopped: isStopped, report: report)
        }
    }

    /// Removes the rows of objects that no package refers to, and the files without a row that are older than the grace
    /// period. A cancellation ends the call early, and what it has removed by then stays removed.
    ///
    /// - Throws: `ContainerError` if the container cannot be used; `CancellationError`.
    public static func collect(
        _ root: FilePath, _ options: CollectOptions, clock: Clock = .system,
        report: @escaping @Sendable (CollectEvent) -> Void
    ) async throws -> Collected {
        try await run(root, writes: !options.isPlan) { maintenance, isStopped in
            try maintenance.collect(
                options, now: clock.nanoseconds() / 1_000_000_000, isStopped: isStopped, report: report)
        }
    }

    /// Removes packages with everything that belongs to them, and the content that no other package names. A cancellation
    /// ends only a long wait for another process that writes. What was removed by then stays removed.
    ///
    /// - Parameters:
    ///   - prefixes: the beginnings of packages' identifiers. Nothing is removed unless each names exactly one.
    ///   - isPlan: whether to report only what would be removed.
    /// - Throws: `ContainerError`, with the code `notFound` if a prefix names no package or several.
    public static func forget(_ root: FilePath, _ prefixes: [String], isPlan: Bool = false) async throws -> Forgotten {
        try await run(root, writes: true) { maintenance, _ in
            try isPlan ? maintenance.forgetPlan(prefixes) : maintenance.forget(prefixes)
        }
    }

    /// Adds tags to packages and removes others, all of it or nothing. A cancellation ends only a long wait for another
    /// process that writes.
    ///
    /// - Parameter prefixes: the beginnings of identifiers, as `CatalogReader/receipt(_:)` takes them. The same tags again
    ///   write nothing.
    /// - Returns: the packages with the tags that they have now.
    /// - Throws: `ContainerError`, with the code `notFound` if a prefix names no package or several; with the code
    ///   `limit` if a package would have more than `PackageTag/packageLimit` tags.
    public static func tag(_ root: FilePath, _ prefixes: [String], _ change: TagChange) async throws -> [TaggedPackage]
    {
        try await run(root, writes: true) { maintenance, _ in try maintenance.tag(prefixes, change) }
    }

    /// Writes packages into a new or empty folder as a bag (RFC 8493): those that are in the container when the call
    /// begins. The guide "Export" of the module Ingestion describes the bag. A cancellation ends the call between two
    /// packages.
    ///
    /// - Parameter prefixes: the beginnings of packages' identifiers; an empty list means all packages.
    /// - Throws: `ContainerError`, with the code `notFound` if a prefix names no package or several;
    ///   `CancellationError`. The folder is no bag then.
    public static func export(
        _ root: FilePath, to folder: FilePath, _ prefixes: [String] = [], clock: Clock = .system,
        report: @escaping @Sendable (CareEvent) -> Void
    ) async throws -> Exported {
        try await run(root, writes: false) { maintenance, isStopped in
            let info = [
                (name: "Bagging-Date", value: String(clock.now().prefix(10))),
                (name: "Bag-Software-Agent", value: "sluice \(Release.version)"),
            ]
            return try maintenance.export(
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

    /// Copies the container into a new or empty folder, which is a container then, while other processes use it. A cancellation
    /// ends the call, and removes what it wrote.
    ///
    /// Not copied: the folder `library` and the words for searches, which can be made again, and the damaged files in
    /// `quarantine`.
    ///
    /// - Throws: `ContainerError` if the container cannot be used, or the folder cannot be written; `CancellationError`.
    public static func backup(
        _ root: FilePath, to folder: FilePath, report: @escaping @Sendable (CareEvent) -> Void
    ) async throws -> BackedUp {
        try await run(root, writes: false) { maintenance, isStopped in
            try maintenance.backup(to: folder.absolute, isStopped: isStopped, report: report)
        }
    }

    private static func run<Value: Sendable>(
        _ root: FilePath, writes: Bool,
        _ call: @escaping @Sendable (ContainerMaintenance, @escaping @Sendable () -> Bool) throws -> Value
    ) async throws -> Value {
        let stop = StopFlag()
        // The work may use several threads, which cannot see its task. So a cancellation sets a flag, which they check.
        return try await withTaskCancellationHandler {
            try await BlockingCall.run {
                try ContainerError.converting {
                    let maintenance =
                        try writes ? ContainerMaintenance(opening: root) : ContainerMaintenance(reading: root)
                    return try call(maintenance) { stop.isSet }
                }
            }
        } onCancel: {
            stop.set()
        }
    }
}
