internal import Files
package import ShareModel
internal import Synchronization
package import SystemPackage

/// Objects as read-only files of one file system.
package struct LocalObjectStore: ObjectStore {
    private let layout: ContainerLayout
    private let fileSystem: any FileSystem
    private let reserve: SpaceReserve
    private let folders = KnownFolders()
    private let syncPoint: SyncPoint

    init(layout: ContainerLayout, fileSystem: any FileSystem, reserve: SpaceReserve) {
        self.layout = layout
        self.fileSystem = fileSystem
        self.reserve = reserve
        syncPoint = SyncPoint(folder: layout.objects, fileSystem)
    }

    /// A new folder below the container's `tmp`, locked for as long as the area lives.
    package func makeStagingArea() throws -> any StagingArea {
        try syncPoint.open()
        return try LocalStagingArea(in: layout.staging, fileSystem, reserve: reserve)
    }

    /// Moves the files to their final names, read-only, and makes all of them durable with one sync.
    ///
    /// Where a name is taken and nobody vouches for what has it, it takes one more: that may be torn, or another writer's,
    /// whose row vouches for it by now. So it is replaced by nothing that is not whole on the disk.
    package func commit(_ staged: [StagedObject], vouched: (Set<Digest>) throws -> Set<Digest>) throws {
        var seen: Set<Digest> = []
        var taken: [LocalObject] = []
        for object in staged {
            guard let file = object.place as? LocalStagedFile else {
                throw ContainerError(
                    .system, "the object \(object.digest) was staged by another store; stage it in this one")
            }
            if !seen.insert(object.digest).inserted {
                object.discard()
            } else if try !place(object.digest, file) {
                taken.append(LocalObject(object: object, file: file))
            }
        }
        let late = try unknown(among: taken, vouched)
        let isAnyPlaced = seen.count > taken.count
        if !late.isEmpty {
            for item in late where !item.file.isReadOnly { try fileSystem.setMode(.object, of: item.file.path) }
            try syncPoint.sync()
            for item in late { try fileSystem.move(item.file.path, to: layout.object(item.object.digest)) }
        }
        if isAnyPlaced || !late.isEmpty { try syncPoint.sync() }
    }

    /// Whether the name was free. Read-only for everybody from the moment that it bears its final name.
    private func place(_ digest: Digest, _ file: LocalStagedFile) throws -> Bool {
        let target = layout.object(digest)
        try folders.ensure(digest.firstByte) {
            try fileSystem.ensureFolder(target.removingLastComponent())
        }
        if !file.isReadOnly {
            // It is in the file of one that was known; this one may well be too.
            guard try !fileSystem.exists(target) else { return false }
            try fileSystem.setMode(.object, of: file.path)
        }
        return try fileSystem.moveIfFree(file.path, to: target)
    }

    /// Those that have to be moved over what has their name; the others are given up.
    private func unknown(among taken: [LocalObject], _ vouched: (Set<Digest>) throws -> Set<Digest>) throws
        -> [LocalObject]
    {
        guard !taken.isEmpty else { return [] }
        let known = try vouched(Set(taken.map(\.object.digest)))
        return try taken.filter { item in
            let object = item.object
            guard known.contains(object.digest), try size(object.digest) == object.size else { return true }
            object.discard()
            return false
        }
    }

    /// Opens an object for reading, never through a link; the caller closes it.
    package func open(_ digest: Digest) throws -> FileDescriptor {
        guard try size(digest) != nil else {
            throw ContainerError(
                .notFound, "the object \(digest) is missing from \(layout.root); restore it from a backup")
        }
        return try fileSystem.open(layout.object(digest), .readOnly, .noFollow)
    }

    package func localPath(of digest: Digest) -> FilePath? { layout.object(digest) }

    /// The size in bytes of what lies under the object's final name; `nil` where nothing does.
    package func size(_ digest: Digest) throws -> Int64? { try fileSystem.status(of: layout.object(digest))?.size }
}

/// A staged object and its file.
private struct LocalObject {
    let object: StagedObject
    let file: LocalStagedFile
}

extension FilePermissions {
    /// Of content: read-only, and for all, since the container's own folder lets nobody else in. A sink that runs as
    /// another user, in a sandbox that shows it one folder, can read it there.
    static let object: FilePermissions = [.ownerRead, .groupRead, .otherRead]
}

/// Which folders of objects are known to be there. They are never removed while the container is in use.
private final class KnownFolders: Sendable {
    private let known = Mutex<Set<UInt8>>([])

    /// Makes the folder of digests that begin so, unless it is known to be there; it is known once it is made, and not
    /// before: others that commit at the same time rely on it.
    func ensure(_ first: UInt8, _ make: () throws -> Void) throws {
        guard !known.withLock({ $0.contains(first) }) else { return }
        try make()
        known.withLock { _ = $0.insert(first) }
    }
}
