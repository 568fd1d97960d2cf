internal import GroupContainer
internal import SystemPackage

/// What one process of a sink sees: `in/` with the parts of its deliveries, `out/` for its products, each delivery in
/// folders of its own. Never used twice.
struct WorkFolder: Sendable {
    let root: FilePath

    init(_ root: FilePath) throws {
        self.root = root
        try FolderTree.remove(root)
        try FolderTree.make(root.appending("in"))
        try FolderTree.make(root.appending("out"))
    }

    /// Where a delivery's products lie.
    func out(_ number: Int) -> FilePath { root.appending("out").appending(String(number)) }

    /// Makes the folder for a delivery's products.
    func makeOut(_ number: Int) throws -> FilePath {
        try FolderTree.make(out(number))
        return out(number)
    }

    /// Puts a read-only copy of an object into a delivery's part of `in/`: shared blocks where the file system can, bytes
    /// otherwise. It has the part's name, since some programs go by it; a second one of that name gets its number besides.
    func addPart(_ place: Int, _ name: String, of number: Int, copying object: FileDescriptor) throws -> FilePath {
        var folder = root.appending("in").appending(String(number))
        if place > 0 { folder.append(String(place)) }
        try FolderTree.make(folder)
        let path = folder.appending(FilePath.Component(name) ?? "content")
        try FolderTree.copy(object, to: path)
        return path
    }

    /// Removes what a delivery had.
    func clear(_ number: Int) throws {
        try FolderTree.remove(root.appending("in").appending(String(number)))
        try FolderTree.remove(out(number))
    }

    /// Removes all of it.
    func remove() throws { try FolderTree.remove(root) }
}
