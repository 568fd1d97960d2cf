import Files
import FoundationEssentials
import Ingestion
import ShareModel
import SystemPackage

/// A line of `identify --claims -`: `{"path","name"?,"declared"?}`, with `path_base64` instead of `path` if that is not
/// UTF-8.
struct ClaimRequest: Decodable {
    var path: String?
    var pathBase64: String?
    var name: String?
    var declared: String?

    enum CodingKeys: String, CodingKey {
        case path, name, declared
        case pathBase64 = "path_base64"
    }

    /// Parses a line. Without `name` there is no claim of a name: the path may be that of a temporary file.
    ///
    /// - Throws: an ``IngestionError`` that names the line's number, counted from 1.
    static func request(_ line: LineReader.Line, number: Int) throws(IngestionError)
        -> FileSniffer.Request
    {
        guard !line.isTooLong else {
            throw IngestionError(.usage, "line \(number) is longer than \(LineReader.limit) bytes")
        }
        guard let claim = try? JSONLines.decode(ClaimRequest.self, from: line.bytes) else {
            throw IngestionError(
                .usage, #"line \#(number) is not a JSON object {"path","name"?,"declared"?} of strings"#)
        }
        guard let bytes = claim.bytes, !bytes.isEmpty, !bytes.contains(0) else {
            throw IngestionError(.usage, #"line \#(number) names no file: give "path", or its bytes as "path_base64""#)
        }
        return FileSniffer.Request(
            path: FilePath(bytes: bytes), claims: TypeClaims(declared: claim.declared, name: claim.name))
    }

    private var bytes: [UInt8]? {
        guard let pathBase64 else { return path.map { Array($0.utf8) } }
        return Data(base64Encoded: pathBase64).map(Array.init)
    }
}
