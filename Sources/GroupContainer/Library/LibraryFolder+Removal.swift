internal import Files
internal import ShareModel
internal import SystemPackage

extension LibraryFolder {
    /// Takes a file away that stands for an object, with the folders that are empty then.
    ///
    /// - Returns: `false` where another program made or changed what has the name: that stays.
    func remove(_ path: String) throws -> Bool {
        let target = root.appending(path)
        guard let status = try fileSystem.status(of: target) else { return true }
        guard try isOurs(target, status), try take(target, path, status) else { return false }
        var folder = FilePath(path).removingLastComponent()
        while !folder.isEmpty, (try? fileSystem.remove(root.appending(folder.components), isFolder: true)) != nil {
            folder.removeLastComponent()
        }
        return true
    }

    /// Ends the removals that an earlier run began. What stands for an object goes; anything else gets a name in the library.
    func settleRemovals() throws {
        guard try fileSystem.exists(layout.libraryOld) else { return }
        for name in try fileSystem.names(in: layout.libraryOld) {
            let old = layout.libraryOld.appending(name)
            guard let status = try fileSystem.status(of: old) else { continue }
            if try isOurs(old, status) {
                try fileSystem.remove(old, isFolder: false)
            } else {
                try putBack(old, name.string)
            }
        }
    }

    /// Whether nothing is lost with a file: it is a link to an object, or has an object's bytes.
    private func isOurs(_ path: FilePath, _ status: FileStatus) throws -> Bool {
        guard status.kind == .file else { return try object(of: path) != nil }
        return try fileSystem.status(of: layout.object(fileSystem.digest(of: path).digest))?.size == status.size
    }

    /// Removes a file that is ours; whether its name still led to it.
    ///
    /// Another program may have put a file of its own under that name since it was looked at. No call removes a name only
    /// if it leads to a certain file. So the name is changed first to one that no other program uses, and what has that is
    /// looked at again.
    private func take(_ target: FilePath, _ path: String, _ status: FileStatus) throws -> Bool {
        guard let name = target.lastComponent else { return false }
        let old = layout.libraryOld.appending(name)
        try fileSystem.ensureFolder(layout.libraryOld)
        guard try fileSystem.moveIfFree(target, to: old) || moveAfterSettling(target, to: old) else {
            // A file system that cannot rename without replacing could not give a name back either.
            try fileSystem.remove(target, isFolder: false)
            return true
        }
        guard try fileSystem.status(of: old)?.isSame(as: status) == true else {
            try putBack(old, path)
            return false
        }
        try fileSystem.remove(old, isFolder: false)
        return true
    }

    /// Moves a file whose private name an earlier removal, which failed, has left behind.
    private func moveAfterSettling(_ target: FilePath, to old: FilePath) throws -> Bool {
        guard try fileSystem.exists(old) else { return false }
        try settleRemovals()
        return try fileSystem.moveIfFree(target, to: old)
    }

    /// Gives a file its name in the library back, with a number where something has that.
    private func putBack(_ old: FilePath, _ path: String) throws {
        let named = FilePath(path)
        let (stem, ending) = (named.stem ?? "", named.extension.map { ".\($0)" } ?? "")
        var (free, number) = (root.appending(path), 1)
        try ensureFolders(above: path)
        while try !fileSystem.moveIfFree(old, to: free) {
            guard try fileSystem.exists(free) else {
                throw ContainerError(.system, "\(old) belongs to \(free), and cannot be moved there; move it by hand")
            }
            number += 1
            free = free.removingLastComponent().appending("\(stem) (\(number))\(ending)")
        }
    }
}

extension FileStatus {
    /// Whether both are of one file that nobody wrote to in between. A rename changes the time of change, so that does not
    /// count.
    fileprivate func isSame(as other: FileStatus) -> Bool {
        kind == other.kind && size == other.size && modified == other.modified && device == other.device
            && inode == other.inode
    }
}
