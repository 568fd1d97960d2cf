internal import Files
internal import GroupContainer
internal import ShareModel
internal import SystemPackage

extension LibraryFolder {
    /// Removes a file that stands for an object, and the folders that become empty.
    ///
    /// - Returns: `false` if another program made or changed the file, or the path leads out of the folder; the file stays then.
    func remove(_ path: String) throws -> Bool {
        guard let target = place(path) else { return false }
        guard let status = try fileSystem.status(of: target) else { return true }
        guard try isOurs(target, status), try take(target, path, status) else { return false }
        fileSystem.removeEmptyFolders(from: target.removingLastComponent(), below: root)
        return true
    }

    /// Completes the removals that a dead run began. Files that stand for objects are removed; other files get a name
    /// in the library.
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

    /// Whether removing the file loses nothing: it is a link to an object, has the bytes of an object, or is a page that no
    /// other program changed.
    private func isOurs(_ path: FilePath, _ status: FileStatus) throws -> Bool {
        guard status.kind == .file else { return try object(of: path) != nil }
        if status.size <= LinkPage.sizeLimit,
            let bytes = try fileSystem.bytes(of: path, limit: LinkPage.sizeLimit), LinkPage.isIntact(bytes)
        {
            return true
        }
        return try fileSystem.status(of: layout.object(fileSystem.digest(of: path).digest))?.size == status.size
    }

    /// Removes a file that stands for an object.
    ///
    /// Another program may have put its own file under that name since the check, and no system call removes a name
    /// only if it leads to a certain file. So the file is renamed first to a name that no other program uses, and
    /// checked there.
    ///
    /// - Returns: whether the name still led to the file with this status.
    private func take(_ target: FilePath, _ path: String, _ status: FileStatus) throws -> Bool {
        guard let name = target.lastComponent else { return false }
        let old = layout.libraryOld.appending(name)
        try fileSystem.ensureFolder(layout.libraryOld)
        guard try fileSystem.moveIfFree(target, to: old) || moveAfterSettling(target, to: old) else {
            // This file system cannot rename without replacing, so it could not give the name back safely either.
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

    /// Moves a file after completing a failed removal that left another file under the private name.
    private func moveAfterSettling(_ target: FilePath, to old: FilePath) throws -> Bool {
        guard try fileSystem.exists(old) else { return false }
        try settleRemovals()
        return try fileSystem.moveIfFree(target, to: old)
    }

    /// Gives a file its name in the library back. If the name is taken, the file gets a number.
    private func putBack(_ old: FilePath, _ path: String) throws {
        let named = FilePath(path)
        let (stem, ending) = (named.stem ?? "", named.extension.map { ".\($0)" } ?? "")
        var (free, number) = (root.appending(path), 1)
        try ensureFolders(above: path)
        while try !fileSystem.moveIfFree(old, to: free) {
            guard try fileSystem.exists(free) else {
                throw ContainerError(.system, "\(old) cannot be moved back to \(free); move it by hand")
            }
            number += 1
            free = free.removingLastComponent().appending("\(stem) (\(number))\(ending)")
        }
    }
}

extension FileStatus {
    /// Whether both belong to one file, and no program wrote to it in between. The time of change does not count,
    /// because the rename changes it.
    fileprivate func isSame(as other: FileStatus) -> Bool {
        kind == other.kind && size == other.size && modified == other.modified && device == other.device
            && inode == other.inode
    }
}
