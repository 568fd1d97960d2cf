package import Files
package import SystemPackage

/// The folder that one process of a sink works in: `in/` has the parts of its deliveries, `out/` has a folder for each
/// delivery's products. Each process gets a new one.
package struct WorkFolder: Sendable {
    package let root: FilePath
    package let fileSystem: any FileSystem
    /// The command that starts the process. It decides under which paths the sink sees this folder.
    package let launch: SinkLaunch
    /// The folder `in/`, and its path as the sink sees it.
    private let input: LaidOutPart

    /// Makes the folder. It first removes anything that has its name, such as the rest of a run that crashed.
    ///
    /// - Parameter launch: prepares the start of a process with this folder.
    package init(
        _ root: FilePath, on fileSystem: any FileSystem, launch: (FilePath) throws -> SinkLaunch
    ) throws {
        self.root = root
        self.fileSystem = fileSystem
        fileSystem.removeTree(root)
        for name in ["in", "out"] { try fileSystem.ensureFolders(root.appending(name)) }
        do {
            self.launch = try launch(root)
            let input = root.appending("in")
            self.input = LaidOutPart(path: input, inside: self.launch.inside(input))
        } catch {
            fileSystem.removeTree(root)
            throw error
        }
    }

    package func out(_ number: Int) -> FilePath { root.appending("out").appending(String(number)) }

    /// Makes the folder for a delivery's products, and replaces anything that has its name.
    ///
    /// - Returns: the path as the sink sees it.
    package func makeOut(_ number: Int) throws -> FilePath {
        // The sink may write to `out/`. It may have made something of that name, or taken away the permissions of
        // `out/`.
        do {
            try fileSystem.reopenFolder(root.appending("out"))
            try fileSystem.makeNewFolder(out(number))
            try launch.give(out(number))
            return launch.inside(out(number))
        } catch {
            throw SinkFault.misbehaved("no folder for products can be made in its folder out: \(error)")
        }
    }

    /// Puts a part into a slot of `in/`, read-only. It keeps its name, because some programs decide by the name. A slot
    /// holds the parts of one delivery at a time.
    ///
    /// In the sandbox, where no sink can write to `in/`, the part is a hard link. Elsewhere a hard link would let the
    /// sink change the object, so the part is a copy: with shared blocks if the file system supports them.
    ///
    /// - Parameter place: the index of the part in its delivery.
    package func addPart(_ part: HostedPart, place: Int, slot: Int) throws -> LaidOutPart {
        let component = FilePath.Component(part.name).flatMap { $0.kind == .regular ? $0 : nil }
        let name = "\(slot)/\(place)/\(component?.string ?? "content")"
        let laidOut = LaidOutPart(path: input.path.appending(name), inside: input.inside.appending(name))
        let link = { () throws -> Bool in
            guard launch.containment == .sandbox, let file = part.localFile else { return false }
            return try fileSystem.share(file, as: laidOut.path, readableBy: launch.ownerID)
        }
        // A slot that was used before already has its folders, so a delivery mostly costs one call.
        if try link() { return laidOut }
        let folders = ["\(slot)", "\(slot)/\(place)"].map { input.path.appending($0) }
        for folder in folders where try fileSystem.makeFolder(folder) { try launch.give(folder) }
        if try link() { return laidOut }
        // Without a sandbox, the sink may have made something of that name.
        if try fileSystem.exists(laidOut.path) { fileSystem.removeTree(laidOut.path) }
        let source = try part.open()
        defer { try? source.close() }
        try fileSystem.copy(source, to: laidOut.path)
        try launch.give(laidOut.path)
        return laidOut
    }

    /// The bytes that the sink's own files take on the disk. The count stops a little above `limit`.
    package func size(limit: Int64) throws -> Int64 {
        // Only a sink without a sandbox has `tmp`. In the sandbox, `/tmp` is in memory.
        try ["out", "tmp"].reduce(0) { try $0 + fileSystem.size(ofFolder: root.appending($1), limit: limit) }
    }

    /// Frees a slot. Its folders stay for the next delivery.
    package func remove(_ parts: [LaidOutPart]) { for part in parts { fileSystem.removeTree(part.path) } }

    /// Frees a slot that holds only some parts of a delivery.
    package func clear(slot: Int) { fileSystem.removeTree(input.path.appending(String(slot))) }

    package func removeOut(_ number: Int) { fileSystem.removeTree(out(number)) }

    package func remove() { fileSystem.removeTree(root) }
}

/// A part in a sink's folder `in`.
package struct LaidOutPart: Sendable {
    package let path: FilePath
    /// The path as the sink sees it.
    package let inside: FilePath
}
