internal import Files
package import SystemPackage

/// What one process of a sink sees: `in/` with the parts of its deliveries, `out/` with a folder for each delivery's
/// products. Each process gets a new one.
package struct WorkFolder: Sendable {
    package let root: FilePath
    /// How the process is started, and so what it sees of this folder.
    package let launch: SinkLaunch

    /// Makes the folder, replacing what has its name.
    ///
    /// - Parameter launch: prepares the start of a process with this folder.
    package init(_ root: FilePath, launch: (FilePath) throws -> SinkLaunch) throws {
        self.root = root
        try FolderTree.remove(root)
        for name in ["in", "out"] { try FolderTree.make(root.appending(name)) }
        do {
            self.launch = try launch(root)
        } catch {
            try FolderTree.remove(root)
            throw error
        }
    }

    /// Where a delivery's products lie.
    package func out(_ number: Int) -> FilePath { root.appending("out").appending(String(number)) }

    /// Makes the folder for a delivery's products, replacing what has its name.
    ///
    /// - Returns: its path as the sink sees it.
    package func makeOut(_ number: Int) throws -> FilePath {
        // The sink may write to `out/`, so anything can have that name, and `out/` itself can be closed.
        do {
            try FolderTree.open(root.appending("out"))
            try FolderTree.makeNew(out(number))
            return try give(out(number))
        } catch {
            throw SinkFault.misbehaved("no folder for products can be made in its folder out: \(error)")
        }
    }

    /// Puts a part into a slot of `in/`, read-only and under its own name, by which some programs go. A slot holds the parts of
    /// one delivery at a time.
    ///
    /// In the sandbox, where no sink can write to `in/`, the file itself gets another name. Without a sandbox it is copied: by
    /// shared blocks if the file system can, else by bytes.
    ///
    /// - Parameter place: the part's place in its delivery.
    package func addPart(_ part: HostedPart, place: Int, slot: Int) throws -> LaidOutPart {
        let slotFolder = root.appending("in").appending(String(slot))
        let folder = slotFolder.appending(String(place))
        let component = FilePath.Component(part.name).flatMap { $0.kind == .regular ? $0 : nil }
        let path = folder.appending(component ?? "content")
        let link = {
            guard launch.containment == .sandbox, let file = part.localFile else { return false }
            return FolderTree.link(file, to: path, readableBy: launch.ownerID)
        }
        let linked = LaidOutPart(path: path, inside: launch.inside(path))
        // A slot that was used before has its folders.
        if link() { return linked }
        for made in [slotFolder, folder] where try FolderTree.makeUnlessThere(made) { _ = try give(made) }
        if link() { return linked }
        // Without a sandbox the sink can have left something of that name.
        if FolderTree.exists(path) { try FolderTree.remove(path) }
        let source = try part.open()
        defer { try? source.close() }
        try FolderTree.copy(source, to: path)
        return LaidOutPart(path: path, inside: try give(path))
    }

    private func give(_ path: FilePath) throws -> FilePath {
        try launch.give(path)
        return launch.inside(path)
    }

    /// How many bytes of the disk the sink's own files take; counted up to a little above `limit`.
    package func size(limit: Int64) -> Int64 {
        ["out", "tmp"].reduce(0) { $0 + FolderTree.size(of: root.appending($1), limit: limit) }
    }

    /// Makes a slot free again.
    package func remove(_ parts: [LaidOutPart]) throws { for part in parts { try FolderTree.remove(part.path) } }

    /// Makes a slot free again that holds only some of a delivery's parts.
    package func clear(slot: Int) throws { try FolderTree.remove(root.appending("in").appending(String(slot))) }

    /// Removes the folder for a delivery's products.
    package func removeOut(_ number: Int) throws { try FolderTree.remove(out(number)) }

    /// Removes the whole folder.
    package func remove() throws { try FolderTree.remove(root) }
}

/// A part in a sink's folder `in`.
package struct LaidOutPart: Sendable {
    package let path: FilePath
    /// As the sink sees it.
    package let inside: FilePath
}
