package import Files
internal import FoundationEssentials
internal import ShareModel
internal import SystemPackage

/// The file `format`, which marks a folder as a container and names the version of its format.
package struct ContainerFormat: Encodable {
    private var format = ContainerMark.value
    private var version = ContainerLayout.version
    private var group = ContainerLayout.defaultGroup

    /// The state of a folder that may become, or is, a container.
    package enum State: Equatable {
        /// The folder is a container that this program can use.
        case present
        /// The folder is a container of an older version: it can be read, and migrated.
        case older(Int)
        /// The folder is empty or missing, or a process died while it made a container there.
        case absent
    }

    private init() {}

    /// - Returns: `nil` for a value that is no container's.
    private init?(_ value: JSONValue) {
        guard value["format"] == .string(ContainerMark.value), case .integer(let version)? = value["version"],
            version > 0, case .string(let group)? = value["group"]
        else { return nil }
        (self.version, self.group) = (Int(version), group)
    }

    /// Finds out the state of the folder, and changes nothing.
    ///
    /// - Throws: ``ContainerError`` if the folder has other files, a newer format, or no catalog beside its format.
    @discardableResult
    static func check(_ layout: ContainerLayout, _ fileSystem: any FileSystem) throws -> State {
        // SQLite takes its path as text, so bytes that are not UTF-8 would name another file.
        guard Array(layout.root.string.utf8) == layout.root.bytes else {
            throw ContainerError(.notAContainer, "\(layout.root) is not UTF-8", remedy: .nameContainer)
        }
        guard let root = try fileSystem.status(of: layout.root) else { return .absent }
        guard root.kind != .file else {
            throw ContainerError(.notAContainer, "\(layout.root) is a file", remedy: .nameContainer)
        }
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
        // SQLite would make an empty catalog here, and without rows every object is a leftover.
        guard let size = try fileSystem.status(of: layout.catalog)?.size, size > 0 else {
            throw ContainerError(
                .notAContainer,
                "\(layout.root) has lost its catalog; restore \(layout.catalog) from a backup, or name another container"
            )
        }
        return format.version < ContainerLayout.version ? .older(format.version) : .present
    }

    /// Reading needs no lock, so a container on a network can still be read, and copied from there.
    ///
    /// - Throws: ``ContainerError`` if the folder is on a network file system, or would be.
    static func refuseNetwork(_ layout: ContainerLayout, _ fileSystem: any FileSystem) throws {
        var place = layout.root
        while try !fileSystem.exists(place), place.removeLastComponent() {}
        guard let name = fileSystem.networkName(of: place) else { return }
        throw ContainerError(
            .system,
            "\(layout.root) is on a network file system (\(name)), where the locks of several processes do not hold",
            remedy: .nameLocalFolder)
    }

    /// Like ``check(_:_:)``, but never returns `absent`.
    ///
    /// - Throws: ``ContainerError`` if there is no container yet; the errors of ``check(_:_:)``.
    @discardableResult
    package static func require(_ layout: ContainerLayout, _ fileSystem: any FileSystem) throws -> State {
        guard try fileSystem.exists(layout.format) else {
            throw ContainerError(.notAContainer, "there is no container at \(layout.root)", remedy: .makeContainer)
        }
        return try check(layout, fileSystem)
    }

    /// Writes the file, and makes it and its name durable.
    ///
    /// *Must:* the caller holds the lock `setup`.
    package static func write(_ layout: ContainerLayout, _ fileSystem: any FileSystem) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        // A rename gives the file its name, so no process ever reads half of it.
        let path = layout.run.appending("format.new")
        // A process that died here may have left its own.
        try fileSystem.remove(path, isFolder: false)
        let bytes = [UInt8](try encoder.encode(ContainerFormat()) + Data("\n".utf8))
        let file = try fileSystem.open(path, .writeOnly, [.create, .exclusiveCreate], mode: .ownerReadWrite)
        try file.closeAfter {
            try bytes.withUnsafeBytes { try fileSystem.writeAll($0, to: file, path) }
            try fileSystem.sync(file, path)
        }
        try fileSystem.move(path, to: layout.format)
        try fileSystem.syncFolder(layout.root)
    }

    /// Whether the names are those of a container that another process is making, or began to make.
    ///
    /// A creator makes the lock first and the format last. The format may appear while this lists the names. The caller
    /// checks the folder again under the lock, and finds it then.
    private static func isUnfinished(_ names: [String], _ layout: ContainerLayout, _ fileSystem: any FileSystem) throws
        -> Bool
    {
        let own = [
            "run", "objects", "tmp", "work", "format", "catalog.sqlite", "catalog.sqlite-journal", "catalog.sqlite-wal",
            "catalog.sqlite-shm",
        ]
        return try names == ["run"] || (fileSystem.exists(layout.lock(.setup)) && names.allSatisfy(own.contains))
    }

    /// - Throws: ``ContainerError`` if the file has other content.
    private static func read(_ path: FilePath, _ fileSystem: any FileSystem) throws -> ContainerFormat {
        // A folder of another origin may have a FIFO or a link of this name.
        let file = try fileSystem.open(path, .readOnly, [.nonBlocking, .noFollow])
        let bytes = try file.closeAfter {
            try [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
                count = try fileSystem.read(file, path, into: UnsafeMutableRawBufferPointer(buffer))
            }
        }
        guard let format = (try? JSONValue(json: bytes)).flatMap(ContainerFormat.init) else {
            throw ContainerError(.notAContainer, "\(path) is not a container's; restore it from a backup")
        }
        return format
    }
}
