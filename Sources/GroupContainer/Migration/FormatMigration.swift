internal import GRDB
internal import ShareModel
public import SystemPackage

/// Brings a container of an older format up to this program's.
///
/// The catalog goes first, in one transaction, and the file `format` after it: a death between the two leaves a new catalog
/// in a container that says it is old. Older programs refuse that catalog, and this one finishes when it is asked again.
public enum FormatMigration {
    /// Migrates the container; returns the version that it had, `nil` where nothing was to be done.
    ///
    /// - Throws: ``ContainerError`` with code `busy` where another process has it open; nothing is changed then.
    public static func run(_ root: FilePath, fileSystem: any FileSystem = SystemFileSystem()) throws -> Int? {
        let layout = ContainerLayout(root: root)
        guard try ContainerFormat.check(layout, fileSystem) != .absent else {
            throw ContainerError(.notAContainer, "there is no container at \(root); --container names another")
        }
        try fileSystem.ensureFolder(layout.run)
        let locks = try locks(layout, fileSystem)
        defer { withExtendedLifetime(locks) {} }
        guard case .older(let version) = try ContainerFormat.check(layout, fileSystem) else {
            try removeOldCatalogs(layout, fileSystem)
            return nil
        }
        let objects = LocalObjectStore(layout: layout, fileSystem: fileSystem, reserve: .none)
        try CatalogDatabase.migrate(layout.catalog, keeping: layout.oldCatalog(version), fileSystem) { digest in
            objects.text(digest, limit: WordsRow.textLimit)
        }
        // Gives the catalog its epoch.
        _ = try ChangeBell(layout, CatalogDatabase(writing: layout.catalog, isNew: false), fileSystem)
        try ContainerFormat.write(layout, fileSystem)
        try removeOldCatalogs(layout, fileSystem)
        return version
    }

    private static func removeOldCatalogs(_ layout: ContainerLayout, _ fileSystem: any FileSystem) throws {
        for version in 1..<ContainerLayout.version {
            try fileSystem.remove(layout.oldCatalog(version), isFolder: false)
        }
    }

    /// All that may say that somebody uses the container. Programs of format 1 hold no lock on it as a whole, but each
    /// that writes has one on its folder for unfinished writes; new ones wait for the lock `setup`.
    private static func locks(_ layout: ContainerLayout, _ fileSystem: any FileSystem) throws -> [KernelLock] {
        var locks: [KernelLock?] = []
        for area in [LockArea.container, .setup, .deliver, .library, .objects] {
            locks.append(try KernelLock(trying: layout.lock(area), .exclusive, fileSystem))
        }
        let writers = try fileSystem.exists(layout.staging) ? fileSystem.names(in: layout.staging) : []
        for writer in writers { locks.append(try KernelLock(folder: layout.staging.appending(writer), fileSystem)) }
        return try locks.map { lock in
            guard let lock else {
                throw ContainerError(
                    .busy, "another process uses \(layout.root); wait for its end, or end it, and migrate again")
            }
            return lock
        }
    }
}

extension ContainerLayout {
    /// The catalog as it was in an older format, while it is migrated.
    func oldCatalog(_ version: Int) -> FilePath { root.appending("catalog.sqlite.version-\(version)") }
}

extension LocalObjectStore {
    /// The beginning of an object as text; `nil` where it cannot be read.
    func text(_ digest: Digest, limit: Int) -> String? {
        guard let file = try? open(digest) else { return nil }
        let bytes = try? file.closeAfter {
            try [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
                count = try file.read(into: UnsafeMutableRawBufferPointer(buffer))
            }
        }
        return bytes.map { String(decoding: $0, as: UTF8.self) }
    }
}
