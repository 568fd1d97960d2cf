import Foundation
import SinkKit
import SystemPackage
import Testing

@testable import Ingestion
@testable import SinkHost

@Suite struct SinkConfigurationTests {
    private func sink(
        _ settings: SinkSettings = .init(), config: JSONValue? = nil, secrets: [String]? = nil, network: Bool? = nil
    ) throws -> InstalledSink {
        InstalledSink(
            manifest: SinkManifest(
                id: "s", version: "1", command: ["s"], accepts: [.init(type: "*/*")],
                limits: .init(stallSeconds: 7, totalSeconds: 70), needs: .init(network: network), config: config,
                secrets: secrets),
            program: "/s", schema: try config.map { try JSONSchema($0) }, settings: settings, settingsFile: "/c/s.json")
    }

    private func settings(_ change: (inout SinkSettings) -> Void) -> SinkSettings {
        var settings = SinkSettings()
        change(&settings)
        return settings
    }

    private static let schema: JSONValue = [
        "properties": ["n": ["type": "integer", "default": 4], "name": ["type": "string"]], "required": ["name"],
        "additionalProperties": false,
    ]

    @Test func theConfigurationIsCheckedAndFilled() async throws {
        let given = settings { $0.config = ["name": "x"] }
        let told = try await sink(given, config: Self.schema).configuration(clock: .seconds(3600)).message
        #expect(told == .init(config: ["n": 4, "name": "x"]))
        #expect(try await sink().configuration(clock: .seconds(3600)).message == .init(config: [:]))
        #expect(try sink(given, config: Self.schema).obstacle == nil)
    }

    @Test(arguments: [
        (#"{"nam": "x"}"#, "/config/nam is not a known key; did you mean 'name'?"),
        ("{}", "/config must have 'name'"), (#"{"name": 1}"#, "/config/name must be a string"),
    ])
    func whatTheSchemaForbidsIsNotStarted(_ config: String, _ words: String) async throws {
        let config = try SinkProtocol.message([String: JSONValue].self, from: config.utf8)
        let sink = try sink(settings { $0.config = config }, config: Self.schema)
        let error = await #expect(throws: SinkObstacle.self) { try await sink.configuration(clock: .seconds(3600)) }
        let message = "\(try #require(error))"
        #expect(message.contains(words) && message.contains("/c/s.json"), "\(message)")
        #expect(sink.obstacle == error)
    }

    @Test func aSinkWithoutASchemaTakesNoConfiguration() async throws {
        let sink = try sink(settings { $0.config = ["a": 1] })
        await #expect(throws: SinkObstacle.self) { try await sink.configuration(clock: .seconds(3600)) }
    }

    @Test func aManifestGetsAnHourAtMostAndAPersonWhatTheySet() throws {
        let day = SinkManifest.Limits(startupSeconds: 86_400, stallSeconds: 86_400, totalSeconds: 86_400)
        let manifest = SinkManifest(id: "s", version: "1", command: ["s"], accepts: [], limits: day)
        var sink = InstalledSink(manifest: manifest, program: "/s")
        let hour = InstalledSink.longestOwnClock
        #expect(sink.limits == .init(startupSeconds: hour, stallSeconds: hour, totalSeconds: hour))
        sink.settings.limits.totalSeconds = 86_400
        #expect(sink.limits == .init(startupSeconds: hour, stallSeconds: hour, totalSeconds: 86_400))
    }

    @Test func theNetworkNeedsBoth() async throws {
        let allowed = settings { $0.allowsNetwork = true }
        #expect(try sink(allowed, network: true).allowsNetwork)
        #expect(try !sink(allowed).allowsNetwork && sink(allowed).obstacle == nil)
        let error = try #require(try sink(network: true).obstacle)
        #expect("\(error)".contains("needs the network") && "\(error)".contains(#""network": true"#))
    }

    @Test func limitsOfThePersonComeFirst() throws {
        let sink = try sink(settings { $0.limits = .init(totalSeconds: 5, memoryMiB: 64) })
        #expect(sink.limits == .init(stallSeconds: 7, totalSeconds: 5, memoryMiB: 64))
    }

    @Test func secretsComeFromWhereTheyAre() async throws {
        let folder = try TestFolder()
        let file = try folder.write("token", "s3cret-token\r\n", mode: 0o600)
        let given = settings {
            $0.secrets = [
                "file": .file(file), "command": .command(["printf", "%s\\n", "a b$HOME;"]), "env": .environment("PATH"),
            ]
        }
        let sink = try sink(given, secrets: ["env", "file", "command"])
        let secrets = try #require(try await sink.configuration(clock: .seconds(3600)).message.secrets)
        #expect(secrets["file"] == "s3cret-token" && secrets["command"] == "a b$HOME;")
        #expect(secrets["env"] == ProcessInfo.processInfo.environment["PATH"])
        #expect(sink.cautions == [])
        try folder.write("token", "s3cret-token", mode: 0o644)
        #expect(sink.cautions.map { $0.contains("chmod 600") } == [true])
    }

    @Test(arguments: [
        (SecretReference.environment("SLUICE_NO_SUCH_VARIABLE"), "is not set"),
        (.file("/nowhere/token"), "is not there"),
        (.file("/dev/null"), "not a regular file"), (.command(["sluice-no-such-program"]), "is not there"),
        (.command(["/bin/false"]), "ended with"), (.command(["/bin/true"]), "contains no text"),
        (.command(["head", "-c", "100000", "/dev/zero"]), "wrote more than"),
        (.command(["printf", "\\377"]), "contains no text"), (.command(["echo", "1234567"]), "has 7 characters"),
    ])
    func aSecretThatCannotBeHadIsAnObstacle(_ reference: SecretReference, _ words: String) async throws {
        let sink = try sink(settings { $0.secrets = ["t": reference] }, secrets: ["t"])
        let error = await #expect(throws: SinkObstacle.self) { try await sink.configuration(clock: .seconds(3600)) }
        let message = "\(try #require(error))"
        #expect(message.contains("its secret 't'") && message.contains(words), "\(message)")
    }

    /// The command's child holds the output open. It must end with the command.
    @Test func aCommandThatDoesNotEndIsEnded() async throws {
        await #expect(throws: SinkObstacle.self) {
            try await SecretSource.read(.command(["sh", "-c", "sleep 600; true"]), clock: .milliseconds(50))
        }
    }

    @Test func secretsAreThoseOfTheManifest() throws {
        let missing = try #require(try sink(secrets: ["token"]).obstacle)
        #expect("\(missing)".contains("lacks its secret 'token'") && "\(missing)".contains("/c/s.json"))
        let unknown = try sink(settings { $0.secrets = ["tokn": .environment("A")] }, secrets: ["token"])
        #expect("\(try #require(unknown.obstacle))".contains("did you mean 'token'?"))
    }
}
