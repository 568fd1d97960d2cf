internal import Files
internal import Glibc
package import SinkKit
internal import SystemPackage

extension InstalledSink {
    /// Whether the program is a file in the sink's folder. Otherwise the sandbox must show the program separately.
    package var isProgramInFolder: Bool {
        var status = stat()
        guard program.removingLastComponent() == folder,
            program.withPlatformString({ lstat($0, &status) }) == 0
        else { return false }
        return status.st_mode & S_IFMT == S_IFREG
    }

    /// The same sink with absolute paths, which hold in any working folder.
    package var absolute: InstalledSink {
        // A launch uses neither the settings nor the schema.
        InstalledSink(manifest: manifest, program: program.absolute, folder: folder.absolute)
    }

    /// The sink's program with more arguments, for a task of the host's own. No package is delivered to it, and the user's
    /// settings are for the sink alone.
    package func asTool(arguments: [String], limits: SinkManifest.Limits) -> InstalledSink {
        let manifest = SinkManifest(
            id: id, version: manifest.version, command: manifest.command + arguments, accepts: [], limits: limits)
        return InstalledSink(manifest: manifest, program: program, folder: folder)
    }

    /// Throws if other users cannot read the sink: in the sandbox of a host that is root, the sink runs as another
    /// user.
    package func checkIsReadableByAll() throws {
        for path in [folder, program] {
            var status = stat()
            guard path.withPlatformString({ stat($0, &status) }) == 0 else {
                throw SinkFailure(.permanent, "\(path) cannot be read: \(Errno(rawValue: errno))")
            }
            let needed = mode_t(S_IROTH | S_IXOTH)
            guard status.st_mode & needed == needed else {
                throw SinkFailure(
                    .permanent,
                    "other users cannot read \(path), but root's sinks run as another user; run chmod -R a+rX \(folder)"
                )
            }
        }
    }
}
