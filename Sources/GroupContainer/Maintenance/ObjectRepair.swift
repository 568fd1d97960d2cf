internal import Files
internal import GRDB
internal import ShareModel
internal import SystemPackage

/// Puts right what is wrong with one object: from where its content came, if that is still there.
struct ObjectRepair {
    let maintenance: ContainerMaintenance
    let now: @Sendable () -> String

    /// The finding with what was done about it. What cannot be done is told in it; nothing here ends the verification.
    func mend(
        _ finding: CareFinding, _ entry: ObjectEntry, _ report: ObjectInspector.Report, _ holders: ObjectHolders
    ) -> CareFinding {
        var finding = finding
        do {
            switch finding.kind {
            case .mode:
                try maintenance.fileSystem.setMode(.object, of: maintenance.layout.object(entry.digest))
                finding.settle("made read-only again")
            case .found:
                try setLost(nil, entry.digest)
                finding.settle("recorded as whole again")
            case .missing, .damaged, .notAFile, .lost: try replace(entry, report, holders, &finding)
            case .unreadable, .strange, .row, .feed, .catalog: break
            }
        } catch {
            finding.remedy = "it could not be mended: \(error)"
            finding.action = nil
        }
        return finding
    }

    private func replace(
        _ entry: ObjectEntry, _ report: ObjectInspector.Report, _ holders: ObjectHolders, _ finding: inout CareFinding
    ) throws {
        for path in try sources(of: entry.digest) {
            guard let (staged, area) = try stage(path, entry) else { continue }
            // Only what is no file stands in the way of a file's new name.
            if report.fault == .notAFile { _ = try quarantine(entry) }
            let isKnown = try withExtendedLifetime(area) {
                try maintenance.withLock(.objects, .shared) { try putBack(staged) }
            }
            return finding.settle(isKnown ? "taken in again from \(path)" : "forgotten meanwhile")
        }
        guard finding.kind != .lost else { return }
        guard let isMoved = try quarantine(entry) else {
            return finding.settle("another process put it right meanwhile")
        }
        let recovery = holders.recovery
        finding.remedy =
            "its content is nowhere to be had"
            + (isMoved ? "; what was there is in quarantine/\(entry.digest)" : "") + "; \(recovery.words)"
        finding.action = recovery.action
    }

    /// Gives staged content its name again; whether a row still names it.
    private func putBack(_ staged: StagedObject) throws -> Bool {
        guard try maintenance.database.read({ try ObjectRow.seq($0, staged.digest) }) != nil else {
            staged.discard()
            return false
        }
        try maintenance.objects.commit([staged])
        try setLost(nil, staged.digest)
        return true
    }

    /// Files that the content came from, as far as rows say.
    private func sources(of digest: Digest) throws -> [FilePath] {
        try maintenance.database.read { database in
            let paths = try Row.fetchAll(
                database,
                sql: """
                    WITH holder AS (SELECT DISTINCT package FROM provider WHERE object = ?)
                    SELECT source_path AS path FROM package JOIN holder ON holder.package = package.seq
                    WHERE source_kind = 'file' AND source_path IS NOT NULL
                    UNION SELECT path FROM source JOIN holder ON holder.package = source.package
                    """, arguments: [try ObjectRow.seq(database, digest)])
            return paths.compactMap { FilePath(blob: $0["path"]) }
        }
    }

    /// The content of a file, where it is what the object's name says; the area keeps it alive.
    private func stage(_ path: FilePath, _ entry: ObjectEntry) throws -> (StagedObject, any StagingArea)? {
        // A source that is gone, or no longer to be read, is just no source.
        guard let status = try? maintenance.fileSystem.status(of: path), status.kind == .file,
            status.size == entry.size,
            let source = try? maintenance.fileSystem.open(path, .readOnly, [.noFollow, .nonBlocking])
        else { return nil }
        let area = try maintenance.objects.makeStagingArea()
        let file = try area.makeFile()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 4096)
        defer { buffer.deallocate() }
        try source.closeAfter {
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

    /// Moves what bears the object's name away, and records the loss; whether there was anything to move, or `nil` where
    /// the object is whole by now.
    private func quarantine(_ entry: ObjectEntry) throws -> Bool? {
        try maintenance.withLock(.objects, .exclusive) {
            guard let fault = maintenance.inspector.report(on: entry, hashes: true).fault else { return nil }
            if fault != .missing { try moveAway(entry.digest) }
            try setLost("\(now()): \(Self.words(fault))", entry.digest)
            return fault != .missing
        }
    }

    private func moveAway(_ digest: Digest) throws {
        let object = maintenance.layout.object(digest)
        try maintenance.fileSystem.ensureFolder(maintenance.layout.quarantine)
        try maintenance.fileSystem.move(object, to: maintenance.layout.quarantine.appending(digest.description))
        for folder in [maintenance.layout.quarantine, object.removingLastComponent(), maintenance.layout.root] {
            try maintenance.syncFolder(folder)
        }
    }

    private static func words(_ fault: ObjectInspector.Fault) -> String {
        switch fault {
        case .missing: "the file was gone"
        case .notAFile: "something else bore its name"
        case .size(let size): "only \(size) bytes were there"
        case .content: "its bytes had changed"
        case .unreadable(let why): why
        }
    }

    private func setLost(_ why: String?, _ digest: Digest) throws {
        try maintenance.database.write { try LostObjects.set($0, why, digest) }
    }
}

extension CareFinding {
    fileprivate mutating func settle(_ words: String) {
        isMended = true
        remedy = words
        action = nil
    }
}
