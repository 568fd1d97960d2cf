internal import Files
internal import GroupContainer
internal import SQLite
package import ShareModel
package import SystemPackage

extension ContainerMaintenance {
    /// Copies the container into a new or empty folder, which is a container then. Other processes may use the container
    /// meanwhile.
    ///
    /// The copy has one state of the catalog, and every object of that state. Each object is hashed while it is copied. One
    /// that is lost, damaged or unreadable is left out, and a finding is reported. The folder is a container only when this
    /// returns, and durable then. After an error, everything that this wrote is removed again.
    ///
    /// - Parameter isStopped: called often; the backup ends if it returns `true`.
    /// - Throws: `ContainerError`; `CancellationError`.
    package func backup(
        to folder: FilePath, isStopped: @escaping @Sendable () -> Bool, report: @escaping @Sendable (CareEvent) -> Void
    ) throws -> BackedUp {
        try ContainerError.converting {
            guard try !isInside(folder) else {
                throw ContainerError(.system, "\(folder) lies in the container; name a folder elsewhere")
            }
            // SQLite takes its path as text.
            guard Array(folder.string.utf8) == folder.bytes else {
                throw ContainerError(.system, "\(folder) is not UTF-8; name another folder for the backup")
            }
            var backup = ContainerBackup(self, folder, isStopped: isStopped, report: report)
            return try backup.run()
        }
    }
}

/// One backup.
///
/// The objects come first, and the catalog after them, because copying objects may take hours. The objects lock is held while the
/// catalog is copied, with the few objects that came in since, so that no row of the copy loses its object. A process that
/// removes objects waits for that, and writers that came after it wait with it.
private struct ContainerBackup {
    /// The number of rows that are read at once.
    private static let page = 256
    /// The number of bytes that are copied at once.
    private static let block = 256 << 10
    /// The number of new objects that are left to the copy under the lock.
    private static let restLimit = 256
    /// The most passes without the lock. Others may store objects faster than this copies them.
    private static let passLimit = 8

    private let maintenance: ContainerMaintenance
    private let target: ContainerLayout
    private let isStopped: @Sendable () -> Bool
    private let report: @Sendable (CareEvent) -> Void
    private var sum = BackedUp()
    private var bytes: Int64 = 0
    /// The objects that the backup lacks.
    private var failed: [ObjectEntry] = []
    /// The number of shares of the inbox that the backup lacks.
    private var leftShares = 0

    private var fileSystem: any FileSystem { maintenance.fileSystem }

    init(
        _ maintenance: ContainerMaintenance, _ path: FilePath, isStopped: @escaping @Sendable () -> Bool,
        report: @escaping @Sendable (CareEvent) -> Void
    ) {
        (self.maintenance, self.isStopped, self.report) = (maintenance, isStopped, report)
        target = ContainerLayout(root: path)
    }

    mutating func run() throws -> BackedUp {
        try fileSystem.ensureFolders(target.root)
        // Of two backups into one folder, one makes this folder.
        guard try fileSystem.names(in: target.root).isEmpty, try fileSystem.makeFolder(target.objects) else {
            let isUnfinished = try fileSystem.exists(target.objects) && !fileSystem.exists(target.format)
            let state = isUnfinished ? "has an unfinished backup, or one is being made" : "is not empty"
            throw ContainerError(.system, "\(target.root) \(state); name a new folder for the backup, or empty it")
        }
        do {
            // Objects are readable for every user, so the folder itself must keep other users out.
            try fileSystem.setMode(.ownerReadWriteExecute, of: target.root)
            // Open before anything else is written, because Linux reports a failed write only to descriptors that were open
            // before it.
            let folder = try fileSystem.open(target.root, .readOnly, .directory)
            try folder.closeAfter {
                try fileSystem.ensureFolder(target.run)
                // No process makes a container of what is there before the format.
                try target.withLock(.setup, .exclusive, fileSystem) { try write(folder) }
            }
        } catch {
            removeWritten()
            throw error
        }
        for entry in failed { try tellFaults(of: entry) }
        return sum
    }

    /// *Must:* the caller holds the lock `setup` of the target.
    private mutating func write(_ folder: FileDescriptor) throws {
        // Before the catalog: a share that is taken in meanwhile is in both then, and is a duplicate when the copy takes it in.
        for share in try ShareInbox(maintenance.layout, fileSystem).shares() { try copyShare(share) }
        for _ in 1...Self.passLimit { if try copyObjects() <= Self.restLimit { break } }
        let catalog = try maintenance.withObjectsKept {
            let catalog = try maintenance.database.backup(to: target.catalog, fileSystem)
            try copyRest(catalog)
            return catalog
        }
        try removeUnknown(catalog)
        try fileSystem.syncAll(folder, target.root)
        // Last, so that every folder with a format is a whole container.
        try ContainerFormat.write(target, fileSystem)
    }

    /// Removes what this wrote, and no file of anyone else's.
    private func removeWritten() {
        // First, so that the rest is no container.
        try? fileSystem.remove(target.format, isFolder: false)
        for ending in ["", "-journal", "-wal", "-shm"] {
            try? fileSystem.remove(FilePath(target.catalog.string + ending), isFolder: false)
        }
        for folder in [target.objects, target.inbox, target.run] { fileSystem.removeTree(folder) }
    }

    /// Copies the objects that are there now and have no copy. Those that fail are tried again with the rest.
    ///
    /// - Returns: the number of copied objects.
    private mutating func copyObjects() throws -> Int {
        let total = try maintenance.database.read(ObjectRow.count)
        var (seen, copied, bytes) = (0, 0, self.bytes)
        try forEachEntry(of: maintenance.database) { entry in
            seen += 1
            guard try !fileSystem.exists(target.object(entry.digest)) else { return }
            // An open file outlives its name. So the lock is needed for the opening only.
            guard let source = try maintenance.withObjectsKept({ try open(entry.digest) }) else { return }
            guard let size = try source.closeAfter({ try copy(entry, from: source) }) else { return }
            copied += 1
            bytes += size
            report(.progress(objects: seen, of: max(seen, total), bytes: bytes))
        }
        self.bytes = bytes
        return copied
    }

    /// Copies the objects of the copied catalog that are not there yet, and counts all.
    ///
    /// *Must:* the caller holds the objects lock.
    private mutating func copyRest(_ catalog: CatalogDatabase) throws {
        var (sum, failed): (BackedUp, [ObjectEntry]) = (BackedUp(), [])
        try forEachEntry(of: catalog) { entry in
            // Only a copy with the right bytes keeps its name. The row may have a wrong size.
            var size = try fileSystem.status(of: target.object(entry.digest))?.size
            if size == nil, let source = try open(entry.digest) {
                size = try source.closeAfter { try copy(entry, from: source) }
            }
            if let size {
                sum.objects += 1
                sum.bytes += size
            } else {
                failed.append(entry)
            }
        }
        sum.leftOut = failed.count + leftShares
        sum.packages = try catalog.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM package") ?? 0 }
        (self.sum, self.failed) = (sum, failed)
    }

    /// Copies a share that waits in the inbox. One that cannot be read is left out, and a finding is reported.
    private mutating func copyShare(_ share: FilePath) throws {
        guard let name = share.lastComponent else { return }
        let copy = target.inbox.appending(name)
        try fileSystem.ensureFolder(target.inbox)
        guard try !copyTree(share, to: copy) else { return }
        fileSystem.removeTree(copy)
        // Otherwise it was taken in meanwhile.
        guard try fileSystem.exists(share) else { return }
        leftShares += 1
        report(
            .finding(
                CareFinding(
                    .unreadable, "a share that waits in the inbox could not be read for the backup",
                    path: "inbox/\(name.string)", remedy: "make another backup")))
    }

    /// - Returns: whether everything could be read.
    private func copyTree(_ source: FilePath, to copy: FilePath) throws -> Bool {
        guard !isStopped() else { throw CancellationError() }
        guard let names = try? fileSystem.names(in: source) else { return false }
        try fileSystem.ensureFolder(copy)
        for name in names {
            let (from, to) = (source.appending(name), copy.appending(name))
            guard let status = try fileSystem.status(of: from) else { return false }
            switch status.kind {
            case .folder: guard try copyTree(from, to: to) else { return false }
            case .file:
                guard let input = try? fileSystem.open(from, .readOnly, [.noFollow, .nonBlocking]) else { return false }
                let output = try fileSystem.open(
                    to, .writeOnly, [.create, .exclusiveCreate, .noFollow], mode: .ownerReadWrite)
                let copied = try output.closeAfter {
                    try input.closeAfter { try hashedCopy(from: input, from, output, to) }
                }
                guard copied != nil else { return false }
                fileSystem.setModified(Timestamp(nanoseconds: status.modified), of: to)
            default: break
            }
        }
        return true
    }

    /// Removes the copies of objects that were forgotten before the catalog was copied.
    private func removeUnknown(_ catalog: CatalogDatabase) throws {
        for shard in Shard.all {
            let folder = target.objects.appending(shard.name)
            guard try fileSystem.exists(folder) else { continue }
            let digests = try fileSystem.names(in: folder).compactMap { Digest($0.string) }
            let known = try catalog.read { try ObjectEntry.known($0, among: digests) }
            for digest in digests where !known.contains(digest) {
                try fileSystem.remove(target.object(digest), isFolder: false)
            }
        }
    }

    private func forEachEntry(of catalog: CatalogDatabase, _ body: (ObjectEntry) throws -> Void) throws {
        for shard in Shard.all {
            var last: Digest?
            while true {
                let page = try catalog.read {
                    try ObjectEntry.page($0, shard: shard.byte, after: last, limit: Self.page)
                }
                guard let end = page.last?.digest else { break }
                for entry in page {
                    guard !isStopped() else { throw CancellationError() }
                    try body(entry)
                }
                last = end
            }
        }
    }

    /// Opens an object of the container; `nil` if it has no file, or one that cannot be read.
    private func open(_ digest: Digest) throws -> FileDescriptor? {
        let path = maintenance.layout.object(digest)
        guard try fileSystem.status(of: path)?.kind == .file else { return nil }
        return try? fileSystem.open(path, .readOnly, [.noFollow, .nonBlocking])
    }

    /// Copies an object.
    ///
    /// - Returns: its size; `nil` if its bytes cannot be read, or do not match its name. It has no copy then.
    private func copy(_ entry: ObjectEntry, from source: FileDescriptor) throws -> Int64? {
        let path = target.object(entry.digest)
        try fileSystem.ensureFolder(path.removingLastComponent())
        let file = try fileSystem.open(
            path, .writeOnly, [.create, .exclusiveCreate, .noFollow], mode: .ownerReadWrite)
        let copied = try file.closeAfter {
            try hashedCopy(from: source, maintenance.layout.object(entry.digest), file, path)
        }
        guard let copied, copied.digest == entry.digest else {
            try fileSystem.remove(path, isFolder: false)
            return nil
        }
        try fileSystem.setMode(.object, of: path)
        return copied.size
    }

    /// - Returns: the digest and the number of the bytes; `nil` if they cannot be read.
    private func hashedCopy(
        from source: FileDescriptor, _ sourcePath: FilePath, _ file: FileDescriptor, _ path: FilePath
    ) throws -> (digest: Digest, size: Int64)? {
        let (hasher, buffer) = (
            SHA256Hasher(), UnsafeMutableRawBufferPointer.allocate(byteCount: Self.block, alignment: 4096)
        )
        defer { buffer.deallocate() }
        var size: Int64 = 0
        while true {
            guard !isStopped() else { throw CancellationError() }
            guard let count = try? fileSystem.read(source, sourcePath, into: buffer) else { return nil }
            guard count > 0 else { return (hasher.finish(), size) }
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            hasher.update(bytes)
            try fileSystem.writeAll(bytes, to: file, path)
            size += Int64(count)
        }
    }

    private func tellFaults(of entry: ObjectEntry) throws {
        let holders = try maintenance.database.read { try ObjectHolders.fetch($0, entry.digest) }
        let faults = maintenance.inspector.report(on: entry, hashes: true)
        var findings = CareFinding.all(on: entry, faults, holders)
        if findings.isEmpty {
            // It can be read again: it was brought back meanwhile, or the process had no descriptor left.
            findings = [
                CareFinding(
                    .unreadable, "it could not be read for the backup", object: entry.digest,
                    path: ContainerLayout.relativeObject(entry.digest), packages: holders.packages,
                    morePackages: holders.more, remedy: "make another backup")
            ]
        }
        for finding in findings { report(.finding(finding)) }
    }
}
