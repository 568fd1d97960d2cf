import ShareModel
import SystemPackage

/// Warnings about the sinks: folders that cannot be read, and broken manifests.
struct SinkWarnings {
    /// The library's warnings about the sinks that it found.
    let warnings: [String]
    /// The folders of `$SLUICE_SINKS`. Only these must exist; most users have no folder at the default places.
    var folders = SinkPlaces().named

    var lines: [StyledLine] {
        (folders.compactMap(Self.problem) + warnings).map { "\("warning:", .warning) \($0)" }
    }

    private static func problem(_ folder: FilePath) -> String? {
        do {
            try FileDescriptor.open(folder, .readOnly, options: [.directory, .closeOnExec]).close()
            return nil
        } catch {
            let name = SafeText.escape(bytes: folder.bytes)
            return "SLUICE_SINKS names \(name), but its sinks are not used: \(error); name a folder that can be read"
        }
    }
}
