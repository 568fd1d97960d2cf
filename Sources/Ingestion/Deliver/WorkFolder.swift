internal import GroupContainer
internal import SystemPackage

/// What one process of a sink sees: `in/` with the parts of the deliveries that it has, `out/` for its products, where each
/// delivery has a folder of its own. Never used twice.
struct WorkFolder: Sendable {
    let root: FilePath
    /// How the process was started, and so what it sees of this folder.
    var launch: SinkLaunch?

    init(_ root: FilePath) throws {
        self.root = root
        try FolderTree.remove(root)
        try FolderTree.make(root.appending("in"))
        try FolderTree.make(root.appending("out"))
    }

    /// Where a delivery's products lie.
    func out(_ number: Int) -> FilePath { root.appending("out").appending(String(number)) }

    /// Makes the folder for a delivery's products; gives its path as the sink sees it.
    func makeOut(_ number: Int) throws -> FilePath {
        // `out/` is the sink's: it can have put something there that bears the name.
        do {
            // The folder itself is the sink's as well, as far as its user may do with it what the sink may.
            try FolderTree.open(root.appending("out"))
            try FolderTree.makeNew(out(number))
            return try give(out(number))
        } catch {
            throw SinkFault.misbehaved("no folder for products can be made in its folder out: \(error)")
        }
    }

    /// Puts an object into a slot of `in/`, read-only: a slot has one delivery's parts at a time. In the sandbox, where `in/` is
    /// not to be written to by any means, it is the object itself under another name; else a copy: of shared blocks where
    /// the file system can, of bytes otherwise. It has the part's name, since some programs go by it, in a folder of its
    /// own.
    ///
    /// - Parameter open: opens the object, where it has to be copied.
    func addPart(
        _ place: Int, _ name: String, slot: Int, _ object: FilePath, open: () throws -> FileDescriptor
    ) throws -> LaidOutPart {
        let slotFolder = root.appending("in").appending(String(slot))
        let folder = slotFolder.appending(String(place))
        let component = FilePath.Component(name).flatMap { $0.kind == .regular ? $0 : nil }
        let path = folder.appending(component ?? "content")
        let canLink = launch?.containment == .sandbox
        let link = { canLink && FolderTree.link(object, to: path, readableBy: launch?.ownerID) }
        let linked = LaidOutPart(path: path, inside: launch?.inside(path) ?? path)
        // A slot that was used before has its folders.
        if link() { return linked }
        for made in [slotFolder, folder] where try FolderTree.makeUnlessThere(made) { _ = try give(made) }
        if link() { return linked }
        // Without a sandbox something can be in its way, which the sink has left there.
        if FolderTree.exists(path) { try FolderTree.remove(path) }
        let source = try open()
        defer { try? source.close() }
        try FolderTree.copy(source, to: path)
        return LaidOutPart(path: path, inside: try give(path))
    }

    private func give(_ path: FilePath) throws -> FilePath {
        try launch?.give(path)
        return launch?.inside(path) ?? path
    }

    /// What the process has on the disk, in bytes, besides what it was given; counted up to a little above `limit`.
    func size(limit: Int64) -> Int64 {
        ["out", "tmp"].reduce(0) { $0 + FolderTree.size(of: root.appending($1), limit: limit) }
    }

    /// Makes a slot free again.
    func remove(_ parts: [LaidOutPart]) throws { for part in parts { try FolderTree.remove(part.path) } }

    /// Makes a slot free that was laid out in part.
    func clear(slot: Int) throws { try FolderTree.remove(root.appending("in").appending(String(slot))) }

    /// Removes what a delivery has left.
    func clear(_ number: Int) throws { try FolderTree.remove(out(number)) }

    /// Removes all of it.
    func remove() throws { try FolderTree.remove(root) }
}

/// A part in a sink's folder `in`.
struct LaidOutPart: Sendable {
    let path: FilePath
    /// As the sink sees it.
    let inside: FilePath
}
