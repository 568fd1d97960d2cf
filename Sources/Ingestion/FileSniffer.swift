internal import Files
internal import Formats
internal import Reading
public import ShareModel
internal import Sniffing
public import SystemPackage

/// Identifies files and stores nothing. It reads one file at a time, on a thread of its own.
public actor FileSniffer {
    private let sniffer: MagicSniffer
    private let executor = QueueExecutor("sluice.identify")

    /// A queue of its own, because libmagic would block Swift's shared pool.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// A file, and the claims about its type.
    public struct Request: Sendable {
        /// The path of a regular file. A relative path starts at the working folder, and links in it are followed.
        public var path: FilePath
        /// The claims about the file. The name in ``path`` is a claim only if it is given here too.
        public var claims: TypeClaims

        /// A request to identify one file.
        public init(path: FilePath, claims: TypeClaims) {
            self.path = path
            self.claims = claims
        }
    }

    /// The identification of a file, or the reason why there is none: it is not a regular file, or it cannot be read.
    public typealias Answer = Result<Identification, IngestionError>

    /// Loads libmagic's database.
    ///
    /// - Throws: if the database cannot be loaded.
    public init() throws { sniffer = try MagicSniffer() }

    /// Identifies files. The answers have the order of the requests. A claim can only refine the type that the bytes
    /// show.
    public func identify(_ requests: [Request]) -> [Answer] { requests.map(answer) }

    /// The media type of bytes in memory. The conformance suite needs it for the samples of a sink.
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
