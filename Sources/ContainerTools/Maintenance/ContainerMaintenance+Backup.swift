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
    /// that is lost or damaged is left out, and a finding is reported. The folder is a container only when this returns, and
    /// durable then. After an error the folder is empty again.
    ///
    /// - Parameter isStopped: called often; the backup ends if it returns `true`.
    /// - Throws: `ContainerError`; `CancellationError`.
    package func backup(
        to folder: FilePath, isStopped: @escaping @Sendable () -> Bool, report: @escaping @Sendable (CareEvent) -> Void
    ) throws -> BackedUp {
        guard try !isInside(folder) else {
            throw ContainerError(.system, "\(folder) lies in the container; name a folder elsewhere")
        }
        var backup = try ContainerBackup(self, folder, isStopped: isStopped, report: report)
        return try backup.run()
    }
}

/// One backup.
///
/// The objects come first, and the catalog after them, because copying objects may take hours. While the catalog is copied, with
/// the objects that came in meanwhile, the objects lock is held, so that no row of the copy loses its object. A process that
/// removes objects waits for this short time alone.
private struct ContainerBackup {
    /// The number of rows that are read at once.
    private static let page = 256
    /// The number of bytes that are copied at once.
    private static let block = 256 << 10

    private let maintenance: ContainerMaintenance
    private let target: ContainerLayout
    private let isStopped: @Sendable () -> Bool
    private let report: @Sendable (CareEvent) -> Void
    /// Open before anything is written, because Linux reports a failed write only to descriptors that were open before it.
    private let folder: FileDescriptor
    private var sum = BackedUp()

    private var fileSystem: any FileSystem { maintenance.fileSystem }

    /// - Throws: `ContainerError` if the folder has content.
    init(
        _ maintenance: ContainerMaintenance, _ path: FilePath, isStopped: @escaping @Sendable () -> Bool,
        report: @escaping @Sendable (CareEvent) -> Void
    ) throws {
        (self.maintenance, self.isStopped, self.report) = (maintenance, isStopped, report)
        let fileSystem = maintenance.fileSystem
        target = ContainerLayout(root: path)
        try fileSystem.ensureFolders(target.root)
        // Of two backups into one folder, one makes this folder.
        guard try fileSystem.names(in: target.root).isEmpty, try fileSystem.makeFolder(target.objects) else {
            throw ContainerError(.system, "\(target.root) is not empty; name a new folder for the backup, or empty it")
        }
        folder = try fileSystem.open(target.root, .readOnly, .directory)
    }

    mutating func run() throws -> BackedUp {
        defer { try? folder.close() }
        do {
            // Objects are readable for every user, so the folder itself must keep other users out.
            try fileSystem.setMode(.ownerReadWriteExecute, of: target.root)
            try fileSystem.ensureFolder(target.run)
            try copyObjects()
            let catalog = try maintenance.withObjectsKept {
                let catalog = try maintenance.database.backup(to: target.catalog, fileSystem)
                try copyRest(catalog)
                return catalog
            }
            try removeUnknown(catalog)
            try fileSystem.syncAll(folder, target.root)
            // Last, so that every folder with a format is a whole container.
            try ContainerFormat.write(target, fileSystem)
            return sum
        } catch {
            for name in (try? fileSystem.names(in: target.root)) ?? [] {
                fileSystem.removeTree(target.root.appending(name))
            }
            throw error
        }
    }

    /// Copies the objects that are there now. Those that fail are tried again with the rest.
    private mutating func copyObjects() throws {
        let total = try maintenance.database.read(ObjectRow.count)
        var (count, bytes): (Int, Int64) = (0, 0)
        try forEachEntry(of: maintenance.database) { entry in
            // An open file outlives its name. So the lock is needed for the opening only.
            guard let source = try maintenance.withObjectsKept({ try open(entry.digest) }) else { return }
            if try source.closeAfter({ try copy(entry, from: source) }) { bytes += entry.size }
            count += 1
            report(.progress(objects: count, of: max(count, total), bytes: bytes))
        }
    }

    /// Copies the objects of the copied catalog that are not there yet, and counts all.
    ///
    /// *Must:* the caller holds the objects lock.
    private mutating func copyRest(_ catalog: CatalogDatabase) throws {
        var sum = BackedUp()
        try forEachEntry(of: catalog) { entry in
            if try fileSystem.status(of: target.object(entry.digest))?.size == entry.size {
                sum.objects += 1
            } else if let source = try open(entry.digest), try source.closeAfter({ try copy(entry, from: source) }) {
                sum.objects += 1
            } else {
                sum.leftOut += 1
                try tellFaults(of: entry)
                return
            }
            sum.bytes += entry.size
        }
        sum.packages = try catalog.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM package") ?? 0 }
        self.sum = sum
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
    /// - Returns: `false` if its bytes cannot be read, or do not match its name. It has no copy then.
    private func copy(_ entry: ObjectEntry, from source: FileDescriptor) throws -> Bool {
        let path = target.object(entry.digest)
        try fileSystem.ensureFolder(path.removingLastComponent())
        let file = try fileSystem.open(
            path, .writeOnly, [.create, .exclusiveCreate, .noFollow], mode: .ownerReadWrite)
        let digest = try file.closeAfter {
            try hashedCopy(from: source, maintenance.layout.object(entry.digest), file, path)
        }
        guard digest == entry.digest else {
            try fileSystem.remove(path, isFolder: false)
            return false
        }
        try fileSystem.setMode(.object, of: path)
        return true
    }

    /// - Returns: the digest of the bytes; `nil` if they cannot be read.
    private func hashedCopy(
        from source: FileDescriptor, _ sourcePath: FilePath, _ file: FileDescriptor, _ path: FilePath
    ) throws -> Digest? {
        let (hasher, buffer) = (
            SHA256Hasher(), UnsafeMutableRawBufferPointer.allocate(byteCount: Self.block, alignment: 4096)
        )
        defer { buffer.deallocate() }
        while true {
            guard !isStopped() else { throw CancellationError() }
            guard let count = try? fileSystem.read(source, sourcePath, into: buffer) else { return nil }
            guard count > 0 else { return hasher.finish() }
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            hasher.update(bytes)
            try fileSystem.writeAll(bytes, to: file, path)
        }
    }

    private func tellFaults(of entry: ObjectEntry) throws {
        let holders = try maintenance.database.read { try ObjectHolders.fetch($0, entry.digest) }
        let faults = maintenance.inspector.report(on: entry, hashes: true)
        for finding in CareFinding.all(on: entry, faults, holders) { report(.finding(finding)) }
    }
}
