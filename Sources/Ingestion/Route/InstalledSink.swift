internal import SinkKit
internal import SystemPackage

/// A sink that was found, as its manifest describes it.
struct InstalledSink: Sendable {
    let manifest: SinkManifest
    let program: FilePath
    /// The folder of `sink.json`, with what the sink has brought along.
    let folder: FilePath

    var id: String { manifest.id }

    /// - Parameter folder: the one that the program lies in, unless told.
    init(manifest: SinkManifest, program: FilePath, folder: FilePath? = nil) {
        self.manifest = manifest
        self.program = program
        self.folder = folder ?? program.removingLastComponent()
    }
}
