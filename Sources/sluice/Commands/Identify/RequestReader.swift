import Files
import Ingestion
import ShareModel
import SystemPackage

/// The files to identify, in batches. A batch holds the lines that have already arrived, because a client may write one
/// line and wait for its answer before it writes the next.
struct RequestReader {
    /// A request, or the error of its line.
    typealias Item = Result<FileSniffer.Request, IngestionError>

    private enum Source {
        case addresses(ArraySlice<InputAddress>)
        case lines(LineReader, isClaims: Bool)
    }

    /// The most requests in a batch.
    private static let batchLimit = 256

    private var source: Source

    /// Reads from a list; the files' names are claims.
    init(_ addresses: [InputAddress]) { source = .addresses(addresses[...]) }

    /// Reads paths from a stream; the files' names are claims.
    init(pathsFrom descriptor: FileDescriptor, separator: UInt8) {
        source = .lines(LineReader(descriptor, separator: separator), isClaims: false)
    }

    /// Reads lines of JSON from a stream; see ``ClaimRequest``.
    init(claims descriptor: FileDescriptor) { source = .lines(LineReader(descriptor), isClaims: true) }

    /// The next requests, at least one; `nil` at the end. Empty lines are skipped.
    mutating func nextBatch() throws -> [Item]? {
        switch source {
        case .addresses(let addresses):
            source = .addresses(addresses.dropFirst(Self.batchLimit))
            return addresses.isEmpty ? nil : addresses.prefix(Self.batchLimit).map(Self.item)
        case .lines(var lines, let isClaims):
            defer { source = .lines(lines, isClaims: isClaims) }
            return try Self.batch(&lines, isClaims: isClaims)
        }
    }

    private static func batch(_ lines: inout LineReader, isClaims: Bool) throws -> [Item]? {
        var items: [Item] = []
        repeat {
            guard let line = try lines.next() else { return items.isEmpty ? nil : items }
            guard !line.bytes.isEmpty || line.isTooLong else { continue }
            let number = lines.number
            items.append(
                Result { () throws(IngestionError) in
                    try isClaims ? ClaimRequest.request(line, number: number) : path(line, number: number)
                })
        } while items.count < batchLimit && (items.isEmpty || lines.hasNext)
        return items
    }

    private static func path(_ line: LineReader.Line, number: Int) throws(IngestionError) -> FileSniffer.Request {
        guard !line.isTooLong else { throw IngestionError(.usage, "line \(number) is too long for a path") }
        guard !line.bytes.contains(0) else {
            throw IngestionError(.usage, "line \(number) holds a zero byte; paths of find -print0 are read with -0")
        }
        return try request(InputAddress(bytes: line.bytes))
    }

    private static func item(_ address: InputAddress) -> Item {
        Result { () throws(IngestionError) in try request(address) }
    }

    private static func request(_ address: InputAddress) throws(IngestionError) -> FileSniffer.Request {
        switch address {
        case .path(let path):
            return FileSniffer.Request(path: path, claims: TypeClaims(name: path.lastComponent?.string))
        case .link(let text):
            throw IngestionError(
                .usage,
                "\(text): a web address is not fetched, and `sluice ingest` takes it in as a link; "
                    + "a file of this name is written as ./\(text)")
        case .unusable(let url, let why): throw IngestionError(.usage, "\(url): \(why)")
        }
    }
}
