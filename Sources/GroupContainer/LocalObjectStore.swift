public import ShareModel
public import SystemPackage

/// Objects as read-only files of one file system.
public struct LocalObjectStore: ObjectStore {
    private let layout: ContainerLayout
    private let fileSystem: any FileSystem

    init(layout: ContainerLayout, fileSystem: any FileSystem) {
        self.layout = layout
        self.fileSystem = fileSystem
    }

    /// A new folder below the container's `tmp`, locked for as long as the area lives.
    public func makeStagingArea() throws -> StagingArea { try StagingArea(in: layout.staging, fileSystem) }

    /// Moves the files to their final names, read-only, and makes all of them durable with one sync.
    public func commit(_ staged: [StagedObject]) throws {
        guard !staged.isEmpty else { return }
        var placed: Set<Digest> = []
        for object in staged {
            guard placed.insert(object.digest).inserted else {
                object.discard()
                continue
            }
            try place(object)
        }
        try sync()
    }

    /// Read-only for everybody from the moment that it bears its final name.
    private func place(_ object: StagedObject) throws(ContainerError) {
        let target = layout.object(object.digest)
        let folder = target.removingLastComponent()
        try fileSystem.setMode(.ownerRead, of: object.path)
        if try !fileSystem.exists(folder) { try fileSystem.ensureFolder(folder) }
        try fileSystem.move(object.path, to: target)
    }

    /// Opens an object for reading, never through a link; the caller closes it.
    public func open(_ digest: Digest) throws -> FileDescriptor {
        guard try size(digest) != nil else {
            throw ContainerError(
                .notFound, "the object \(digest) is missing from \(layout.root); restore it from a backup")
        }
        return try fileSystem.open(layout.object(digest), .readOnly, .noFollow)
    }

    /// The size in bytes of what lies under the object's final name; `nil` where nothing does.
    public func size(_ digest: Digest) throws -> Int64? { try fileSystem.status(of: layout.object(digest))?.size }

    /// One call for all objects of a batch: their data, their names and the folders above.
    private func sync() throws(ContainerError) {
        let folder = try fileSystem.open(layout.objects, .readOnly, .directory)
        defer { try? folder.close() }
        try fileSystem.syncAll(folder, layout.objects)
    }
}
