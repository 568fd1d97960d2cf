internal import Glibc
internal import ShareModel
package import SystemPackage

/// A new folder of this process below the user's folder for temporary files. It is removed with the value.
package final class TemporaryFolder: Sendable {
    package let path: FilePath
    package let fileSystem: any FileSystem

    /// - Parameter purpose: part of the folder's name, for a person who finds it after a crash.
    package init(for purpose: String, on fileSystem: any FileSystem = SystemFileSystem()) throws(FileError) {
        path = .temporaryFolder.appending("sluice-\(purpose)-\(UniqueName.make())")
        self.fileSystem = fileSystem
        try fileSystem.ensureFolders(path)
    }

    deinit { fileSystem.removeTree(path) }
}

extension FilePath {
    /// The user's folder for temporary files, without symbolic links.
    package static var temporaryFolder: FilePath {
        let named = getenv("TMPDIR").map { FilePath(platformString: $0) }.flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        return named.real ?? named
    }
}
