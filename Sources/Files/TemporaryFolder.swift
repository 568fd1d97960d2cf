internal import Glibc
internal import ShareModel
package import SystemPackage

/// A new folder of this process below the user's folder for temporary files. It is removed with the value. A process that is
/// killed leaves it, and the next one with the same purpose removes it: a kernel lock on the folder shows that its process lives.
package final class TemporaryFolder: Sendable {
    /// A sweep of another process may lock a new folder before its maker does, and then removes it. That many in a row do not.
    private static let attempts = 8

    package let path: FilePath
    package let fileSystem: any FileSystem
    /// `nil` on a file system without locks, where no sweep removes anything.
    private let lock: KernelLock?

    /// - Parameter purpose: part of the folder's name.
    package init(for purpose: String, on fileSystem: any FileSystem = SystemFileSystem()) throws(FileError) {
        let (parent, beginning) = (FilePath.temporaryFolder, "sluice-\(purpose)-")
        Self.sweep(parent, beginning, fileSystem)
        var path: FilePath
        var lock: KernelLock?
        var attempt = 0
        repeat {
            path = parent.appending(beginning + UniqueName.make())
            try fileSystem.ensureFolders(path)
            lock = try? KernelLock(folder: path, fileSystem)
            if lock != nil, try fileSystem.exists(path) { break }
            attempt += 1
        } while attempt < Self.attempts
        (self.path, self.fileSystem, self.lock) = (path, fileSystem, lock)
    }

    deinit { fileSystem.removeTree(path) }

    /// Removes the folders of processes that have ended.
    private static func sweep(_ parent: FilePath, _ beginning: String, _ fileSystem: any FileSystem) {
        for name in (try? fileSystem.names(in: parent)) ?? [] where name.string.hasPrefix(beginning) {
            let path = parent.appending(name)
            guard let dead = try? KernelLock(folder: path, fileSystem) else { continue }
            withExtendedLifetime(dead) { fileSystem.removeTree(path) }
        }
    }
}

extension FilePath {
    /// The user's folder for temporary files, without symbolic links.
    package static var temporaryFolder: FilePath {
        let named = getenv("TMPDIR").map { FilePath(platformString: $0) }.flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        return named.real ?? named
    }
}
