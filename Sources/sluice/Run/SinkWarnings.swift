import ShareModel
import SystemPackage

/// What is wrong with the sinks at hand, in words for people: folders that are not there, and broken manifests.
struct SinkWarnings {
    /// What the library says of the sinks that it found.
    let warnings: [String]
    /// The folders of `$SLUICE_SINKS`; those that are looked at anyway may be missing.
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
            return "SLUICE_SINKS names \(name), whose sinks are left out: \(error); name a folder that can be read"
        }
    }
}
