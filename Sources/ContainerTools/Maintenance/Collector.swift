internal import Files
internal import GroupContainer
internal import SQLite
package import ShareModel
internal import SystemPackage

/// Removes unused objects: first rows that no other row refers to, then files without a row.
///
/// Files are listed without a lock. The exclusive objects lock is taken for one slice of them at a time, so that
/// writers wait for one slice at most. Each slice is compared with the rows again under the lock.
struct Collector {
    /// The number of objects that are removed under one lock, while writers wait.
    private static let slice = 256

    let maintenance: ContainerMaintenance
    let options: CollectOptions
    /// In seconds since 1970.
    let now: Int64
    let isStopped: @Sendable () -> Bool
    let report: @Sendable (CollectEvent) -> Void
    private var sum = Collected()

    init(
        _ maintenance: ContainerMaintenance, _ options: CollectOptions, now: Int64,
        isStopped: @escaping @Sendable () -> Bool,
        report: @escaping @Sendable (CollectEvent) -> Void
    ) {
        self.maintenance = maintenance
        self.options = options
        self.now = now
        self.isStopped = isStopped
        self.report = report
    }

    mutating func run() throws -> Collected {
        try maintenance.requireSound(CatalogCheck.references, isStopped: isStopped)
        try maintenance.database.read { try CatalogCheck(database: $0).requireNamesOfObjects() }
        try collectRows()
        for name in try maintenance.sortedNames(in: maintenance.layout.objects) where Shard(name) == nil {
            tellStrange(maintenance.layout.objects.appending(name))
        }
        for shard in Shard.all {
            let contents = try ShardContents(shard, maintenance)
            if contents.isNoFolder { tellStrange(contents.folder) }
            for name in contents.strange { tellStrange(contents.folder.appending(name)) }
            var orphans = try contents.orphans(maintenance)[...]
            while !orphans.isEmpty {
                guard !isStopped() else { throw CancellationError() }
                try collectFiles(Array(orphans.prefix(Self.slice)))
                orphans = orphans.dropFirst(Self.slice)
            }
        }
        try collectNames()
        return sum
    }

    /// Removes the names under which files were opened.
    private func collectNames() throws {
        guard !options.isPlan else { return }
        let (fileSystem, opened) = (maintenance.fileSystem, maintenance.layout.opened)
        guard try fileSystem.exists(opened) else { return }
        for name in try maintenance.sortedNames(in: opened) {
            let folder = opened.appending(name)
            guard let status = try fileSystem.status(of: folder), now - status.changed >= options.grace else {
                continue
            }
            fileSystem.removeTree(folder)
        }
    }

    /// Removes rows that no provider, record or product refers to, such as those of products that a sink replaced.
    private mutating func collectRows() throws {
        var last: Int64 = 0
        while true {
            guard !isStopped() else { throw CancellationError() }
            // Without the lock, because this may read the rows of all objects before it finds an unused one.
            let unused = try maintenance.database.read { try UnusedObject.page($0, after: last, Self.slice) }
            guard let end = unused.last?.seq else { return }
            try maintenance.withLock(options) { try collect(unused) }
            last = end
        }
    }

    /// Removes those rows of a slice that are still unused.
    private mutating func collect(_ found: [UnusedObject]) throws {
        let isPlan = options.isPlan
        let check = { (database: Database) in try found.filter { try $0.isUnused(database) } }
        let unused =
            try isPlan
            ? maintenance.database.read(check)
            : maintenance.database.write { database in
                let unused = try check(database)
                for object in unused { try ObjectRow.delete(database, seq: object.seq) }
                return unused
            }
        sum.rows += unused.count
        // The rows' removal is durable by now, so a crash leaves a file without a row, and never a row without a file.
        // A file stays as long as another row names its digest.
        let digests = unused.map(\.digest)
        let kept = options.isPlan ? [] : try maintenance.database.read { try ObjectEntry.known($0, among: digests) }
        for digest in digests where !kept.contains(digest) { try remove(digest) }
    }

    private mutating func collectFiles(_ digests: [Digest]) throws {
        try maintenance.withLock(options) {
            // A writer may have committed a row for a file since the listing.
            let known = try maintenance.database.read { try ObjectEntry.known($0, among: digests) }
            for digest in digests where !known.contains(digest) { try collect(digest) }
        }
    }

    private mutating func collect(_ digest: Digest) throws {
        guard let status = try maintenance.fileSystem.status(of: maintenance.layout.object(digest)) else { return }
        guard status.kind == .file else { return tellStrange(maintenance.layout.object(digest)) }
        guard now - status.changed >= options.grace else {
            sum.young += 1
            return
        }
        try remove(digest)
    }

    /// Removes a file that no row names. A file whose row was just removed needs no grace period. If a power cut undoes
    /// the removal, the next collection repeats it, so this does not sync.
    private mutating func remove(_ digest: Digest) throws {
        let path = maintenance.layout.object(digest)
        guard let status = try maintenance.fileSystem.status(of: path), status.kind == .file else { return }
        if !options.isPlan { try maintenance.fileSystem.remove(path, isFolder: false) }
        sum.files += 1
        sum.bytes += status.size
        report(.leftover(Leftover(object: digest, bytes: status.size)))
    }

    private mutating func tellStrange(_ path: FilePath) {
        sum.strange += 1
        report(.strange(CareFinding(strange: path, in: maintenance.layout)))
    }
}

extension ContainerMaintenance {
    /// Runs `body` under the exclusive objects lock, so that no batch decides meanwhile that an object is known. A plan
    /// removes nothing, takes the shared lock, and needs no write permission.
    fileprivate func withLock<Value>(_ options: CollectOptions, _ body: () throws -> Value) throws -> Value {
        options.isPlan ? try withObjectsKept(body) : try withLock(.objects, .exclusive, body)
    }
}

/// A row of the table `object` that no other row refers to.
struct UnusedObject {
    let seq: Int64
    let digest: Digest

    static let condition = """
        NOT EXISTS (SELECT 1 FROM provider WHERE provider.object = object.seq)
        AND NOT EXISTS (SELECT 1 FROM record WHERE record.object = object.seq)
        AND NOT EXISTS (SELECT 1 FROM product WHERE product.object = object.seq)
        """

    /// Whether the row still exists, and no row refers to it.
    func isUnused(_ database: Database) throws -> Bool {
        let query = try database.cachedStatement(
            sql: "SELECT EXISTS (SELECT 1 FROM object WHERE seq = ? AND \(Self.condition))")
        return try Bool.fetchOne(query, arguments: [seq]) ?? false
    }

    static func page(_ database: Database, after last: Int64, _ limit: Int) throws -> [UnusedObject] {
        let rows = try Row.fetchAll(
            database, sql: "SELECT seq, sha256 FROM object WHERE seq > ? AND \(condition) ORDER BY seq LIMIT ?",
            arguments: [last, limit])
        return try rows.map { try UnusedObject(seq: $0.value("seq"), digest: Digest(blob: $0.value("sha256"))) }
    }
}

extension ContainerMaintenance {
    /// Removes rows of objects that no other row refers to, and files without a row whose status changed before the
    /// grace period.
    ///
    /// The grace period protects content that a live writer has stored but not committed. Writers wait for at most 256
    /// removals. Files that are no objects are reported and stay; so do empty folders.
    ///
    /// - Parameters:
    ///   - now: in seconds since 1970.
    ///   - isStopped: called between slices.
    /// - Throws: `ContainerError` if the container cannot be used; `CancellationError` if `isStopped` returned
    ///   `true`.
    package func collect(
        _ options: CollectOptions, now: Int64, isStopped: @escaping @Sendable () -> Bool = { false },
        report: @escaping @Sendable (CollectEvent) -> Void
    ) throws -> Collected {
        var collector = Collector(self, options, now: now, isStopped: isStopped, report: report)
        return try collector.run()
    }
}
