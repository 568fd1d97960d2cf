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

    /// The JSON value of a file, and its bytes; `nil` if the file does not exist.
    ///
    /// - Throws: as ``read(_:limit:)``, and if the file is not JSON.
    static func readJSON(_ path: FilePath, limit: Int) throws(SinkObstacle) -> (value: JSONValue, bytes: [UInt8])? {
        guard let bytes = try readIfThere(path, limit: limit) else { return nil }
        guard let value = try? JSONLines.decode(JSONValue.self, from: bytes), !hasTrailingComma(bytes) else {
            throw SinkObstacle("\(path) is not JSON; `jq . \(path)` shows where")
        }
        return (value, bytes)
    }

    /// Whether a comma is right before a closing bracket. Foundation's decoder accepts it; other programs do not.
    private static func hasTrailingComma(_ json: [UInt8]) -> Bool {
        var rest = json[...]
        var isAfterComma = false
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): continue
            case UInt8(ascii: "}") where isAfterComma, UInt8(ascii: "]") where isAfterComma: return true
            case UInt8(ascii: "\""):
                // The bytes are JSON, so a string ends, and a backslash has a character behind it.
                while let next = rest.popFirst(), next != UInt8(ascii: "\"") {
                    if next == UInt8(ascii: "\\") { rest = rest.dropFirst() }
                }
            default: break
            }
            isAfterComma = byte == UInt8(ascii: ",")
        }
        return false
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
