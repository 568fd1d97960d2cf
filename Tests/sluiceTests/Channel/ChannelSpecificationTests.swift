import Foundation
import ShareModel
import SinkHost
import Testing

@testable import GroupChannel

/// The page, the schemas and the module agree.
@Suite(.timeLimit(.minutes(10))) struct ChannelSpecificationTests {
    private static let folder = PackageDump.root.appending(path: "Sources/GroupChannel")

    private static func page() throws -> String {
        try String(contentsOf: folder.appending(path: "Documentation.docc/ChannelProtocol.md"), encoding: .utf8)
    }

    private static var lines: [(String, OutgoingLine)] {
        [
            ("hello", .hello(ChannelTypes(Ping.self, News.self))), ("hello", .hello(ChannelTypes())),
            ("request", .request(1, Ping(number: 1), descriptors: 0)),
            ("request", .request(.max, Unanswered(), descriptors: 16)),
            ("response", .response(1, 2, descriptors: 0)), ("response", .response(1, ["a": [1]], descriptors: 1)),
            ("message", .message(News(word: "a\nb"), descriptors: 0)),
            ("message", .message(News(word: ""), descriptors: 3)),
            ("refused", .refused(Refusal(.malformed, "why", id: nil, type: nil))),
            ("refused", .refused(Refusal(.unknownType, "why", id: 3, type: "ping"))),
            ("goodbye", .goodbye(nil)), ("goodbye", .goodbye("why")),
        ]
    }

    @Test func linesSatisfyTheirSchemas() throws {
        for (name, line) in Self.lines {
            let schema = try Data(contentsOf: Self.folder.appending(path: "Schemas/\(name).schema.json"))
            let bytes = try line.bytes(limit: 1 << 20)
            let violations = try JSONSchema(JSONValue(json: Array(schema)))
                .violations(of: JSONValue(json: bytes))
            #expect(violations == [], "\(name)")
            // The value comes last, so that a line that is too long has a readable head.
            if ["request", "message"].contains(name) { #expect(LineHead.of(bytes) != nil) }
        }
        let schemas = Disk.names(in: .init(Self.folder.appending(path: "Schemas").path))
        #expect(Set(schemas) == Set(Self.lines.map { "\($0.0).schema.json" }))
    }

    @Test func thePageHasTheLimits() throws {
        let page = try Self.page()
        let limits = ChannelLimits()
        for (name, figure) in [
            ("length of a line", "1,048,576 bytes"), ("levels", "32"), ("open files of a line", "16"),
            ("bytes that wait for a reader", "4 MiB"), ("messages not taken and requests not answered", "256"),
            ("requests that wait for an answer", "1,024"), ("connections of a server", "1,024"),
            ("time for the greeting, and for a queue without progress", "10 s"),
        ] { #expect(page.contains("| \(name) | \(figure) |")) }
        #expect(limits.lineBytes == 1_048_576 && limits.depth == 32 && limits.descriptors == 16)
        #expect(limits.queueBytes == 4 << 20 && limits.openMessages == 256 && limits.openRequests == 1_024)
        #expect(limits.connections == 1_024 && limits.patience == .seconds(10))
        #expect(Mirror(reflecting: limits).children.count == 8, "each limit is in the table")
        for code: Refusal.Code in [.unknownType, .malformed, .tooDeep, .tooLarge, .notAllowed, .unanswered] {
            #expect(page.contains("| `\(code.rawValue)` |"))
        }
    }

    private struct Status: ChannelRequest {
        static let type = "status"
        typealias Answer = String
    }

    /// The client in Python, as the page shows it.
    @Test func theClientOfThePageWorks() async throws {
        let code = try #require(
            Self.page().components(separatedBy: "```python\n").last?.components(separatedBy: "```").first)
        let folder = try TestFolder()
        try FileManager.default.createDirectory(atPath: folder["run"].string, withIntermediateDirectories: true)
        let address = ChannelAddress(folder: folder["run"], name: "agent")
        let server = ChannelServer(.address(address), accepting: ChannelTypes(Status.self))
        var connections = try server.start().makeAsyncIterator()
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", code]
        process.currentDirectoryURL = URL(filePath: folder.path.string)
        process.standardOutput = output
        try process.run()
        let connection = try #require(await connections.next())
        for await event in connection.events {
            if case .request(let request) = event { try request.answer("three wait") }
        }
        #expect(try await process.end() == 0)
        #expect(String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self) == "three wait\n")
    }
}
