internal import Files
internal import FoundationEssentials
internal import ShareModel
internal import SystemPackage

/// The file `format`: what says that a folder is a container, and of which version.
struct ContainerFormat: Codable {
    private var format = "sluice-container"
    private var version = ContainerLayout.version
    private var group = ContainerLayout.defaultGroup

    enum State: Equatable {
        /// The folder is a container that this program can use.
        case present
        /// The folder is a container of an older version: it can be read, and migrated.
        case older(Int)
        /// There is nothing yet, or what a process left that died while it made a container.
        case absent
    }

    private init() {}

    /// Says what the folder is.
    ///
    /// - Throws: ``ContainerError`` for a folder with other things in it, a newer format, or a container without its
    ///   catalog.
    @discardableResult
    static func check(_ layout: ContainerLayout, _ fileSystem: any FileSystem) throws -> State {
        // SQLite is given its path as text.
        guard Array(layout.root.string.utf8) == layout.root.bytes else {
            throw ContainerError(.notAContainer, "\(layout.root) is not UTF-8", remedy: .nameContainer)
        }
        guard try fileSystem.exists(layout.root) else { return .absent }
        guard try fileSystem.exists(layout.format) else {
            let names = try fileSystem.names(in: layout.root).map(\.string)
            guard try names.isEmpty || isUnfinished(names, layout, fileSystem) else {
                throw ContainerError(
                    .notAContainer,
                    "\(layout.root) is not empty, and not a container",
                    remedy: .nameContainer)
            }
            return .absent
        }
        let format = try read(layout.format, fileSystem)
        guard format.version <= ContainerLayout.version else {
            throw ContainerError(
                .newerFormat,
                "\(layout.root) has format \(format.version), and this program knows \(ContainerLayout.version); update it"
            )
        }
        guard let size = try fileSystem.status(of: layout.catalog)?.size, size > 0 else {
            throw ContainerError(
                .notAContainer,
                "\(layout.root) has lost its catalog; restore \(layout.catalog) from a backup, or name another container"
            )
        }
        return format.version < ContainerLayout.version ? .older(format.version) : .present
    }

    /// Refuses a folder that is no container yet.
    ///
    /// - Throws: what ``check(_:_:)`` throws, too.
    @discardableResult
    static func require(_ layout: ContainerLayout, _ fileSystem: any FileSystem) throws -> State {
        guard try fileSystem.exists(layout.format) else {
            throw ContainerError(.notAContainer, "there is no container at \(layout.root)", remedy: .makeContainer)
        }
        return try check(layout, fileSystem)
    }

    /// Writes the file, durably, under its name.
    static func write(_ layout: ContainerLayout, _ fileSystem: any FileSystem) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        let path = layout.run.appending("format.new")
        try fileSystem.remove(path, isFolder: false)
        let bytes = [UInt8](try encoder.encode(ContainerFormat()) + Data("\n".utf8))
        let file = try fileSystem.open(path, .writeOnly, [.create, .exclusiveCreate], mode: .ownerReadWrite)
        try file.closeAfter {
            try bytes.withUnsafeBytes { try fileSystem.writeAll($0, to: file, path) }
            try fileSystem.sync(file, path)
        }
        try fileSystem.move(path, to: layout.format)
        let root = try fileSystem.open(layout.root, .readOnly, .directory)
        try root.closeAfter { try fileSystem.sync(root, layout.root) }
    }

    /// The lock is the first thing that is made, the format the last. It may come while the names are listed: then who
    /// asks under the lock will find it.
    private static func isUnfinished(_ names: [String], _ layout: ContainerLayout, _ fileSystem: any FileSystem) throws
        -> Bool
    {
        let own = [
            "run", "objects", "tmp", "work", "format", "catalog.sqlite", "catalog.sqlite-journal", "catalog.sqlite-wal",
            "catalog.sqlite-shm",
        ]
        return try names == ["run"] || (fileSystem.exists(layout.lock(.setup)) && names.allSatisfy(own.contains))
    }

    private static func read(_ path: FilePath, _ fileSystem: any FileSystem) throws -> ContainerFormat {
        let file = try fileSystem.open(path, .readOnly, [.nonBlocking, .noFollow])
        let bytes = try file.closeAfter {
            try [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
                count = try fileSystem.read(file, path, into: UnsafeMutableRawBufferPointer(buffer))
            }
        }
        guard let format = try? JSONDecoder().decode(ContainerFormat.self, from: Data(bytes)),
            format.format == ContainerFormat().format
        else { throw ContainerError(.notAContainer, "\(path) is not a container's; restore it from a backup") }
        return format
    }
}
