public import ShareModel
internal import Synchronization
public import SystemPackage

/// Objects as read-only files of one file system.
public struct LocalObjectStore: ObjectStore {
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
    public func makeStagingArea() throws -> StagingArea {
        try syncPoint.open()
        return try StagingArea(in: layout.staging, fileSystem, reserve: reserve)
    }

    /// Moves the files to their final names, read-only, and makes all of them durable with one sync.
    ///
    /// Where a name is taken and nobody vouches for what has it, it takes one more: that may be torn, or another writer's,
    /// whose row vouches for it by now. So it is replaced by nothing that is not whole on the disk.
    public func commit(_ staged: [StagedObject], vouched: (Set<Digest>) throws -> Set<Digest>) throws {
        var seen: Set<Digest> = []
        var taken: [StagedObject] = []
        for object in staged {
            if !seen.insert(object.digest).inserted {
                object.discard()
            } else if try !place(object) {
                taken.append(object)
            }
        }
        let late = try unknown(among: taken, vouched)
        let isAnyPlaced = seen.count > taken.count
        if !late.isEmpty {
            for object in late where !object.isReadOnly { try fileSystem.setMode(.object, of: object.path) }
            try syncPoint.sync()
            for object in late { try fileSystem.move(object.path, to: layout.object(object.digest)) }
        }
        if isAnyPlaced || !late.isEmpty { try syncPoint.sync() }
    }

    /// Whether the name was free. Read-only for everybody from the moment that it bears its final name.
    private func place(_ object: StagedObject) throws -> Bool {
        let target = layout.object(object.digest)
        try folders.ensure(object.digest.firstByte) { () throws(ContainerError) in
            try fileSystem.ensureFolder(target.removingLastComponent())
        }
        if !object.isReadOnly {
            // It is in the file of one that was known; this one may well be too.
            guard try !fileSystem.exists(target) else { return false }
            try fileSystem.setMode(.object, of: object.path)
        }
        return try fileSystem.moveIfFree(object.path, to: target)
    }

    /// Those that have to be moved over what has their name; the others are given up.
    private func unknown(among taken: [StagedObject], _ vouched: (Set<Digest>) throws -> Set<Digest>) throws
        -> [StagedObject]
    {
        guard !taken.isEmpty else { return [] }
        let known = try vouched(Set(taken.map(\.digest)))
        return try taken.filter { object in
            guard known.contains(object.digest), try size(object.digest) == object.size else { return true }
            object.discard()
            return false
        }
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
}

/// Which folders of objects are known to be there. They are never removed while the container is in use.
private final class KnownFolders: Sendable {
    private let known = Mutex<Set<UInt8>>([])

    /// Makes the folder of digests that begin so, unless it is known to be there; it is known once it is made, and not
    /// before: others that commit at the same time rely on it.
    func ensure(_ first: UInt8, _ make: () throws(ContainerError) -> Void) throws(ContainerError) {
        guard !known.withLock({ $0.contains(first) }) else { return }
        try make()
        known.withLock { _ = $0.insert(first) }
    }
}
