package import Files
package import ShareModel
internal import Synchronization
package import SystemPackage

/// Objects as read-only files of one file system.
package struct LocalObjectStore: ObjectStore {
    let layout: ContainerLayout
    private let fileSystem: any FileSystem
    private let reserve: SpaceReserve
    private let making = SpaceInTheMaking()
    private let writer: WriterKind
    private let folders = KnownFolders()
    private let names: TakenNames
    private let syncPoint: SyncPoint

    package init(
        layout: ContainerLayout, fileSystem: any FileSystem, reserve: SpaceReserve, writer: WriterKind = .run
    ) {
        self.layout = layout
        self.fileSystem = fileSystem
        self.reserve = reserve
        self.writer = writer
        names = TakenNames(below: layout.staging, fileSystem)
        syncPoint = SyncPoint(folder: layout.objects, writer, fileSystem)
    }

    /// A new folder below the container's `tmp`, locked for as long as the area lives.
    package func makeStagingArea() throws -> any StagingArea {
        // Linux reports a failed write only to descriptors that were open before it.
        try syncPoint.open()
        return try LocalStagingArea(
            in: layout.staging, fileSystem, reserve: reserve, making, syncsFiles: writer == .share)
    }

    /// Keeps the record of the names for the next opening of the container, after a commit that failed.
    func keepNames() { names.keep() }

    /// Moves the files to their final names, read-only, and makes all of them durable with one sync.
    ///
    /// The names are on record before; see ``TakenNames``. A batch needs a second sync if a name is taken and no row
    /// vouches for the file that has it.
    package func commit(_ staged: [StagedObject], vouched: (Set<Digest>) throws -> Set<Digest>) throws {
        let fresh = staged.filter { !$0.place.isStored }
        try names.record(Set(fresh.lazy.map(\.digest)))
        var seen: Set<Digest> = []
        var taken: [LocalObject] = []
        for object in fresh {
            guard let file = object.place as? LocalStagedFile else {
                throw ContainerError(
                    .system, "the object \(object.digest) was staged by another store; stage it in this one")
            }
            if let failure = file.failure { throw failure }
            if !seen.insert(object.digest).inserted {
                object.discard()
            } else if try !place(object.digest, file) {
                taken.append(LocalObject(object: object, file: file))
            }
        }
        let stored = staged.filter { $0.place.isStored && !seen.contains($0.digest) }
        let late = try unknown(among: taken, stored, vouched)
        let placed = seen.subtracting(taken.map(\.object.digest))
        if !late.isEmpty {
            // The file at the final name may be torn, or another writer's row may have come to vouch for it. Its
            // replacement is durable first, because a power cut may keep a rename without the bytes.
            for item in late where item.file.mode != .object { try fileSystem.setMode(.object, of: item.file.path) }
            try syncPoint.syncBytes()
            for item in late {
                let target = layout.object(item.object.digest)
                guard try fileSystem.status(of: target)?.kind != .folder else {
                    throw ContainerError(
                        .system,
                        "\(target) is a folder, and an object needs its name; move the folder out of the container"
                    )
                }
                try fileSystem.move(item.file.path, to: target)
            }
        }
        let moved = placed.union(late.map(\.object.digest))
        if !moved.isEmpty { try syncPoint.sync(objects: moved.lazy.map(layout.object)) }
    }

    /// Moves a file to its final name if that name is free. The file is read-only before it has the name.
    ///
    /// - Returns: whether the name was free.
    private func place(_ digest: Digest, _ file: LocalStagedFile) throws -> Bool {
        let target = layout.object(digest)
        try folders.ensure(digest.firstByte) {
            try fileSystem.ensureFolder(layout.objects.appending(Shard(byte: digest.firstByte).name))
        }
        if file.mode != .object {
            // A reused file was that of a known object, so this object is probably known too. Changing the mode of a file
            // that is then dropped would be wasted.
            guard try !fileSystem.exists(target) else { return false }
            try fileSystem.setMode(.object, of: file.path)
        }
        // The rename comes before any query: most content is new, so most names are free.
        return try fileSystem.moveIfFree(file.path, to: target)
    }

    /// Discards the objects that are stored already; returns the others, which must replace the file at their name.
    ///
    /// - Parameter stored: objects without staged bytes.
    /// - Throws: ``ContainerError`` if one of `stored` has no object any more.
    private func unknown(
        among taken: [LocalObject], _ stored: [StagedObject], _ vouched: (Set<Digest>) throws -> Set<Digest>
    ) throws -> [LocalObject] {
        guard !taken.isEmpty || !stored.isEmpty else { return [] }
        let known = try vouched(Set(taken.map(\.object.digest) + stored.map(\.digest)))
        // A row vouches for the bytes only as long as a file of its size is there.
        let isThere = { (object: StagedObject) in
            try known.contains(object.digest) && size(object.digest) == object.size
        }
        for object in stored where try !isThere(object) {
            throw ContainerError(
                .system, "the object \(object.digest) was removed from \(layout.root) a moment ago; run again")
        }
        return try taken.filter { item in
            guard try isThere(item.object) else { return true }
            item.object.discard()
            return false
        }
    }

    /// Opens an object for reading, and follows no link. The caller closes the descriptor.
    package func open(_ digest: Digest) throws -> FileDescriptor {
        guard try size(digest) != nil else {
            throw ContainerError(
                .notFound, "the object \(digest) is missing from \(layout.root); restore it from a backup")
        }
        return try fileSystem.open(layout.object(digest), .readOnly, .noFollow)
    }

    package func localPath(of digest: Digest) -> FilePath? { layout.object(digest) }

    /// The size in bytes of the file at the object's final name; `nil` if there is none.
    package func size(_ digest: Digest) throws -> Int64? { try fileSystem.status(of: layout.object(digest))?.size }
}

/// A staged object and its file.
private struct LocalObject {
    let object: StagedObject
    let file: LocalStagedFile
}

extension FilePermissions {
    /// The mode of an object: readable for all users, writable for none.
    ///
    /// The mode of the container's folder keeps other users out. A sink that runs as another user in a sandbox can
    /// still read the object there.
    package static let object: FilePermissions = [.ownerRead, .groupRead, .otherRead]
}

/// The folders of objects that are known to exist. No program removes them while the container is in use.
private final class KnownFolders: Sendable {
    private let known = Mutex<Set<UInt8>>([])

    /// Makes the folder of the digests with this first byte, unless it is known to exist.
    func ensure(_ first: UInt8, _ make: () throws -> Void) throws {
        guard !known.withLock({ $0.contains(first) }) else { return }
        // Only after the folder exists: other threads commit into it as soon as it is known.
        try make()
        known.withLock { _ = $0.insert(first) }
    }
}
