internal import ShareModel
internal import SinkKit
internal import SystemPackage
internal import Unpacking

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// A sink that was found, as its manifest describes it and as the person has set it.
struct InstalledSink: Sendable {
    let manifest: SinkManifest
    let program: FilePath
    /// The folder of its `sink.json`.
    var folder: FilePath = ""
    /// What checks its configuration; `nil` where it takes none.
    var schema: JSONSchema?
    var settings = SinkSettings()
    /// Where the settings are, or would be; `nil` where there is no configuration folder.
    var settingsFile: FilePath?
    /// Why the settings cannot be used. The sink keeps its place in the routing then, and is not started.
    var settingsFault: SinkObstacle?
    /// Told the end of what each of its processes wrote to standard error.
    var listener: (@Sendable (String) -> Void)?

    var id: String { manifest.id }
}

extension InstalledSink {
    static let manifestName = "sink.json"
    /// The largest manifest, in bytes.
    static let maximumManifestBytes = 256 << 10

    /// Reads and checks a manifest.
    ///
    /// - Throws: ``SinkObstacle`` with the key that is wrong, and the remedy.
    init(reading path: FilePath) throws {
        let value: JSONValue
        do {
            value = try BoundedFile.readJSON(path, limit: Self.maximumManifestBytes)
        } catch {
            throw SinkObstacle("\(error)")
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
    mutating func takeSettings(from folder: FilePath) {
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
