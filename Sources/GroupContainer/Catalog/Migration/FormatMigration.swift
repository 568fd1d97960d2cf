package import Files
internal import GRDB
internal import ShareModel
internal import Synchronization
package import SystemPackage

/// Brings a container of an older format up to this program's.
///
/// The catalog goes first, in one transaction, and the file `format` after it: a death between the two leaves a new catalog
/// in a container that says it is old. Older programs refuse that catalog, and this one finishes when it is asked again.
package enum FormatMigration {
    /// What was done.
    package struct Report: Sendable, Equatable {
        /// The version that the container had.
        package var version: Int
        /// The identifiers of packages whose receipts cannot be read: all else of them is kept, and no search finds them.
        package var unreadable: [String]
    }

    /// Migrates the container; `nil` where it was up to date.
    ///
    /// - Throws: ``ContainerError`` with code `busy` where another process has it open; nothing is changed then.
    package static func run(_ root: FilePath) throws -> Report? { try run(root, fileSystem: SystemFileSystem.system) }

    /// Migrates the container; see ``run(_:)``.
    package static func run(_ root: FilePath, fileSystem: any FileSystem) throws -> Report? {
        let layout = ContainerLayout(root: root)
        guard try ContainerFormat.check(layout, fileSystem) != .absent else {
            throw ContainerError(.notAContainer, "there is no container at \(root)", remedy: .nameOtherContainer)
        }
        try fileSystem.ensureFolder(layout.run)
        let locks = try locks(layout, fileSystem)
        defer { withExtendedLifetime(locks) {} }
        guard case .older(let version) = try ContainerFormat.check(layout, fileSystem) else {
            try removeOldCatalogs(layout, fileSystem)
            return nil
        }
        let objects = LocalObjectStore(layout: layout, fileSystem: fileSystem, reserve: .none)
        let unreadable = Mutex<[String]>([])
        let context = MigrationContext(
            text: { objects.text($0, limit: WordsRow.textLimit) },
            unreadable: { id in unreadable.withLock { $0.append(id) } })
        try CatalogDatabase.migrate(layout.catalog, keeping: layout.oldCatalog(version), fileSystem, context)
        // Gives the catalog its epoch.
        _ = try ChangeNotifier(layout, CatalogDatabase(writing: layout.catalog, isNew: false), fileSystem)
        try ContainerFormat.write(layout, fileSystem)
        try removeOldCatalogs(layout, fileSystem)
        return Report(version: version, unreadable: unreadable.withLock { $0 })
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
