import Ingestion
import ShareModel
import SystemPackage

/// The files to identify, a batch at a time: as many as are at hand, so that nobody who writes a line and waits for
/// its answer waits for ever.
struct RequestReader {
    /// A request, or what is wrong with its line.
    typealias Item = Result<FileSniffer.Request, IngestionError>

    private enum Source {
        case paths(ArraySlice<FilePath>)
        case lines(LineReader, isClaims: Bool)
    }

    /// No batch is larger.
    private static let batchLimit = 256

    private var source: Source

    /// Files whose own names are claims.
    init(paths: [FilePath]) { source = .paths(paths[...]) }

    /// Files whose own names are claims, listed in a stream.
    init(pathsFrom descriptor: FileDescriptor, separator: UInt8) {
        source = .lines(LineReader(descriptor, separator: separator), isClaims: false)
    }

    /// Lines of claims.
    init(claims descriptor: FileDescriptor) { source = .lines(LineReader(descriptor), isClaims: true) }

    /// The next requests; `nil` at the end. Empty lines are left out.
    mutating func nextBatch() throws -> [Item]? {
        switch source {
        case .paths(let paths):
            source = .paths(paths.dropFirst(Self.batchLimit))
            return paths.isEmpty ? nil : paths.prefix(Self.batchLimit).map { .success(Self.request($0)) }
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
                    try isClaims ? ClaimLine.request(line, number: number) : path(line, number: number)
                })
        } while items.count < batchLimit && (items.isEmpty || lines.hasNext)
        return items
    }

    private static func path(_ line: LineReader.Line, number: Int) throws(IngestionError) -> FileSniffer.Request {
        guard !line.isTooLong else { throw IngestionError(.usage, "line \(number) is too long for a path") }
        guard !line.bytes.contains(0) else {
            throw IngestionError(.usage, "line \(number) holds a zero byte; paths of find -print0 are read with -0")
        }
        return request(FilePath(bytes: line.bytes))
    }

    private static func request(_ path: FilePath) -> FileSniffer.Request {
        FileSniffer.Request(path: path, claims: TypeClaims(name: path.lastComponent?.string))
    }
}
