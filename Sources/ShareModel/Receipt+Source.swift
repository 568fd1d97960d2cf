internal import FoundationEssentials
public import SystemPackage

extension Receipt.Source {
    /// A source with a path that JSON can hold. If the path is not valid UTF-8, ``path`` is only readable, and
    /// ``pathBase64`` has the exact bytes. The path of a link is its web address.
    public init(kind: PackageSource.Kind, path: FilePath) {
        guard kind != .link else {
            self.init(kind: kind, path: path.webAddress, pathBase64: nil)
            return
        }
        self.init(kind: kind, path: path.string, pathBase64: nil)
        let bytes = path.bytes
        // `FilePath.string` replaces bytes that are not UTF-8, so a difference shows that the path has such bytes.
        if Array(self.path.utf8) != bytes { pathBase64 = Data(bytes).base64EncodedString() }
    }

    /// The exact path. That of a link stands for its web address.
    public var filePath: FilePath {
        if kind == .link { return FilePath(webAddress: path) }
        return pathBase64.flatMap { Data(base64Encoded: $0) }.map { FilePath(bytes: $0) } ?? FilePath(path)
    }
}
