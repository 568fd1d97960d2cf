internal import ShareModel
internal import SystemPackage
internal import Unpacking

/// A small file that is read whole: a manifest, settings, a secret.
enum BoundedFile {
    /// - Throws: in words for people, where it is missing, no regular file, or longer than `limit` bytes.
    static func read(_ path: FilePath, limit: Int) throws -> [UInt8] {
        let file = try SourceOpener.open(named: path)
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        while bytes.count <= limit {
            let count = try buffer.withUnsafeMutableBytes { try file.read(into: $0) }
            if count == 0 { return bytes }
            bytes += buffer.prefix(count)
        }
        throw UnpackingError(.limit, "\(path) is longer than \(limit) bytes; make it shorter")
    }

    /// - Throws: in words for people, also where it is no JSON.
    static func readJSON(_ path: FilePath, limit: Int) throws -> JSONValue {
        let bytes = try read(path, limit: limit)
        guard let value = try? JSONLines.decode(JSONValue.self, from: bytes) else {
            throw UnpackingError(.malformed, "\(path) is no JSON; `jq . \(path)` shows where")
        }
        return value
    }
}
