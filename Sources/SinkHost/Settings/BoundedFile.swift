internal import Files
internal import ShareModel
internal import SystemPackage

/// A small file that is read whole: a manifest, settings, a secret.
enum BoundedFile {
    /// - Throws: ``SinkObstacle`` if the file is missing, is not a regular file, or is longer than `limit` bytes.
    static func read(_ path: FilePath, limit: Int) throws -> [UInt8] {
        guard let bytes = try readIfThere(path, limit: limit) else { throw SinkObstacle("\(path) is not there") }
        return bytes
    }

    /// As ``read(_:limit:)``; `nil` if the file is missing.
    private static func readIfThere(_ path: FilePath, limit: Int) throws -> [UInt8]? {
        let file: FileDescriptor
        do throws(Errno) {
            file = try Directory.open(named: path)
        } catch .noSuchFileOrDirectory {
            return nil
        } catch .permissionDenied {
            throw SinkObstacle("\(path) may not be read; change its permissions")
        } catch {
            throw SinkObstacle("\(path) cannot be read: \(error.description)")
        }
        return try file.closeAfter {
            guard case .file = try Directory.EntryKind(of: file) else {
                throw SinkObstacle("\(path) is not a regular file")
            }
            var bytes: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 1 << 14)
            while bytes.count <= limit {
                let count = try buffer.withUnsafeMutableBytes { try file.read(into: $0) }
                if count == 0 { return bytes }
                bytes += buffer.prefix(count)
            }
            throw SinkObstacle("\(path) is longer than \(limit) bytes; make it shorter")
        }
    }

    /// The value that a file holds; `nil` if the file is missing.
    ///
    /// - Throws: as ``read(_:limit:)``, and if the file is not JSON.
    static func readJSON(_ path: FilePath, limit: Int) throws -> JSONValue? {
        guard let bytes = try readIfThere(path, limit: limit) else { return nil }
        guard let value = try? JSONLines.decode(JSONValue.self, from: bytes) else {
            throw SinkObstacle("\(path) is no JSON; `jq . \(path)` shows where")
        }
        return value
    }
}
