internal import GroupContainer
internal import SystemPackage

/// What a sink sees of one delivery: `in/` with its parts, `out/` for its products. Never used twice.
struct WorkFolder {
    private let root: FilePath

    var out: FilePath { root.appending("out") }

    init(_ root: FilePath) throws {
        self.root = root
        try FolderTree.remove(root)
        try FolderTree.make(root.appending("in"))
        try FolderTree.make(out)
    }

    /// Puts a read-only copy of an object into `in/`: shared blocks where the file system can, bytes otherwise.
    func addPart(_ place: Int, copying object: FileDescriptor) throws -> FilePath {
        let path = root.appending("in").appending(String(place))
        try FolderTree.copy(object, to: path)
        return path
    }

    static func removeAll(_ folder: FilePath) throws { try FolderTree.remove(folder) }
}
