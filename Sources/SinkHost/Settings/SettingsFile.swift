internal import Files
internal import ShareModel
internal import SystemPackage

/// A small file that a person writes: a manifest, settings, a secret.
enum SettingsFile {
    /// - Throws: ``SinkObstacle`` if the file does not exist, is not a regular file, or is longer than `limit` bytes.
    static func read(_ path: FilePath, limit: Int) throws(SinkObstacle) -> [UInt8] {
        guard let bytes = try readIfThere(path, limit: limit) else { throw SinkObstacle("\(path) is not there") }
        return bytes
    }

    /// The JSON value of a file; `nil` if the file does not exist.
    ///
    /// - Throws: as ``read(_:limit:)``, and if the file is not JSON.
    static func readJSON(_ path: FilePath, limit: Int) throws(SinkObstacle) -> JSONValue? {
        guard let bytes = try readIfThere(path, limit: limit) else { return nil }
        do throws(JSONFault) {
            return try JSONValue(json: bytes)
        } catch {
            throw SinkObstacle("\(path) is not JSON, \(error); mend it")
        }
    }

    private static func readIfThere(_ path: FilePath, limit: Int) throws(SinkObstacle) -> [UInt8]? {
        do throws(FileError) {
            return try SmallFile.read(path, limit: limit)
        } catch {
            // The remedies of `FileError` are about the container's files, so a person's file gets remedies of its own.
            switch error.code {
            case .denied: throw SinkObstacle("\(path) may not be read; change its permissions")
            case .tooLong: throw SinkObstacle("\(error.message); make it shorter")
            default: throw SinkObstacle(error.message)
            }
        }
    }
}
