internal import Formats
public import ShareModel
internal import Sniffing
public import SystemPackage
internal import Unpacking

/// Concludes types of files, storing nothing. One file at a time, on a thread of its own.
public actor Identifier {
    private let sniffer: MagicSniffer
    private let executor = QueueExecutor("sluice.identify")

    /// A queue of its own, so that libmagic never blocks the shared pool.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// A file, and what others say of it.
    public struct Request: Sendable {
        /// A regular file; a relative path counts from the working folder, and links in it are followed.
        public var path: FilePath
        /// What others say of it. The path's own name is a claim only where it is given here too.
        public var claims: TypeClaims

        /// A request to identify one file.
        public init(path: FilePath, claims: TypeClaims) {
            self.path = path
            self.claims = claims
        }
    }

    /// Loads libmagic's database.
    ///
    /// - Throws: where that cannot be.
    public init() throws { sniffer = try MagicSniffer() }

    /// What the file is. The claims can only refine what its bytes say.
    ///
    /// - Throws: ``IngestionError`` where it is no regular file, or cannot be read.
    public func identify(_ request: Request) throws -> Identification {
        do {
            let file = try SourceOpener.open(named: request.path)
            return try sniffer.identify(
                ContentBytes(descriptor: file.descriptor.rawValue, size: file.size), claims: request.claims)
        } catch let error as UnpackingError {
            throw IngestionError(.notFound, error.code == .missing ? "no such file; check the name" : error.message)
        } catch {
            throw IngestionError(error)
        }
    }
}
