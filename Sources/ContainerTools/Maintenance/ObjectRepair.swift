internal import Files
internal import GroupContainer
internal import SQLite
internal import ShareModel
internal import SystemPackage

/// Repairs one object, with the content of its source if that still exists.
struct ObjectRepair {
    let maintenance: ContainerMaintenance
    let now: @Sendable () -> String

    /// Repairs one object, and returns the finding with the result.
    ///
    /// A failed repair is a part of the finding, and does not end the verification.
    func mend(
        _ finding: CareFinding, _ entry: ObjectEntry, _ report: ObjectInspector.Report, _ holders: ObjectHolders
    ) -> CareFinding {
        var finding = finding
        do {
            switch finding.kind {
            case .mode:
                try maintenance.fileSystem.setMode(.object, of: maintenance.layout.object(entry.digest))
                finding.settle("made read-only again")
            case .size:
                if case .rowSize(let size)? = report.fault { try setSize(size, entry.digest) }
                finding.settle("recorded its size")
            case .found:
                try setLost(nil, entry.digest)
                finding.settle("recorded as whole again")
            case .missing, .damaged, .notAFile, .lost: try replace(entry, report, holders, &finding)
            case .unreadable, .strange, .row, .record, .feed, .catalog, .index: break
            }
        } catch {
            finding.remedy = "the repair failed: \(error)"
            finding.action = nil
        }
        return finding
    }

    private func replace(
        _ entry: ObjectEntry, _ report: ObjectInspector.Report, _ holders: ObjectHolders, _ finding: inout CareFinding
    ) throws {
        let sources = try sources(of: entry.digest)
        for path in sources {
            guard let (staged, area) = try stage(path, entry) else { continue }
            // A rename replaces a file, but not a folder.
            if report.fault == .notAFile { _ = try quarantine(entry) }
            // The shared lock keeps a collection from removing the row or the file in between.
            let isKnown = try withExtendedLifetime(area) {
                try maintenance.withLock(.objects, .shared) { try putBack(staged) }
            }
            return finding.settle(isKnown ? "taken in again from \(path)" : "forgotten meanwhile")
        }
        guard finding.kind != .lost else { return }
        guard let isMoved = try quarantine(entry) else {
            return finding.settle("another process repaired it meanwhile")
        }
        let recovery = holders.recovery
        // A repair reads files. It does not look into a share, and a pipe is gone.
        let isSearched = !sources.isEmpty || holders.role != nil
        let reason =
            isSearched ? "no source has its content any more" : "it was no file of its own, so a repair cannot read it"
        finding.remedy =
            reason + (isMoved ? "; the old item is in quarantine/\(entry.digest)" : "") + "; \(recovery.words)"
        finding.action = recovery.action
    }

    /// Stores staged content under its final name, unless the object was forgotten meanwhile.
    ///
    /// - Returns: whether a row still names the object.
    private func putBack(_ staged: StagedObject) throws -> Bool {
        guard try maintenance.database.read({ try ObjectRow.seq($0, staged.digest) }) != nil else {
            staged.discard()
            return false
        }
        try maintenance.objects.commit([staged])
        // The mark goes only after the object is durable: a row without the mark vouches for the bytes.
        try setLost(nil, staged.digest)
        return true
    }

    /// The files that the content came from, according to the rows. A file of a group lies beside the first one. Formats
    /// before 6 recorded no arrivals, and have further paths in `source` alone.
    private func sources(of digest: Digest) throws -> [FilePath] {
        try maintenance.database.read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    WITH holder AS (SELECT package, name FROM provider WHERE object = ?)
                    SELECT source_path AS path, NULL AS sibling FROM package JOIN holder ON holder.package = package.seq
                    WHERE source_kind = 'file' AND source_path IS NOT NULL
                    UNION SELECT source_path, NULL FROM sighting JOIN holder ON holder.package = sighting.package
                    WHERE source_kind = 'file'
                    UNION SELECT source_path, holder.name FROM sighting
                    JOIN holder ON holder.package = sighting.package WHERE source_kind = 'group'
                    UNION SELECT source_path, name FROM package JOIN holder ON holder.package = package.seq
                    WHERE source_kind = 'group' AND source_path IS NOT NULL
                    UNION SELECT path, NULL FROM source JOIN holder ON holder.package = source.package
                    JOIN package ON package.seq = source.package WHERE source_kind = 'file'
                    """, arguments: [try ObjectRow.seq(database, digest)])
            return try rows.compactMap { row in
                let path = try FilePath(blob: row.value("path"))
                guard let sibling: String = try row.value("sibling") else { return path }
                return path?.removingLastComponent().appending(sibling)
            }
        }
    }

    /// Stages the content of a file if its digest is the object's name. The staged file lives as long as the area.
    private func stage(_ path: FilePath, _ entry: ObjectEntry) throws -> (StagedObject, any StagingArea)? {
        // A source that is gone or unreadable is not an error: the next one may have the content. Opening must not
        // block on a FIFO.
        guard let status = try? maintenance.fileSystem.status(of: path), status.kind == .file,
            status.size == entry.size,
            let source = try? maintenance.fileSystem.open(path, .readOnly, [.noFollow, .nonBlocking])
        else { return nil }
        let area = try maintenance.objects.makeStagingArea()
        let file = try area.makeFile(expecting: entry.size)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 4096)
        defer { buffer.deallocate() }
        try source.closeAfter {
            // Reading stops at the object's size, even if the file grows without end.
            while file.size <= entry.size, let count = try? maintenance.fileSystem.read(source, path, into: buffer),
                count > 0
            {
                try file.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            }
        }
        let staged = file.finish()
        guard staged.digest == entry.digest else {
            staged.discard()
            return nil
        }
        return (staged, area)
    }

    /// Moves the damaged file of an object into the quarantine, and records the loss.
    ///
    /// - Returns: whether there was a file to move; `nil` if the object is whole by now.
    private func quarantine(_ entry: ObjectEntry) throws -> Bool? {
        try maintenance.withLock(.objects, .exclusive) {
            // Checked again under the exclusive lock, because a batch may have replaced the file meanwhile.
            guard let fault = maintenance.inspector.report(on: entry, hashes: true).fault, !fault.isOfRow else {
                return nil
            }
            if fault != .missing { try moveAway(entry.digest) }
            try setLost("\(now()): \(Self.words(fault))", entry.digest)
            return fault != .missing
        }
    }

    private func moveAway(_ digest: Digest) throws {
        let object = maintenance.layout.object(digest)
        try maintenance.fileSystem.ensureFolder(maintenance.layout.quarantine)
        try maintenance.fileSystem.move(object, to: maintenance.layout.quarantine.appending(digest.description))
        // Both names and the folder `quarantine` are durable before the row records the loss.
        for folder in [maintenance.layout.quarantine, object.removingLastComponent(), maintenance.layout.root] {
            try maintenance.fileSystem.syncFolder(folder)
        }
    }

    private static func words(_ fault: ObjectInspector.Fault) -> String {
        switch fault {
        case .missing: "the file was gone"
        case .notAFile: "its name belonged to something other than a file"
        case .size(let size), .rowSize(let size): "the file had \(size) bytes"
        case .content: "its bytes had changed"
        case .unreadable(let why): why
        }
    }

    private func setSize(_ size: Int64, _ digest: Digest) throws {
        try maintenance.database.write { try ObjectRow.setSize($0, digest, size) }
    }

    private func setLost(_ why: String?, _ digest: Digest) throws {
        try maintenance.database.write { try LostObjects.set($0, why, digest) }
    }
}

extension CareFinding {
    /// Records that the fault is repaired, and how.
    mutating func settle(_ words: String) {
        isMended = true
        remedy = words
        action = nil
    }
}
