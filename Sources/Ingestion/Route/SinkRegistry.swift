internal import ShareModel
internal import SinkKit
internal import SystemPackage

#if canImport(FoundationEssentials)
internal import Foundation
#else
internal import Foundation
#endif

/// The sinks at hand, in the order that breaks ties.
struct SinkRegistry: Sendable {
    let sinks: [InstalledSink]
    /// Folders that mean to be sinks and are broken: what is wrong, and the remedy.
    let warnings: [String]

    private static let manifestName = "sink.json"

    init(sinks: [InstalledSink], warnings: [String] = []) {
        self.sinks = sinks
        self.warnings = warnings
    }

    /// Looks for sinks in the given folders, then beside the program: in a build folder and in an installed one.
    ///
    /// The first of several with the same identifier counts.
    init(folders: [FilePath], program: FilePath) {
        let beside = program.removingLastComponent()
        let installed = beside.removingLastComponent().appending("libexec/sluice/sinks")
        let manifests =
            folders.flatMap { Self.manifests(in: $0, suffix: "") }
            + Self.manifests(in: beside, suffix: ".resources") + Self.manifests(in: installed, suffix: "")
        var sinks: [InstalledSink] = []
        var warnings: [String] = []
        for manifest in manifests {
            do {
                let sink = try InstalledSink(reading: manifest)
                if !sinks.contains(where: { $0.id == sink.id }) { sinks.append(sink) }
            } catch {
                warnings.append("the sink at \(manifest) is left out: \(error)")
            }
        }
        self.init(sinks: sinks, warnings: warnings)
    }

    /// The manifests in folders below `folder`, sorted by name; `folder` itself may be a sink's.
    private static func manifests(in folder: FilePath, suffix: String) -> [FilePath] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.string)) ?? []
        let inside = names.sorted().filter { $0.hasSuffix(suffix) }.map { folder.appending($0) }
        return ([folder] + inside).map { $0.appending(manifestName) }.filter {
            FileManager.default.fileExists(atPath: $0.string)
        }
    }

    /// The sink with an identifier.
    subscript(id: String) -> InstalledSink? { sinks.first { $0.id == id } }
}

extension InstalledSink {
    /// Reads and checks a manifest.
    init(reading path: FilePath) throws {
        let data = try Data(contentsOf: URL(filePath: path.string))
        let manifest: SinkManifest
        do {
            manifest = try JSONDecoder().decode(SinkManifest.self, from: data)
        } catch {
            throw SinkFailure(.permanent, "its manifest makes no sense: \(error)")
        }
        try Self.check(manifest)
        guard let name = manifest.command.first.flatMap({ FilePath.Component($0) }), name.kind == .regular else {
            throw SinkFailure(.permanent, "its command must begin with the name of a program beside sink.json")
        }
        let folder = path.removingLastComponent()
        let places = [folder.appending(name), folder.removingLastComponent().appending(name)]
        guard let program = places.first(where: Self.isFile) else {
            throw SinkFailure(.permanent, "its program \(name) is neither beside sink.json nor in the folder above")
        }
        guard FileManager.default.isExecutableFile(atPath: program.string) else {
            throw SinkFailure(.permanent, "its program \(program) may not be run; make it executable (chmod +x)")
        }
        self.init(manifest: manifest, program: program, folder: folder)
    }

    private static func isFile(_ path: FilePath) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path.string, isDirectory: &isFolder) && !isFolder.boolValue
    }

    private static func check(_ manifest: SinkManifest) throws {
        let isPlain = manifest.id.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || byte == UInt8(ascii: "-")
        }
        guard isPlain, !manifest.id.isEmpty, manifest.id.utf8.count <= 64 else {
            throw SinkFailure(
                .permanent, "its id '\(manifest.id)' must be 1 to 64 lower-case letters, digits and hyphens")
        }
        guard manifest.protocol == SinkProtocol.version else {
            throw SinkFailure(
                .permanent,
                "it speaks version \(manifest.protocol) of the sink protocol; this program speaks \(SinkProtocol.version)"
            )
        }
    }
}
