internal import Files
internal import Formats
internal import Reading
public import ShareModel
internal import Sniffing
public import SystemPackage

/// Concludes types of files, storing nothing. One file at a time, on a thread of its own.
public actor FileSniffer {
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

    /// What a file is, or why that cannot be said: it is no regular file, or cannot be read.
    public typealias Answer = Result<Identification, IngestionError>

    /// Loads libmagic's database.
    ///
    /// - Throws: where that cannot be.
    public init() throws { sniffer = try MagicSniffer() }

    /// What the files are, in the order of the requests. The claims can only refine what the bytes say.
    public func identify(_ requests: [Request]) -> [Answer] { requests.map(answer) }

    /// The media type of bytes at hand, for the samples of a sink.
    package static func mediaType(of bytes: [UInt8], named name: String) throws -> String {
        try MagicSniffer().identify(ContentBytes(bytes), claims: TypeClaims(name: name)).type.description
    }

    private func answer(_ request: Request) -> Answer {
        do {
            let file = try SourceOpener.open(named: request.path)
            let content = ContentBytes(descriptor: file.descriptor.rawValue, size: file.size)
            return .success(try sniffer.identify(content, claims: request.claims))
        } catch let error as ReadingError {
            let message = error.code == .missing ? "no such file; check the name" : error.message
            return .failure(IngestionError(.notFound, message, remedy: error.remedy))
        } catch {
            return .failure(IngestionError(error))
        }
    }
}
