internal import Files
internal import SQLite
package import ShareModel
internal import SystemPackage

extension ContainerMaintenance {
    /// Removes packages with everything that belongs to them, and the content that no other package names.
    ///
    /// The files in the library are removed first, then the rows in one durable transaction, and then the objects. After a
    /// crash before the transaction, the packages are still there, and the next update of the library makes their files
    /// again. A crash after it leaves objects without rows, which a collection removes. The text is overwritten in the
    /// catalog, and the write-ahead log is truncated.
    ///
    /// - Parameter prefixes: the beginnings of packages' identifiers. Nothing is removed unless each names exactly one.
    /// - Returns: the removed packages. A file that could not be removed is a warning, because its rows are gone
    ///   already.
    /// - Throws: `ContainerError`, with the code `notFound` if a prefix names no package or several.
    package func forget(_ prefixes: [String]) throws -> Forgotten {
        // Before the locks, because it reads the tables of all objects.
        try requireSound(Self.tablesToForget)
        // The objects lock is held throughout, so no writer meanwhile decides that the content is known.
        var forgotten = try withLock(.library, .exclusive) {
            try withLock(.objects, .exclusive) { try remove(prefixes) }
        }
        // Without the locks, because none of these steps removes an object.
        do {
            if try !SearchIndex.forget(forgotten.packages.map(\.id), layout, fileSystem) {
                forgotten.warnings.append("the search index's log keeps the text until the last search is done")
            }
        } catch {
            forgotten.warnings.append("the search index keeps the text: \(error)")
        }
        do {
            try database.emptyLog()
        } catch {
            forgotten.warnings.append("the catalog's log keeps the text until the last reader is done: \(error)")
        }
        return forgotten
    }

    /// What ``forget(_:)`` would remove. The catalog is locked for writing meanwhile, and nothing is changed.
    package func forgetPlan(_ prefixes: [String]) throws -> Forgotten {
        try requireSound(Self.tablesToForget)
        // The removal itself says what it does, and its rows are rolled back.
        let removal = try database.write { database in
            var removal = PackageRemoval(database: database)
            try database.inSavepoint {
                try removal.run(prefixes)
                return .rollback
            }
            return removal.result
        }
        var forgotten = removal.forgotten
        for digest in removal.objects { forgotten.bytes += try size(of: digest) }
        return forgotten
    }

    /// The size of an object's file; 0 if there is none.
    private func size(of digest: Digest) throws -> Int64 {
        try fileSystem.status(of: layout.object(digest))?.size ?? 0
    }

    private static let tablesToForget = CatalogCheck.references + ["package", "delivery", "shelf"]

    private func remove(_ prefixes: [String]) throws -> Forgotten {
        var warnings: [String] = []
        // Without its row, a file in the library would belong to the user, and stay. So the rows go after the files.
        let shelf = try database.read { try PackageRemoval(database: $0).shelf(prefixes) }
        remove(shelved: shelf, &warnings)
        let removal = try database.writeSecurely { database in
            var removal = PackageRemoval(database: database)
            try removal.run(prefixes)
            return removal.result
        }
        var forgotten = removal.forgotten
        forgotten.warnings = warnings
        // The names of opened files are words of the package.
        for package in forgotten.packages { fileSystem.removeTree(layout.opened.appending(package.id)) }
        for digest in removal.objects { remove(digest, &forgotten) }
        do {
            try fileSystem.syncAll(at: layout.objects)
        } catch {
            forgotten.warnings.append("\(error); a power cut may bring the files back".with(.collectLeftovers))
        }
        return forgotten
    }

    private func remove(_ digest: Digest, _ forgotten: inout Forgotten) {
        do {
            let size = try size(of: digest)
            try fileSystem.remove(layout.object(digest), isFolder: false)
            forgotten.bytes += size
            try fileSystem.remove(layout.quarantine.appending(digest.description), isFolder: false)
        } catch {
            forgotten.warnings.append("\(error)".with(.collectLeftovers))
        }
    }

    private func remove(shelved paths: [String], _ warnings: inout [String]) {
        guard !paths.isEmpty else { return }
        let folder = LibraryFolder(layout: layout, fileSystem: fileSystem)
        do {
            try folder.settleRemovals()
        } catch {
            warnings.append("\(error); the next update of the library tries it again")
        }
        for path in paths { remove(shelved: path, folder, &warnings) }
        do {
            try fileSystem.syncAll(at: layout.root)
        } catch {
            warnings.append("\(error); a power cut may bring files of the library back")
        }
    }

    private func remove(shelved path: String, _ folder: LibraryFolder, _ warnings: inout [String]) {
        // The path comes from a row, which may be damaged. It must not lead out of the library.
        guard let place = layout.library.place(of: path) else { return }
        do {
            guard try !folder.remove(path) else { return }
            warnings.append("\(place) holds something else by now, and stays")
        } catch {
            warnings.append("\(error); remove it by hand")
        }
    }
}
