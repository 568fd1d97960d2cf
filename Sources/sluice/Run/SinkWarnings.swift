import Ingestion
import ShareModel
import SystemPackage

/// What is wrong with the sinks at hand, in words for people: folders that are not there, and broken manifests.
struct SinkWarnings {
    let pipeline: Pipeline
    /// The folders of `$SLUICE_SINKS`.
    let folders: [FilePath]

    var lines: [Line] {
        (folders.compactMap(Self.problem) + pipeline.warnings).map { "\("warning:", .warning) \($0)" }
    }

    private static func problem(_ folder: FilePath) -> String? {
        do {
            try FileDescriptor.open(folder, .readOnly, options: [.directory, .closeOnExec]).close()
            return nil
        } catch {
            let name = SafeText.escape(bytes: folder.bytes)
            return "SLUICE_SINKS names \(name), whose sinks are left out: \(error); name a folder that can be read"
        }
    }
}
