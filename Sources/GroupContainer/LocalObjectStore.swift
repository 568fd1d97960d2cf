internal import CFileSystem
public import ShareModel
public import SystemPackage

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// Objects as read-only files of one file system.
public struct LocalObjectStore: ObjectStore {
    private let layout: ContainerLayout

    init(layout: ContainerLayout) { self.layout = layout }

    /// A new folder below the container's `tmp`, locked for as long as the area lives.
    public func makeStagingArea() throws -> StagingArea { try StagingArea(in: layout.staging) }

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
        try Posix.makeReadOnly(object.path)
        if !Posix.exists(target.removingLastComponent()) { try Posix.makeFolder(target.removingLastComponent()) }
        try Posix.move(object.path, to: target)
    }

    /// Opens an object for reading, never through a link; the caller closes it.
    public func open(_ digest: Digest) throws -> FileDescriptor {
        guard try size(digest) != nil else {
            throw ContainerError(
                .notFound, "the object \(digest) is missing from \(layout.root); restore it from a backup")
        }
        return try Posix.open(layout.object(digest), O_RDONLY | O_NOFOLLOW)
    }

    /// The size in bytes of what lies under the object's final name; `nil` where nothing does.
    public func size(_ digest: Digest) throws -> Int64? { Posix.size(layout.object(digest)) }

    /// One call for all objects of a batch: their data, their names and the folders above.
    private func sync() throws(ContainerError) {
        let folder = try Posix.open(layout.objects, O_RDONLY | O_DIRECTORY)
        defer { try? folder.close() }
        guard cfilesystem_sync(folder.rawValue) == 0 else {
            throw ContainerError(Errno(rawValue: errno), "syncing", layout.objects)
        }
    }
}
