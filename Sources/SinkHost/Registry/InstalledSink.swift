internal import Glibc
internal import ShareModel
package import SinkKit
package import SystemPackage

/// A sink on this machine: its manifest, its program, and the user's settings for it.
package struct InstalledSink: Sendable {
    package let manifest: SinkManifest
    package let program: FilePath
    /// The folder of its `sink.json`.
    package var folder: FilePath = ""
    /// The schema of its configuration; `nil` if it takes none.
    package var schema: JSONSchema?
    package var settings = SinkSettings()
    /// The file of its settings, which need not exist; `nil` if there is no configuration folder.
    package var settingsFile: FilePath?
    /// Why the settings cannot be used. Such a sink takes part in routing but is not started: its deliveries wait for
    /// it and do not go to another sink.
    package var settingsFault: SinkObstacle?
    /// Receives the tail of the log of each of its processes, without its secrets.
    package var listener: (@Sendable (String) -> Void)?

    package var id: String { manifest.id }

    /// Whether it waits for a person to write settings for it.
    package var lacksSettings: Bool {
        manifest.needs?.settings == true && settings == SinkSettings() && settingsFault == nil
    }

    /// Whether it takes part in routing.
    var takesPart: Bool { settings.isEnabled && !lacksSettings }
}

extension InstalledSink {
    package static let manifestName = "sink.json"
    /// In bytes.
    package static let maximumManifestBytes = 256 << 10

    /// Reads and checks a manifest.
    ///
    /// - Throws: ``SinkObstacle`` with the faulty key and the remedy.
    package init(reading path: FilePath) throws {
        guard let value = try SettingsFile.readJSON(path, limit: Self.maximumManifestBytes) else {
            throw SinkObstacle("\(path) is not there")
        }
        if let wrong = JSONSchema.manifest.violations(of: value).first {
            throw SinkObstacle("in its sink.json \(wrong); see the specification of the sink protocol")
        }
        guard let read = SinkManifest(checked: value) else {
            throw SinkObstacle("\(path) has a value that this program does not know; install a newer program")
        }
        manifest = read
        guard manifest.protocol == SinkProtocol.version else {
            throw SinkObstacle(
                "it speaks version \(manifest.protocol) of the sink protocol, and this program speaks "
                    + "\(SinkProtocol.version); install versions that speak the same one")
        }
        do {
            schema = try manifest.config.map { try JSONSchema($0) }
        } catch let broken as JSONSchema.Broken {
            throw SinkObstacle("in its sink.json the schema /config cannot be used: \(broken)")
        }
        folder = path.removingLastComponent()
        // The schema requires at least one word.
        program = try Self.program(manifest.command[0], in: folder)
    }

    /// Reads the user's settings from the configuration folder. An error becomes ``settingsFault``.
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
        // A build puts a bundled sink's program beside its resource folder, so the folder above counts too.
        let places = [folder.appending(name), folder.removingLastComponent().appending(name)]
        guard let program = places.first(where: isFile) else {
            throw SinkObstacle("its program \(name) is neither beside sink.json nor in the folder above; put it there")
        }
        guard program.withPlatformString({ access($0, X_OK) }) == 0 else {
            throw SinkObstacle("its program \(program) is not executable; run chmod +x on it")
        }
        return program
    }

    private static func isFile(_ path: FilePath) -> Bool {
        var status = stat()
        return path.withPlatformString { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}
