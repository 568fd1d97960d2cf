internal import ShareModel
package import SystemPackage

/// A folder of small files for this user alone, such as a keychain. The folder is made with its first file.
package struct PrivateFolder: Sendable {
    package let path: FilePath
    private let fileSystem: any FileSystem

    /// - Parameter path: absolute.
    package init(_ path: FilePath, on fileSystem: any FileSystem = SystemFileSystem.system) {
        self.path = path
        self.fileSystem = fileSystem
    }

    /// The bytes of a file; `nil` if there is none.
    ///
    /// - Throws: ``FileError`` if it cannot be read, is not a regular file, or is longer than `limit` bytes.
    package func read(_ name: String, limit: Int) throws(FileError) -> [UInt8]? {
        try SmallFile.read(path.appending(name), limit: limit)
    }

    /// Writes a file, or replaces one as a whole. The file is durable when this returns; a crash before that leaves the old one.
    package func replace(_ name: String, with bytes: [UInt8]) throws {
        try fileSystem.ensureFolders(path)
        removeUnfinished()
        let new = path.appending("\(name).\(UniqueName.make())\(Self.unfinished)")
        do {
            // The lock shows that the writer lives.
            guard let lock = try KernelLock(trying: new, .exclusive, fileSystem) else {
                throw FileError(.system, "\(new) is in use")
            }
            try withExtendedLifetime(lock) {
                try bytes.withUnsafeBytes { try fileSystem.writeAll($0, to: lock.descriptor, new) }
                try fileSystem.sync(lock.descriptor, new)
                try fileSystem.move(new, to: path.appending(name))
            }
        } catch {
            try? fileSystem.remove(new, isFolder: false)
            throw error
        }
        try fileSystem.syncFolder(path)
    }

    /// Removes a file, and makes that durable. Does nothing if there is none.
    package func remove(_ name: String) throws {
        removeUnfinished()
        guard try fileSystem.exists(path.appending(name)) else { return }
        try fileSystem.remove(path.appending(name), isFolder: false)
        try fileSystem.syncFolder(path)
    }

    /// Whether there is a file.
    package func has(_ name: String) throws(FileError) -> Bool { try fileSystem.exists(path.appending(name)) }

    /// The names of the files, in order; none if there is no folder.
    package func names() throws(FileError) -> [String] {
        guard try fileSystem.exists(path) else { return [] }
        return try fileSystem.names(in: path).map(\.string).filter { !$0.hasSuffix(Self.unfinished) }.sorted()
    }

    /// Removes what writers left that died. It may have a secret.
    private func removeUnfinished() {
        let names = (try? fileSystem.names(in: path)) ?? []
        for name in names where name.string.hasSuffix(Self.unfinished) {
            let part = path.appending(name)
            guard (try? fileSystem.exists(part)) == true,
                let lock = try? KernelLock(trying: part, .exclusive, fileSystem)
            else { continue }
            withExtendedLifetime(lock) { try? fileSystem.remove(part, isFolder: false) }
        }
    }

    /// The end of the name of a file that is being written.
    private static let unfinished = ".part"
}
