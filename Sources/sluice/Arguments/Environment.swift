import Glibc
import ShareModel
import SystemPackage

/// Environment variables; an empty one counts as not set.
enum Environment {
    static func path(_ name: String) -> FilePath? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return FilePath(platformString: value)
    }

    /// The folder that the program was started in; empty if it was removed since.
    static let currentFolder: FilePath = {
        guard let path = getcwd(nil, 0) else { return "" }
        defer { free(path) }
        return FilePath(platformString: path)
    }()

    /// A list of paths separated by colons; empty if the variable is not set.
    static func paths(_ name: String) -> [FilePath] {
        path(name)?.bytes.split(separator: UInt8(ascii: ":")).map { FilePath(bytes: $0) } ?? []
    }

    static func text(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }
}
