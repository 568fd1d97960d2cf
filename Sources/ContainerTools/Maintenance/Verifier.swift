internal import Dispatch
internal import Files
internal import GroupContainer
package import ShareModel
internal import Synchronization
internal import SystemPackage

/// Compares every row with its file and every file with its row, one folder of the store after the other.
///
/// The verifier holds no lock while it reads objects, so that no process waits for it. It checks each suspected fault
/// again under the shared objects lock, because the object may have been forgotten meanwhile. Under that lock no
/// process removes objects, but writers can still add some.
struct Verifier {
    /// The number of rows in memory at once, however many the container has.
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
        let findings = try mended(catalogFindings())
        findings.forEach { tell($0) }
        // Without a readable file there is nothing to compare, and without sound indexes nothing to repair by.
        let isBlind = findings.contains { $0.kind == .catalog || repair != nil && $0.kind == .index && !$0.isMended }
        guard !isBlind else { return sum }
        for json in RecordCheck.JSONColumn.all { try check(json) }
        total = try maintenance.database.read { try ObjectRow.count($0) }
        try checkStore()
        for shard in Shard.all {
            guard !isStopped() else { throw CancellationError() }
            try check(shard)
        }
        return sum
    }

    /// The faults of the rows. On a damaged file the transaction may fail at its end, after the findings were made.
    private func catalogFindings() throws -> [CareFinding] {
        var findings: [CareFinding] = []
        do {
            try maintenance.database.read { findings = try CatalogCheck(database: $0).findings() }
        } catch let error as ContainerError where error.code == .catalog {
            if findings.isEmpty { findings = [CareFinding(.catalog, error.message, remedy: CatalogCheck.restore)] }
        }
        return findings
    }

    /// Builds the indexes again if one of them has a fault, and the options allow a repair.
    private func mended(_ findings: [CareFinding]) throws -> [CareFinding] {
        guard repair != nil, findings.contains(where: { $0.kind == .index }) else { return findings }
        for index in try maintenance.database.read({ try CatalogCheck(database: $0).indexes() }) {
            guard !isStopped() else { throw CancellationError() }
            // A transaction for each index, so that no writer waits for all of them.
            try maintenance.database.write { try $0.execute(sql: "REINDEX \"\(index)\"") }
        }
        let left = try catalogFindings()
        guard !left.contains(where: { $0.kind == .index || $0.kind == .catalog }) else { return left }
        // The other checks used the damaged indexes, so their new results count.
        return findings.filter { $0.kind == .index }.map { finding in
            var finding = finding
            finding.settle("the index was built again")
            return finding
        } + left
    }

    /// Checks the JSON in a column.
    private mutating func check(_ json: RecordCheck.JSONColumn) throws {
        var (damaged, last): ([Int64], Int64) = ([], 0)
        while let page = try maintenance.database.read({ database in
            try RecordCheck(database: database).page(json, after: last, limit: Self.page)
        }) {
            guard !isStopped() else { throw CancellationError() }
            damaged += page.damaged
            last = page.last
        }
        guard !damaged.isEmpty else { return }
        // The records that have been forgotten since are no longer there, and are not counted.
        try maintenance.database.read { try RecordCheck(database: $0).findings(json, damaged) }.forEach { tell($0) }
    }

    /// Checks the folder `objects` itself. If it is missing, each object is reported as missing later.
    private mutating func checkStore() throws {
        let store = maintenance.layout.objects
        guard let kind = try maintenance.fileSystem.status(of: store)?.kind else { return }
        guard kind == .folder else { return try tellStrange(store) }
        for name in try maintenance.sortedNames(in: store) where Shard(name) == nil {
            try tellStrange(store.appending(name))
        }
    }

    private mutating func check(_ shard: Shard) throws {
        // Files are listed before rows are read, so that a file whose row is committed in between is no leftover.
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
            guard status.kind == .file else {
                try tellStrange(maintenance.layout.object(digest))
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
            // A damaged row may state any size.
            sum.bytes &+= entry.size
            if let bytes = result.hashedBytes {
                sum.hashed += 1
                sum.hashedBytes += bytes
            }
            if result.fault != nil || result.isWritable || entry.lost != nil { try lookAgain(at: entry, result) }
        }
        report(.progress(objects: sum.objects, of: total, bytes: sum.hashedBytes))
    }

    /// One report for each entry, in their order; `nil` for entries that were not inspected before the stop.
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
            // Only the bytes show whether a lost object is whole again.
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
        // The file may have been removed since the listing.
        guard try maintenance.fileSystem.exists(path) else { return }
        tell(CareFinding(strange: path, in: maintenance.layout))
    }

    private mutating func tell(_ finding: CareFinding) {
        sum.add(finding)
        report(.finding(finding))
    }
}

extension ContainerMaintenance {
    /// Compares every row with its file, every file with its row, and the rows with one another.
    ///
    /// The order of findings does not depend on the number of jobs: first those of the catalog, then by the names of
    /// the objects. Memory is fixed except for the names in one of the 256 folders. Writers wait only while a damaged
    /// object is moved away.
    ///
    /// - Parameters:
    ///   - now: returns the time as ISO 8601, for the rows of lost objects.
    ///   - isStopped: called between objects.
    ///   - report: called from several threads.
    /// - Throws: `ContainerError` if the container cannot be used; `CancellationError` if `isStopped` returned
    ///   `true`.
    package func verify(
        _ options: VerifyOptions, now: @escaping @Sendable () -> String,
        isStopped: @escaping @Sendable () -> Bool = { false }, report: @escaping @Sendable (CareEvent) -> Void
    ) throws -> Verified {
        var verifier = Verifier(self, options, now: now, isStopped: isStopped, report: report)
        return try verifier.run()
    }
}
