import Foundation
import ShareModel
import SystemPackage
import Testing

@testable import sluice

/// The output of `sluice sinks list` and `route`, as text and as JSON.
@Suite struct SinksTests {
    private let folder: TestFolder
    private let program: Program

    private struct Message: Decodable {
        var sink: [String: JSONValue]?
        var route: [String: JSONValue]?
    }

    init() throws {
        folder = try TestFolder()
        for (name, type) in [("mine", "image/png"), ("hidden/keep", "*/*"), ("broken", "nothing")] {
            let id = FilePath(name).lastComponent?.string ?? ""
            try folder.write(
                "sinks/\(id)/sink.json",
                """
                {"id": "\(id)", "version": "7", "protocol": 1, "command": ["run"], "accepts": [{"type": "\(type)"}],
                 "role": "also", "needs": {"network": true}}
                """)
            try folder.write("sinks/\(id)/run", "", mode: 0o755)
        }
        try folder.write("config/sinks/mine.json", #"{"network": true, "order": 3}"#)
        program = Program(container: folder["c"], sinks: folder["sinks"], configuration: folder["config"])
    }

    private func messages(_ end: Program.End) throws -> [Message] {
        try end.output.split(separator: "\n").map { try JSONLines.decode(Message.self, from: $0.utf8) }
    }

    @Test func theListShowsEverySinkThatWasFound() throws {
        let end = try program.run(["sinks", "list", "--json"])
        #expect(end.status == 0 && end.errors.isEmpty)
        let sinks = try messages(end).compactMap(\.sink)
        let standings = sinks.map { [$0["id"], $0["standing"], $0["network"]] }
        #expect(
            standings.prefix(3) == [[nil, "broken", nil], ["keep", "used", "wanted"], ["mine", "used", "allowed"]])
        let bundled = try #require(sinks.last { $0["id"] == "keep" })
        #expect(bundled["standing"] == "shadowed")
        #expect(bundled["shadowed_by"] == .string(folder["sinks/keep/sink.json"].string))
        #expect(sinks[2]["order"] == 3 && sinks[2]["accepts"] == ["image/png"] && sinks[2]["version"] == "7")
    }

    @Test func theListIsReadable() throws {
        let end = try program.run(["sinks"])
        for words in [
            "broken", "/accepts/0/type must be a type such as", "keep 7 cannot be started", "keep 0.1.0 hidden",
        ] {
            #expect(end.output.contains(words), "\(end.output)")
        }
    }

    @Test func aRouteNamesTheWinnerAndTheReason() throws {
        let png = [UInt8]([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D] + Array("IHDR".utf8))
        let file = try folder.write("picture", png)
        let end = try program.run(["sinks", "route", "--json", "image/png", file.string])
        #expect(end.status == 0)
        let routes = try messages(end).compactMap(\.route)
        #expect(routes.map { $0["type"] } == ["image/png", "image/png"])
        #expect(routes.map { $0["path"] } == [nil, .string(file.string)])
        guard case .array(let candidates) = routes[0]["candidates"] else { throw Program.Failure(end.output) }
        let told = candidates.compactMap { value -> [JSONValue?]? in
            guard case .object(let candidate) = value else { return nil }
            return [candidate["sink"], candidate["fit"], candidate["chosen"]]
        }
        #expect(told == [["image-import", "family", true], ["keep", "anything", true], ["mine", "exact", true]])
    }

    /// The program runs in a folder that has a folder `image/png`.
    @Test func aFolderDoesNotHideAType() throws {
        try folder.write("image/png/picture", "")
        try folder.write(
            "here", "#!/bin/sh\ncd '\(folder.path)' && exec '\(Program.folder.path)/sluice' \"$@\"\n", mode: 0o755)
        var there = program
        there.executable = folder["here"]
        let end = try there.run(["sinks", "route", "--json", "image/png"])
        #expect(end.status == 0, "\(end.errors)")
        #expect(try messages(end).compactMap(\.route).map { $0["type"] } == ["image/png"])
    }

    /// Some sinks accept dozens of types.
    @Test func aListIsShort() throws {
        let office = "application/vnd.ms-powerpoint"
        let short = try program.run(["sinks", "list"])
        #expect(short.status == 0 && !short.output.contains(office))
        #expect(short.output.contains(/primary: .* and \d+ others; --all names all\n/), "\(short.output)")
        let all = try program.run(["sinks", "list", "--all"])
        #expect(all.status == 0 && all.output.contains(office) && !all.output.contains("--all names all"))
    }

    @Test(arguments: [
        (6, "text/t6"), (7, "text/t6 and 1 other; --all names all"), (8, "text/t6 and 2 others; --all names all"),
    ])
    func aListNamesTheFirstTypes(_ count: Int, _ end: String) throws {
        let types = (1...count).map { #"{"type": "text/t\#($0)"}"# }.joined(separator: ", ")
        try folder.write(
            "sinks/many/sink.json",
            """
            {"id": "many", "version": "7", "protocol": 1, "command": ["run"], "accepts": [\(types)], "role": "also"}
            """)
        try folder.write("sinks/many/run", "#!/bin/sh\n", mode: 0o755)
        let list = try program.run(["sinks", "list"])
        #expect(list.output.contains("also: text/t1, ") && list.output.contains("text/t5, \(end)\n"), "\(list)")
    }

    /// The user sets the secret up with these commands, and should hear of it before the first delivery.
    @Test(arguments: [["list"], ["run", "token", "/etc/hostname"]])
    func aSecretThatOthersMayReadIsWarnedOf(_ command: [String]) throws {
        try folder.write("secret", "s3cret-token", mode: 0o644)
        try folder.write(
            "sinks/token/sink.json",
            #"{"id": "token", "version": "1", "protocol": 1, "command": ["run"], "accepts": [{"type": "*/*"}], "role": "also", "secrets": ["t"]}"#
        )
        try folder.write("sinks/token/run", "#!/bin/sh\n", mode: 0o755)
        try folder.write("config/sinks/token.json", #"{"secrets": {"t": {"file": "\#(folder["secret"])"}}}"#)
        let end = try program.run(["sinks"] + command)
        #expect((end.output + end.errors).contains("chmod 600"), "\(end)")
        if command == ["list"] {
            let sinks = try messages(program.run(["sinks", "list", "--json"])).compactMap(\.sink)
            guard case .array(let cautions) = sinks.first(where: { $0["id"] == "token" })?["cautions"] else {
                throw Program.Failure("no cautions: \(sinks)")
            }
            #expect(cautions.count == 1)
        }
    }

    @Test func aRouteWithoutASinkOrAReadableFileExitsWithStatusOne() throws {
        let end = try program.run(["sinks", "route", "font/woff2", "no-such-file"])
        #expect(end.status == 1)
        #expect(end.errors.contains("no-such-file: no such file"))
        #expect(try program.run(["sinks", "route"]).status == 64)
    }

    @Test func placesComeFromTheEnvironment() {
        func places(_ variables: [String: FilePath]) -> SinkPlaces {
            SinkPlaces(environment: { variables[$0] }, list: { variables[$0].map { [$0] } ?? [] })
        }
        #expect(places([:]).folders == [] && places([:]).configuration == nil)
        #expect(places(["HOME": "/h"]).folders == ["/h/.local/share/sluice/sinks"])
        #expect(places(["HOME": "/h"]).configuration == "/h/.config/sluice")
        let all = places([
            "HOME": "/h", "SLUICE_SINKS": "/s", "XDG_DATA_HOME": "/d", "XDG_CONFIG_HOME": "relative",
        ])
        #expect(all.folders == ["/s", "/d/sluice/sinks"] && all.named == ["/s"])
        #expect(all.configuration == "/h/.config/sluice")
        #expect(places(["HOME": "/h", "SLUICE_CONFIG": "c"]).configuration == "c")
    }
}
