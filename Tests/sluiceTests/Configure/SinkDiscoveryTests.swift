import Foundation
import ShareModel
import SinkKit
import SystemPackage
import Testing

@testable import Ingestion
@testable import SinkHost

@Suite struct SinkDiscoveryTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func install(_ place: String, id: String, type: String = "*/*", more: String = "") throws {
        try folder.write(
            "\(place)/sink.json",
            """
            {"id": "\(id)", "version": "1", "protocol": 1, "command": ["run"], "accepts": [{"type": "\(type)"}],
             "role": "primary"\(more)}
            """)
        try folder.write("\(place)/run", "", mode: 0o755)
    }

    private func registry(_ folders: String...) -> SinkRegistry {
        SinkRegistry(
            folders: folders.map { folder[$0] }, program: folder["bin/sluice"], configuration: folder["config"])
    }

    /// The two ways to read a manifest agree: that of a host, and the decoder of the type.
    @Test func everyKeyOfAManifestIsRead() throws {
        let manifest = SinkManifest.withEveryKey
        let bytes = try JSONLines.encode(manifest)
        try folder.write("one/x/sink.json", bytes)
        try folder.write("one/x/run", "", mode: 0o755)
        for (name, value) in Mirror(reflecting: manifest).children {
            let mirror = Mirror(reflecting: value)
            #expect(
                mirror.displayStyle != .optional || !mirror.children.isEmpty,
                "a value for \(name ?? "") is missing here")
        }
        #expect(registry("one")["x"]?.manifest == manifest)
        #expect(try JSONLines.decode(SinkManifest.self, from: bytes) == manifest)
        try install("one/y", id: "y")
        let small = SinkManifest(id: "y", version: "1", command: ["run"], accepts: [.init(type: "*/*")])
        #expect(registry("one")["y"]?.manifest == small)
    }

    @Test func theFirstCountsAndTheOthersAreRemembered() throws {
        try install("one/x", id: "x")
        try install("two", id: "y")
        try install("two/x", id: "x")
        try install("libexec/sluice/sinks/x", id: "x")
        try install("libexec/sluice/sinks/z", id: "z")
        let registry = registry("one", "two")
        #expect(registry.sinks.map(\.id) == ["x", "y", "z"])
        #expect(registry["x"]?.folder == folder["one/x"])
        let hidden = registry.found.compactMap { found in
            if case .shadowed(_, let first) = found.standing { [found.manifest, first] } else { nil }
        }
        let first = folder["one/x/sink.json"]
        #expect(hidden == [[folder["two/x/sink.json"], first], [folder["libexec/sluice/sinks/x/sink.json"], first]])
        #expect(registry.warnings == [])
    }

    @Test func onePlaceByTwoNamesIsOne() throws {
        try install("one/x", id: "x")
        try FileManager.default.createSymbolicLink(atPath: folder["two"].string, withDestinationPath: "one")
        #expect(registry("one", "two", "one").found.count == 1)
    }

    /// A missing folder has no sinks. An unreadable one may have sinks that the user relies on.
    @Test func aFolderThatCannotBeReadIsReported() throws {
        try install("one/x", id: "x")
        for name in ["loop", "one/loop"] {
            try FileManager.default.createSymbolicLink(atPath: folder[name].string, withDestinationPath: "loop")
        }
        let registry = registry("nowhere", "loop", "one")
        #expect(registry.sinks.map(\.id) == ["x"])
        #expect(registry.warnings.count == 3)
        #expect(registry.warnings.first?.contains(folder["loop"].string) == true)
        #expect(registry.warnings.last?.contains(folder["one/loop/sink.json"].string) == true)
        #expect(registry.warnings.allSatisfy { $0.contains("cannot be read") })
    }

    /// File names are bytes and need not be UTF-8.
    @Test func aFolderNeedNotBeUTF8() throws {
        try install("one/x", id: "x")
        let odd = folder["one"].appending(FilePath.Component(platformString: [0x6F, -1, 0]) ?? "o")
        try #require(rename(folder["one/x"].string, platformName(odd)) == 0)
        #expect(registry("one").sinks.map(\.folder) == [odd])
    }

    private func platformName(_ path: FilePath) -> [CChar] {
        path.withPlatformString { Array(UnsafeBufferPointer(start: $0, count: path.length + 1)) }
    }

    @Test func aBrokenOneIsToldOnceAndHidesNone() throws {
        try install("one/x", id: "x", more: #", "config": {"$ref": "x"}"#)
        try install("two/x", id: "x")
        let registry = registry("one", "two", "one")
        #expect(registry.sinks.map(\.folder) == [folder["two/x"]])
        #expect(registry.warnings.count == 1)
        #expect(registry.warnings.first?.contains(folder["one/x/sink.json"].string) == true)
    }

    @Test(arguments: [
        ("{", "sink.json is not JSON, line 1, column 2: a key in quotes is missing here; mend it"),
        ("[]", "it must be an object"), ("{}", "must have"),
        (#"{"id": "X"}"#, "/id must be 1 to 64 lower-case letters, digits and hyphens"),
        (#"{"id": "../x"}"#, "/id must be"), (#"{"command": [1]}"#, "/command/0 must be a string, not a number"),
        (#"{"command": ["/bin/sh"]}"#, "without a folder"), (#"{"command": ["gone"]}"#, "neither beside sink.json"),
        (#"{"command": ["sink.json"]}"#, "chmod +x"), (#"{"protocol": 2}"#, "it speaks version 2"),
        (#"{"accepts": [{"type": "text/"}]}"#, "/accepts/0/type must be a type such as"),
        (#"{"role": "both"}"#, #"/role must be one of "primary", "also""#),
        (#"{"limits": {"total_s": 0}}"#, "/limits/total_s must be at least 1"),
        (#"{"secrets": ["a b"]}"#, "/secrets/0 must be"), (#"{"config": {"format": 1}}"#, "at /format"),
    ])
    func aBrokenManifestIsSaidInWords(_ change: String, _ words: String) throws {
        var manifest: [String: JSONValue] = [
            "id": "x", "version": "1", "protocol": 1, "command": ["run"], "accepts": [["type": "*/*"]], "role": "also",
        ]
        let changed = try? JSONSchemaTests.json(change)
        if case .object(let members) = changed { manifest.merge(members) { $1 } }
        let isWhole = changed.map { if case .object(let members) = $0 { !members.isEmpty } else { false } } ?? false
        let text = isWhole ? String(decoding: try JSONLines.encode(manifest), as: UTF8.self) : change
        try folder.write("one/sink.json", text)
        try folder.write("one/run", "", mode: 0o755)
        let warnings = registry("one").warnings
        #expect(warnings.count == 1 && warnings[0].contains(words), "\(warnings)")
        #expect(!warnings.contains { $0.contains("DecodingError") || $0.contains("CodingKeys") })
    }

    @Test func aManifestHasALimitAndIsAFile() throws {
        try folder.write("one/sink.json", String(repeating: " ", count: InstalledSink.maximumManifestBytes) + "{}")
        try folder.write("two/sink.json/x", "")
        #expect(mkfifo(folder["three"].string, 0o600) == 0)
        try FileManager.default.createDirectory(atPath: folder["four"].string, withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: folder["three"].string, toPath: folder["four/sink.json"].string)
        let warnings = registry("one", "two", "four").warnings
        #expect(warnings.count == 3 && warnings[0].contains("is longer than"), "\(warnings)")
    }

    @Test func orderAndEnabledAreThePersons() throws {
        for id in ["a", "b", "c", "d"] { try install("one/\(id)", id: id) }
        try folder.write("config/sinks/c.json", #"{"order": -1}"#)
        try folder.write("config/sinks/a.json", #"{"order": 1}"#)
        try folder.write("config/sinks/d.json", #"{"enabled": false}"#)
        let registry = registry("one")
        #expect(registry.sinks.map(\.id) == ["c", "b", "a"])
        #expect(Router(registry: registry).sinks(for: .pdf).map(\.id) == ["c"])
        #expect(registry.found.map(\.manifest).count == 4 && registry.warnings == [])
    }

    /// A sink with broken settings does not start. Its deliveries wait for it, because another sink would keep them for
    /// good.
    @Test func brokenSettingsLeaveTheSinkItsPlace() async throws {
        try install("one/a", id: "a", type: "text/plain")
        try install("one/b", id: "b")
        try folder.write("config/sinks/a.json", #"{"enabeld": false}"#)
        let registry = registry("one")
        #expect(Router(registry: registry).sinks(for: .plainText).map(\.id) == ["a"])
        #expect(registry.warnings.count == 1 && registry.warnings[0].contains("did you mean 'enabled'?"))
        let sink = try #require(registry["a"])
        await #expect(throws: SinkObstacle.self) { try await sink.configuration() }
    }

    @Test func aRouteSaysWhy() throws {
        try install("one/any", id: "any")
        try install("one/net", id: "net", type: "text/plain", more: #", "needs": {"network": true}"#)
        try install("one/family", id: "family", type: "text/*")
        let route = SinkSurvey(registry: registry("one")).route(.plainText)
        #expect(route.candidates.map(\.sink) == ["net", "family", "any"])
        #expect(route.candidates.map(\.fit) == ["exact", "family", "anything"])
        #expect(route.candidates.map(\.chosen) == [true, false, false])
        #expect(route.candidates[0].obstacle?.contains("its settings do not allow") == true)
    }
}
