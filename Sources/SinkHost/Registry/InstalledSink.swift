internal import Glibc
internal import ShareModel
package import SinkKit
package import SystemPackage

/// A sink that was found, as its manifest describes it and as the person has set it.
package struct InstalledSink: Sendable {
    package let manifest: SinkManifest
    package let program: FilePath
    /// The folder of its `sink.json`.
    package var folder: FilePath = ""
    /// What checks its configuration; `nil` where it takes none.
    package var schema: JSONSchema?
    package var settings = SinkSettings()
    /// Where the settings are, or would be; `nil` where there is no configuration folder.
    package var settingsFile: FilePath?
    /// Why the settings cannot be used. The sink keeps its place in the routing then, and is not started.
    package var settingsFault: SinkObstacle?
    /// Told the end of what each of its processes wrote to standard error.
    package var listener: (@Sendable (String) -> Void)?

    package var id: String { manifest.id }
}

extension InstalledSink {
    package static let manifestName = "sink.json"
    /// The largest manifest, in bytes.
    package static let maximumManifestBytes = 256 << 10

    /// Reads and checks a manifest.
    ///
    /// - Throws: ``SinkObstacle`` with the key that is wrong, and the remedy.
    package init(reading path: FilePath) throws {
        guard let value = try BoundedFile.readJSON(path, limit: Self.maximumManifestBytes) else {
            throw SinkObstacle("\(path) is not there")
        }
        if let wrong = JSONSchema.manifest.violations(of: value).first {
            throw SinkObstacle("in its sink.json \(wrong); mend it as the sink protocol's specification has it")
        }
        manifest = try JSONLines.decode(SinkManifest.self, from: JSONLines.encode(value))
        guard manifest.protocol == SinkProtocol.version else {
            throw SinkObstacle(
                "it speaks version \(manifest.protocol) of the sink protocol, and this program speaks "
                    + "\(SinkProtocol.version); install the one that fits the other")
        }
        do {
            schema = try manifest.config.map { try JSONSchema($0) }
        } catch let broken as JSONSchema.Broken {
            throw SinkObstacle("in its sink.json the schema /config cannot be used: \(broken)")
        }
        folder = path.removingLastComponent()
        program = try Self.program(manifest.command[0], in: folder)
    }

    /// Takes what the person has set in the configuration folder.
    package mutating func takeSettings(from folder: FilePath) {
        let file = SinkSettings.file(of: id, in: folder)
        settingsFile = file
        do {
            settings = try SinkSettings(reading: file)
        } catch {
            settingsFault = error as? SinkObstacle ?? SinkObstacle("\(error)")
        }
    }

    private static func program(_ name: String, in folder: FilePath) throws -> FilePath {
        guard let name = FilePath.Component(name), name.kind == .regular else {
            throw SinkObstacle("in its sink.json /command/0 must be the name of a program beside it, without a folder")
        }
        let places = [folder.appending(name), folder.removingLastComponent().appending(name)]
        guard let program = places.first(where: isFile) else {
            throw SinkObstacle("its program \(name) is neither beside sink.json nor in the folder above; put it there")
        }
        guard program.withPlatformString({ access($0, X_OK) }) == 0 else {
            throw SinkObstacle("its program \(program) may not be run; make it executable (chmod +x)")
        }
        return program
    }

    private static func isFile(_ path: FilePath) -> Bool {
        var status = stat()
        return path.withPlatformString { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}
