public import ShareModel
public import SystemPackage

/// Where a run takes its packages from.
public enum IngestInput: Sendable {
    /// Files, folders to walk, `.share` folders; in this order.
    case paths([FilePath])
    /// One JSON description on standard input.
    case standardInput
}

/// What a run may do and how much.
public struct IngestOptions: Sendable {
    public var container: FilePath
    /// Folders that a package may name files in, besides its own.
    public var allowedRoots: [FilePath] = []
    /// How many packages are read at once.
    public var jobs = 2
    /// Whether deliveries are driven in this run, or left pending.
    public var delivers = true

    public init(container: FilePath) { self.container = container }
}

/// What a run tells while it goes on.
public enum IngestEvent: Sendable {
    /// A package's reading begins.
    case reading(FilePath)
    /// Bytes of the package under way were staged, in all so far in this run.
    case staged(bytes: Int64)
    /// A package is settled, in the order of the input.
    case settled(Receipt)
}

/// The pipeline: read, resolve, select, stage, commit, route, deliver, receipt.
public struct Pipeline: Sendable {
    public init(options: IngestOptions) throws {}

    /// Takes the input in and drives the deliveries. Cancellation ends it after the commit under way.
    public func ingest(_ input: IngestInput, report: @escaping @Sendable (IngestEvent) async -> Void) async throws
        -> Summary { Summary() }

    /// Makes the same decisions as ``ingest(_:report:)``, storing nothing; deliveries are those that would be made.
    public func inspect(_ input: IngestInput, report: @escaping @Sendable (IngestEvent) async -> Void) async throws
        -> Summary { Summary() }

    /// Drives deliveries that are still open; with `retrying`, also the named ones that failed or were quarantined.
    public func deliver(retrying: [String], report: @escaping @Sendable (DeliveryRecord) async -> Void) async throws
        -> Summary.Deliveries { .init() }
}

/// A package in the container, in a line.
public struct PackageEntry: Sendable, Codable, Equatable {
    public var id: String
    public var outcome: PackageOutcome
    public var source: Receipt.Source
    /// ISO 8601, UTC.
    public var received: String
    public var bytes: Int64
    public var title: String?
    /// The later package that replaced this one.
    public var supersededBy: String?
    public var reason: String?
}

/// Reads what a container holds; never waits for a writer and never changes anything.
public struct ContainerReader: Sendable {
    public init(container: FilePath) throws {}
    /// Oldest first. One entry at a time, whatever their number.
    public func forEachPackage(
        outcomes: Set<PackageOutcome> = [], _ body: (PackageEntry) throws -> Void) throws {}
    /// The receipt of the one package whose identifier begins so.
    public func receipt(_ prefix: String) throws -> Receipt { throw IngestionError(.notFound, "") }
}

/// Concludes types of files, storing nothing.
public struct Identifier: Sendable {
    public struct Request: Sendable { 
        public var path: FilePath
        public var claims: TypeClaims
        public init(path: FilePath, claims: TypeClaims) { self.path = path; self.claims = claims }
    }
    public init() throws {}
    /// Answers in the order of the requests; an error is one file's.
    public func identify(_ request: Request) async throws -> Identification { throw IngestionError(.notFound, "") }
}

/// Something that ends a run, or a request that cannot be answered: what failed, on what, and the remedy.
public struct IngestionError: Error, Sendable, CustomStringConvertible {
    public enum Code: Sendable {
        /// The container cannot be used.
        case container
        /// A named package, delivery or path is not there.
        case notFound
        /// The request makes no sense.
        case usage
    }
    public var code: Code
    public var message: String
    public init(_ code: Code, _ message: String) { self.code = code; self.message = message }
    public var description: String { message }
}
