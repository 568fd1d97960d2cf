import ShareModel
import SinkKit
import SystemPackage
import Testing

@testable import Ingestion
@testable import SinkHost

@Suite struct SinkSettingsTests {
    @Test func everyKeyIsRead() throws {
        let folder = try TestFolder()
        let file = try folder.write(
            "s.json",
            """
            {"enabled": false, "order": -2, "network": true, "config": {"a": [1]}, "limits": {"total_s": 5},
             "secrets": {"x": {"env": "X"}, "y": {"file": "/y"}, "z": {"command": ["pass", "show"]}}}
            """)
        let settings = try SinkSettings(reading: file)
        #expect(!settings.isEnabled && settings.order == -2 && settings.allowsNetwork)
        #expect(settings.config == ["a": [1]] && settings.limits == .init(totalSeconds: 5))
        #expect(settings.secrets == ["x": .environment("X"), "y": .file("/y"), "z": .command(["pass", "show"])])
    }

    @Test func noFileSetsNothing() throws {
        #expect(try SinkSettings(reading: "/nowhere/s.json") == SinkSettings())
    }

    @Test(arguments: [
        (#"{"netwrk": true}"#, "/netwrk is not a known key; did you mean 'network'?"),
        (#"{"order": "1"}"#, "/order must be a whole number"), ("[]", "it must be an object"), ("{", "is not JSON"),
        (#"{"config": {"a": 1, }}"#, "is not JSON"),
        (#"{"order": 1,}"#, "is not JSON, line 1, column 13: a key in quotes is missing here; mend it"),
        (#"{"secrets": {"t": {"command": ["a", "}\\\\",]}}}"#, "is not JSON"),
        (#"{"limits": {"total_s": 0}}"#, "/limits/total_s must be at least 1"),
        (#"{"limits": {"totl_s": 1}}"#, "did you mean 'total_s'?"),
        (#"{"secrets": {"t": "s3cret"}}"#, "/secrets/t must be an object, not a string"),
        (#"{"secrets": {"t": {}}}"#, "it is 0 of them"),
        (#"{"secrets": {"t": {"env": "A", "file": "/b"}}}"#, "it is 2 of them"),
        (#"{"secrets": {"t": {"file": "relative"}}}"#, "/secrets/t/file must be an absolute path"),
        (#"{"secrets": {"t": {"command": []}}}"#, "/secrets/t/command must have at least 1 items"),
    ])
    func whatMakesNoSenseIsSaidWithThePlace(_ text: String, _ words: String) throws {
        let folder = try TestFolder()
        let file = try folder.write("s.json", text)
        let error = #expect(throws: SinkObstacle.self) { try SinkSettings(reading: file) }
        let message = "\(try #require(error))"
        #expect(message.contains(words) && message.contains(file.string), "\(message)")
        #expect(!message.contains("s3cret"))
    }

    /// A comma or a bracket in a string is text.
    @Test func textsMayContainCommasAndBrackets() throws {
        let folder = try TestFolder()
        let file = try folder.write("s.json", #"{"config": {"a": ",}", "b": "\",]", "c": ["\\", {}, []]}}"#)
        #expect(try SinkSettings(reading: file).config == ["a": ",}", "b": "\",]", "c": ["\\", [:], []]])
    }

    @Test func aFileOfSettingsHasALimit() throws {
        let folder = try TestFolder()
        let file = try folder.write("s.json", String(repeating: " ", count: SinkSettings.maximumBytes) + "{}")
        #expect(throws: SinkObstacle.self) { try SinkSettings(reading: file) }
    }
}
