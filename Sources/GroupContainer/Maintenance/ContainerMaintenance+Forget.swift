internal import Files
internal import GRDB
package import ShareModel
internal import SystemPackage

extension ContainerMaintenance {
    /// Removes packages with all that is theirs, and the content that no other package names.
    ///
    /// The rows go in one durable transaction, then the files; a crash in between leaves files for a collection. The text
    /// is written over in the catalog, and its write-ahead log is emptied.
    ///
    /// - Parameter prefixes: the beginnings of packages' identifiers; nothing is done unless each names exactly one.
    /// - Throws: ``ContainerError``, with code `notFound` where one names none or several.
    package func forget(_ prefixes: [String]) throws -> Forgotten {
        var forgotten = try withLock(.library, .exclusive) {
            try withLock(.objects, .exclusive) { try remove(prefixes) }
        }
        do {
            try mergeWords()
            try database.emptyLog()
        } catch {
            forgotten.warnings.append("the catalog's log keeps the text until the last reader is done: \(error)")
        }
        return forgotten
    }

    private func remove(_ prefixes: [String]) throws -> Forgotten {
        let removal = try database.writeSecurely { database in
            var removal = PackageRemoval(database: database)
            try removal.run(prefixes)
            return removal.result
        }
        var forgotten = removal.forgotten
        remove(shelved: removal.shelf, &forgotten)
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
            let path = layout.object(digest)
            let size = try fileSystem.status(of: path)?.size ?? 0
            try fileSystem.remove(path, isFolder: false)
            forgotten.bytes += size
            try fileSystem.remove(layout.quarantine.appending(digest.description), isFolder: false)
        } catch {
            forgotten.warnings.append("\(error)".with(.collectLeftovers))
        }
    }

    private func remove(shelved paths: [String], _ forgotten: inout Forgotten) {
        guard !paths.isEmpty else { return }
        let folder = LibraryFolder(layout: layout, fileSystem: fileSystem)
        do {
            try folder.settleRemovals()
        } catch {
            forgotten.warnings.append("\(error); the next update of the library tries it again")
        }
        for path in paths { remove(shelved: path, folder, &forgotten) }
    }

    private func remove(shelved path: String, _ folder: LibraryFolder, _ forgotten: inout Forgotten) {
        let named = FilePath(path)
        guard named.isRelative, !named.components.contains(where: { $0.kind == .parentDirectory }) else { return }
        do {
            guard try !folder.remove(path) else { return }
            forgotten.warnings.append(
                "\(layout.library.appending(named.components)) holds something else by now, and stays")
        } catch {
            forgotten.warnings.append("\(error); remove it by hand")
        }
    }

    /// What was deleted stays in the full-text index's older segments until they are merged: in small steps, so that no
    /// writer waits long. https://www.sqlite.org/fts5.html#the_merge_command
    private func mergeWords() throws {
        var pages = -Self.mergePages
        while try database.writeSecurely({ database in
            let before = database.totalChangesCount
            try database.execute(sql: "INSERT INTO words (words, rank) VALUES ('merge', ?)", arguments: [pages])
            return database.totalChangesCount - before >= 2
        }) {
            pages = Self.mergePages
        }
    }

    /// How many pages of the index a step merges.
    private static var mergePages: Int { 500 }
}
