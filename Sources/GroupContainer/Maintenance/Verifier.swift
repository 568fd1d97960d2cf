internal import Dispatch
internal import Files
package import ShareModel
internal import Synchronization
internal import SystemPackage

/// Holds every row against its file and every file against its row, one folder of the store after the other.
///
/// Nothing is locked while objects are read. What looks wrong is looked at again under the shared objects lock, which
/// keeps others from removing objects and holds up nobody who adds some: what was forgotten meanwhile is no fault.
struct Verifier {
    /// How many objects are in hand at once, whatever the number in the container.
    private static let page = 1024

    let maintenance: ContainerMaintenance
    let options: VerifyOptions
    let repair: ObjectRepair?
    let isStopped: @Sendable () -> Bool
    let report: @Sendable (CareEvent) -> Void
    private var sum = Verified()
    private var total = 0

    init(
        _ maintenance: ContainerMaintenance, _ options: VerifyOptions, now: @escaping @Sendable () -> String,
        isStopped: @escaping @Sendable () -> Bool, report: @escaping @Sendable (CareEvent) -> Void
    ) {
        self.maintenance = maintenance
        self.options = options
        repair = options.repairs ? ObjectRepair(maintenance: maintenance, now: now) : nil
        self.isStopped = isStopped
        self.report = report
    }

    mutating func run() throws -> Verified {
        let findings = try catalogFindings()
        findings.forEach { tell($0) }
        // Nothing can be held against rows that cannot be read, and nothing be mended by them.
        if findings.contains(where: { $0.kind == .catalog }) { return sum }
        total = try maintenance.database.read { try ObjectRow.count($0) }
        try checkStore()
        for shard in Shard.all {
            guard !isStopped() else { throw CancellationError() }
            try check(shard)
        }
        return sum
    }

    /// A transaction on a damaged file may fail at its end too, whatever was read in it.
    private func catalogFindings() throws -> [CareFinding] {
        var findings: [CareFinding] = []
        do {
            try maintenance.database.read { findings = try CatalogCheck(database: $0).findings() }
        } catch let error as ContainerError where error.code == .catalog {
            if findings.isEmpty { findings = [CareFinding(.catalog, error.message, remedy: CatalogCheck.restore)] }
        }
        return findings
    }

    /// The folder of the objects itself; where it is gone, so are they, and each is told.
    private mutating func checkStore() throws {
        let store = maintenance.layout.objects
        guard let kind = try maintenance.fileSystem.status(of: store)?.kind else { return }
        guard kind == .folder else { return try tellStrange(store) }
        for name in try maintenance.sortedNames(in: store) where Shard(name) == nil {
            try tellStrange(store.appending(name))
        }
    }

    private mutating func check(_ shard: Shard) throws {
        // The files first: what is committed after that has a row by the time that rows are asked for.
        let contents = try ShardContents(shard, maintenance)
        if contents.isNoFolder { try tellStrange(contents.folder) }
        for name in contents.strange { try tellStrange(contents.folder.appending(name)) }
        var last: Digest?
        while true {
            let entries = try maintenance.database.read { database in
                try ObjectEntry.page(database, shard: shard.byte, after: last, limit: Self.page)
            }
            guard let end = entries.last?.digest else { break }
            last = end
            try check(entries)
        }
        for digest in try contents.orphans(maintenance) {
            guard let status = try maintenance.fileSystem.status(of: maintenance.layout.object(digest)) else {
                continue
            }
            sum.orphans += 1
            sum.orphanBytes += status.size
        }
    }

    private mutating func check(_ entries: [ObjectEntry]) throws {
        let reports = inspect(entries)
        for (entry, result) in zip(entries, reports) {
            guard let result else { throw CancellationError() }
            sum.objects += 1
            sum.bytes += entry.size
            if let bytes = result.hashedBytes {
                sum.hashed += 1
                sum.hashedBytes += bytes
            }
            if result.fault != nil || result.isWritable || entry.lost != nil { try lookAgain(at: entry, result) }
        }
        report(.progress(objects: sum.objects, of: total, bytes: sum.hashedBytes))
    }

    /// One report an entry, in their order; `nil` for those that were not looked at any more.
    private func inspect(_ entries: [ObjectEntry]) -> [ObjectInspector.Report?] {
        let results = Mutex([ObjectInspector.Report?](repeating: nil, count: entries.count))
        let next = Atomic(0)
        let (inspector, options, isStopped) = (maintenance.inspector, options, isStopped)
        let bytes = Atomic(sum.hashedBytes)
        let done = Atomic(sum.objects)
        let (total, report) = (total, report)
        DispatchQueue.concurrentPerform(iterations: min(options.jobs, entries.count)) { _ in
            while !isStopped() {
                let place = next.add(1, ordering: .relaxed).oldValue
                guard place < entries.count else { return }
                let entry = entries[place]
                let result = inspector.report(on: entry, hashes: options.samples(entry.digest))
                results.withLock { $0[place] = result }
                let read = bytes.add(result.hashedBytes ?? 0, ordering: .relaxed).newValue
                let count = done.add(1, ordering: .relaxed).newValue
                report(.progress(objects: count, of: total, bytes: read))
            }
        }
        return results.withLock { $0 }
    }

    private mutating func lookAgain(at entry: ObjectEntry, _ first: ObjectInspector.Report) throws {
        let found = try maintenance.withObjectsKept {
            () throws -> (ObjectEntry, ObjectInspector.Report, ObjectHolders)? in
            guard let entry = try maintenance.database.read({ try ObjectEntry.fetch($0, entry.digest) }) else {
                return nil
            }
            // Whether something lost is back can only be told by its bytes.
            let hashes = first.fault == .content || options.samples(entry.digest) || entry.lost != nil
            let result = maintenance.inspector.report(on: entry, hashes: hashes)
            return (entry, result, try maintenance.database.read { try ObjectHolders.fetch($0, entry.digest) })
        }
        guard let (entry, result, holders) = found else { return }
        for finding in CareFinding.all(on: entry, result, holders) {
            tell(repair.map { $0.mend(finding, entry, result, holders) } ?? finding)
        }
    }

    private mutating func tellStrange(_ path: FilePath) throws {
        // It was removed while we looked.
        guard try maintenance.fileSystem.exists(path) else { return }
        tell(CareFinding(strange: path, in: maintenance.layout))
    }

    private mutating func tell(_ finding: CareFinding) {
        sum.add(finding)
        report(.finding(finding))
    }
}

extension ContainerMaintenance {
    /// Holds every row against its file, every file against its row, and the rows against one another.
    ///
    /// Findings are told in one order whatever the number of jobs: the catalog's, then by the objects' names. Memory is
    /// fixed, but for the names in one of the 256 folders. Writers are held up only while a damaged object is moved away.
    ///
    /// - Parameters:
    ///   - now: the time as rows have it.
    ///   - isStopped: asked between objects.
    ///   - report: called from several threads.
    /// - Throws: ``ContainerError`` where the container cannot be used; `CancellationError` when stopped.
    package func verify(
        _ options: VerifyOptions, now: @escaping @Sendable () -> String,
        isStopped: @escaping @Sendable () -> Bool = { false }, report: @escaping @Sendable (CareEvent) -> Void
    ) throws -> Verified {
        var verifier = Verifier(self, options, now: now, isStopped: isStopped, report: report)
        return try verifier.run()
    }
}
