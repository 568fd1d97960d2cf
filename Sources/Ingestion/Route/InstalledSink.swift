internal import SinkKit
internal import SystemPackage

/// A sink that was found, as its manifest describes it.
struct InstalledSink: Sendable {
    let manifest: SinkManifest
    let program: FilePath

    var id: String { manifest.id }
}
