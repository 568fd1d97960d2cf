package import SystemPackage

/// The file of a small database that can be made anew.
package enum DatabaseFile {
    private static let log = "-wal"
    private static let index = "-shm"

    /// Makes the file, empty and for its user alone, if it does not exist. The database makes the others with the same permissions.
    package static func make(_ path: FilePath) throws(FileError) {
        let fileSystem = SystemFileSystem.system
        let file = try fileSystem.open(path, .readWrite, [.create, .noFollow], mode: .ownerReadWrite)
        try? file.close()
    }

    /// Gives a damaged file another name, `NAME.damaged`, which replaces an earlier one.
    package static func setAside(_ path: FilePath) throws(FileError) {
        let fileSystem = SystemFileSystem.system
        for ending in [log, index] {
            let part = FilePath(path.string + ending)
            if try fileSystem.exists(part) { try fileSystem.remove(part, isFolder: false) }
        }
        try fileSystem.move(path, to: FilePath(path.string + ".damaged"))
    }
}
