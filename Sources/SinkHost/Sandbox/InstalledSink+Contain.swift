internal import Files
internal import Glibc
internal import SinkKit
internal import SystemPackage

extension InstalledSink {
    /// Whether the program can be run where the folder is seen: not where it lies above, or is a link out of it.
    package var isProgramInFolder: Bool {
        var status = stat()
        guard program.removingLastComponent() == folder,
            program.withPlatformString({ lstat($0, &status) }) == 0
        else { return false }
        return status.st_mode & S_IFMT == S_IFREG
    }

    /// The same with paths that hold in any working folder.
    package var absolute: InstalledSink {
        InstalledSink(manifest: manifest, program: program.absolute, folder: folder.absolute)
    }

    /// In the sandbox of a host that is root, the sink runs as another user.
    package func checkIsReadableByAll() throws {
        for path in [folder, program] {
            var status = stat()
            guard path.withPlatformString({ stat($0, &status) }) == 0 else {
                throw SinkFailure(.permanent, "\(path) cannot be looked at: \(Errno(rawValue: errno))")
            }
            let needed = mode_t(S_IROTH | S_IXOTH)
            guard status.st_mode & needed == needed else {
                throw SinkFailure(
                    .permanent,
                    "\(path) is for its owner alone, and root's sinks run as another user; chmod -R a+rX \(folder)")
            }
        }
    }
}
