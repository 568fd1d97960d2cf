import Foundation
import ShareModel
import SinkKit
import SystemPackage
import Testing

@testable import ContainerTools
@testable import Files
@testable import Ingestion
@testable import SinkHost

/// The specification's examples, the JSON Schemas and SinkKit agree.
@Suite struct SpecificationTests {
    private typealias JSON = ShareModel.JSONValue

    private static let root = FilePath(#filePath).removingLastComponent().appending("../../..").lexicallyNormalized()
    private static let messages = [
        "host": ["hello", "configure", "deliver", "check", "cancel", "response", "goodbye"],
        "sink": ["hello", "ready", "progress", "done", "fail", "checked", "request", "transfer"],
    ]

    private static func text(_ path: String) throws -> String {
        String(decoding: try Disk.bytes(root.appending(path)), as: UTF8.self)
    }

    private static func page() throws -> String { try text("Sources/SinkKit/Documentation.docc/SinkProtocol.md") }

    private static func document(_ side: String, _ name: String) throws -> JSON {
        try SinkProtocol.message(JSON.self, from: text("Sources/SinkKit/Schemas/\(side)/\(name).schema.json").utf8)
    }

    /// The examples of the page: the speaking side, the name of the message, the line.
    private static func examples() throws -> [(side: String, name: String, line: String)] {
        try page().split(separator: "\n").compactMap { line in
            guard let match = line.wholeMatch(of: #/ {4}(host|sink)> (\{"([a-z]+)".*\})/#) else { return nil }
            return (String(match.1), String(match.3), String(match.2))
        }
    }

    /// The JSON blocks of the page.
    private static func blocks() throws -> [String] {
        try page().split(separator: "```json\n").dropFirst().compactMap {
            $0.split(separator: "\n```").first.map(String.init)
        }
    }

    private static func decode(_ side: String, _ line: some Sequence<UInt8>) throws {
        if side == "host" {
            _ = try SinkProtocol.message(HostMessage.self, from: line)
        } else {
            _ = try SinkProtocol.message(SinkMessage.self, from: line)
        }
    }

    @Test func everyExampleIsAMessage() throws {
        let examples = try Self.examples()
        for (side, names) in Self.messages {
            #expect(Set(names) == Set(examples.filter { $0.side == side }.map(\.name)), "the examples of the \(side)")
        }
        for (side, name, line) in examples {
            let schema = try JSONSchema(Self.document(side, name))
            let value = try SinkProtocol.message(JSON.self, from: line.utf8)
            #expect(schema.violations(of: value) == [], "\(line)")
            #expect(throws: Never.self) { try Self.decode(side, line.utf8) }
        }
        #expect(
            try Self.page().components(separatedBy: "host> {").count
                + Self.page().components(separatedBy: "sink> {").count - 2 == examples.count)
    }

    /// The paths of the examples are those that a work folder gives to parts in the sandbox.
    @Test func everyExampleHasThePathsOfAWorkFolder() throws {
        let folder = try TestFolder()
        let work = try WorkFolder(folder["work"], on: SystemFileSystem()) { root in
            SinkLaunch(
                executable: "/bin/true", arguments: [], environment: [:], containment: .sandbox, ownerID: nil,
                views: [(host: root.appending("in"), sink: "/in")])
        }
        var count = 0
        for example in try Self.examples() {
            let message = try? SinkProtocol.message(HostMessage.self, from: example.line.utf8)
            guard case .deliver(let delivery)? = message else { continue }
            let slot = try #require(delivery.out.split(separator: "/").last.flatMap { Int($0) })
            for (place, part) in delivery.parts.enumerated() {
                let hosted = HostedPart(
                    role: part.role, name: part.name, type: part.type, size: 1, sha256: Digest(of: ""), localFile: nil
                ) { try FileDescriptor.open("/dev/null", .readOnly) }
                #expect(try work.addPart(hosted, place: place, slot: slot).inside.string == part.path)
                count += 1
            }
        }
        #expect(count > 5)
    }

    @Test func requiredFieldsCannotBeLeftOut() throws {
        var count = 0
        for (side, name, line) in try Self.examples() {
            guard case .object(let schema) = try Self.document(side, name),
                case .object(let all)? = schema["properties"],
                case .object(let body)? = all[name], case .array(let required)? = body["required"],
                case .object(var message) = try SinkProtocol.message(JSON.self, from: line.utf8),
                case .object(let whole)? = message[name]
            else { continue }
            for case .string(let key) in required {
                var less = whole
                less[key] = nil
                message[name] = .object(less)
                count += 1
                #expect(
                    try JSONSchema(.object(schema)).violations(of: .object(message)) != [], "\(name) without \(key)")
                #expect(throws: DecodingError.self) { try Self.decode(side, SinkProtocol.line(JSON.object(message))) }
            }
        }
        #expect(count > 50)
    }

    @Test(arguments: [
        HostMessage.hello(.init(protocol: 1, host: "h")),
        .hello(.init(protocol: 1, host: "h", features: [.check, .cancel], requires: [.check])),
        .configure(.init(config: [:])), .configure(.init(config: ["a": [1]], secrets: ["t": "x"])),
        .deliver(
            .init(
                id: "1", key: "k", attempt: 2, title: "a\nb", text: "", parts: [part(path: "/in/1/x")], out: "/out/1")),
        .deliver(.init(id: "1", key: "k", attempt: 1, parts: [part(path: nil)], out: "")),
        .check(.init(id: "1", key: "k")), .cancel(.init(id: "1")), .goodbye,
        .response(.init(id: "1", name: "r", status: 200, headers: ["a": "b"], text: "t")),
        .response(.init(id: "1", name: "r", status: 500, base64: "AA==")),
        .response(.init(id: "1", name: "r", failure: .init(class: .auth, why: "w", mayHaveArrived: true))),
    ])
    func aHostsMessagesSatisfyTheirSchemas(_ message: HostMessage) throws {
        try check("host", SinkProtocol.line(message))
    }

    @Test(arguments: [
        SinkMessage.hello(.init(protocol: 1, id: "s", version: "1")),
        .hello(
            .init(
                protocol: 1, id: "s", version: "1", maxInFlight: 4, maxDeliveries: 1, features: [.check], requires: [])),
        .ready, .progress(.init(id: "1")), .progress(.init(id: "1", fraction: 0.5)),
        .done(.init(id: "1", status: .duplicate)), .done(.init(id: "1", status: .declined, why: "w")),
        .done(
            .init(
                id: "1", status: .delivered, metadata: ["n": 1],
                products: [.init(path: "a/b", role: "text", type: "text/plain")])),
        .fail(.init(id: "1", class: .transient, retryAfterMilliseconds: 5, why: "w")),
        .fail(.init(id: "1", class: .auth, why: "w")), .checked(.init(id: "1", answer: .unknown)),
        .request(.init(id: "1", name: "r", method: "GET", url: "https://example.org/")),
        .request(
            .init(
                id: "1", name: "r", method: "PUT", url: "/a", account: true, headers: ["a": "b"],
                body: .init(part: 0))),
    ])
    func aSinksMessagesSatisfyTheirSchemas(_ message: SinkMessage) throws {
        try check("sink", SinkProtocol.line(message))
    }

    private func check(_ side: String, _ line: [UInt8]) throws {
        let value = try SinkProtocol.message(JSON.self, from: line)
        guard case .object(let message) = value, let name = message.keys.first else {
            throw Program.Failure("\(value)")
        }
        #expect(try JSONSchema(Self.document(side, name)).violations(of: value) == [])
    }

    private static func part(path: String?) -> Delivery.Part {
        .init(
            role: .movie, path: path, name: "x", type: "video/mp4", size: 0, sha256: String(repeating: "0f", count: 32))
    }

    @Test func declinedNeedsAReason() throws {
        let line = try SinkProtocol.line(SinkMessage.done(.init(id: "1", status: .declined)))
        let value = try SinkProtocol.message(JSON.self, from: line)
        #expect(try JSONSchema(Self.document("sink", "done")).violations(of: value) != [])
    }

    @Test func theBlocksAreAManifestAndItsSettings() throws {
        let blocks = try Self.blocks()
        try #require(blocks.count == 2)
        let folder = try TestFolder()
        let manifest = try folder.write("album/sink.json", blocks[0])
        try folder.write("album/album", "", mode: 0o755)
        try folder.write("config/sinks/album.json", blocks[1])
        var sink = try InstalledSink(reading: manifest)
        sink.takeSettings(from: folder["config"])
        #expect(sink.settingsFault == nil && sink.obstacle == nil)
        #expect(sink.manifest.secrets == ["token"] && sink.settings.order == -1 && sink.allowsNetwork)
    }

    @Test func aManifestSatisfiesItsSchema() throws {
        var manifest = SinkManifest.withEveryKey
        // The test of the host's reader has an object.
        manifest.config = true
        let value = try SinkProtocol.message(JSON.self, from: SinkProtocol.line(manifest))
        #expect(JSONSchema.manifest.violations(of: value) == [])
    }

    /// The page states the limits of the code.
    @Test func theNumbersAreThoseOfTheCode() throws {
        let page = try Self.page()
        func grouped(_ number: Int) -> String { number.formatted(.number.locale(.init(identifier: "en_US"))) }
        for number in [
            SinkProtocol.maximumLineBytes, InstalledSink.maximumManifestBytes, SinkSettings.maximumBytes,
            DeliveryLimits().metadataBytes, DeliveryLimits().metadataValues, DeliveryLimits().products,
            SchemaPattern.maximumLength,
            SchemaPattern.maximumSteps, SinkProcess.logLimit,
        ] {
            #expect(page.contains(grouped(number)), "\(number)")
        }
        #expect(page.contains("of at most \(DeliveryLimits().productBytes >> 20) MiB"))
        #expect(page.contains("at most \(DeliveryLimits().productsBytes >> 20) MiB together"))
        #expect(page.contains("up to \(SearchRow.textLimit >> 20) MiB for"))
        #expect(page.contains("at least \(Redactor.shortestSecret) characters"))
        // The code counts the schema itself too.
        #expect(page.contains("at most \(JSONSchema.maximumSchemas - 1) subschemas"))
        for (name, time) in [
            ("startup_s", SinkManifest.Limits().startup), ("stall_s", SinkManifest.Limits().stall),
            ("total_s", SinkManifest.Limits().total),
        ] {
            let row = page.split(separator: "\n").first { $0.contains("(`\(name)`)") }
            #expect(row?.hasSuffix("| \(time.components.seconds) s |") == true, "\(name)")
        }
        let disk = grouped(Int(DeliveryLimits().sinkBytes >> 20))
        #expect(page.contains("including products that the host has not taken yet | \(disk) MiB |"))
        let (standard, most) = (SinkBounds.standard, SinkBounds.most)
        #expect(page.contains("(`memory_mib`) | \(grouped(standard.memoryMiB)) MiB | \(grouped(most.memoryMiB)) MiB |"))
        #expect(
            page.contains("(`processor_s`) | \(standard.processorSeconds) s | \(grouped(most.processorSeconds)) s |"))
        #expect(page.contains("(`file_mib`) | \(grouped(standard.fileMiB)) MiB | \(grouped(most.fileMiB)) MiB |"))
        #expect(page.contains("(`processes`) | \(standard.processes) | \(grouped(most.processes)) |"))
    }
}
