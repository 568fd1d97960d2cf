import Foundation
import SinkKit
import Testing

/// Runs a real sink program over deliveries with the test's content, until its input ends.
struct SinkRun {
    /// The answers, in order.
    let messages: [SinkMessage]
    let status: Int32
    /// The folder of the products; it has one folder for each delivery, named by the delivery's id.
    let out: URL

    /// The content of a delivery; its first part has the role `content`.
    struct Input {
        var content: Data
        var type: String
        var name = "content"
        var title: String?
        var text: String?
        /// Further parts: role, type, content.
        var others: [(role: Delivery.Part.Role, type: String, content: Data)] = []
    }

    /// The only answer of a run with one delivery.
    var done: SinkMessage.Done {
        get throws {
            let answers = messages.compactMap { if case .done(let done) = $0 { done } else { nil } }
            try #require(answers.count == 1, "\(messages)")
            return answers[0]
        }
    }

    /// The metadata of the only answer.
    var metadata: [String: JSONValue] {
        get throws {
            guard case .object(let metadata) = try done.metadata else { return [:] }
            return metadata
        }
    }

    /// The content of the only product of a role in the only answer.
    func product(_ role: String) throws -> Data {
        let products = (try done.products ?? []).filter { $0.role == role }
        try #require(products.count == 1)
        return try Data(contentsOf: out.appending(path: "0").appending(path: products[0].path))
    }

    /// - Parameter path: the `PATH` of the sink; by default that of the tests.
    init(_ sink: String, _ inputs: [Input], path: String? = nil) throws {
        let folder = URL.temporaryDirectory.appending(path: "sink-run-\(UUID().uuidString)")
        out = folder.appending(path: "out")
        let deliveries = try inputs.enumerated().map { try Self.delivery($1, id: "\($0)", in: folder) }
        let lines: [HostMessage] =
            [.hello(.init(protocol: SinkProtocol.version, host: "tests")), .configure(.init(config: [:]))]
            + deliveries.map { .deliver($0) } + [.goodbye]
        let environment = path.map { ["/usr/bin/env", "PATH=\($0)"] } ?? []
        (messages, status) = try Self.talk(
            to: environment + [Self.program(sink)], lines.flatMap { try SinkProtocol.line($0) })
    }

    /// Runs a command, writes the lines to it, closes its input, and waits for its end.
    static func talk(to command: [String], _ lines: [UInt8]) throws -> (messages: [SinkMessage], status: Int32) {
        let process = Process()
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst())
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (input, output)
        process.standardError = FileHandle.nullDevice
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: lines)
        try input.fileHandleForWriting.close()
        let written = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        var buffer = LineBuffer(limit: SinkProtocol.maximumLineBytes)
        buffer.append(written)
        var messages: [SinkMessage] = []
        while let line = try buffer.next() {
            messages.append(try SinkProtocol.message(SinkMessage.self, from: line))
        }
        return (messages, process.terminationStatus)
    }

    /// The built program of a sink.
    static func program(_ sink: String) throws -> String {
        let path = Program.folder.appending(path: sink).path
        try #require(FileManager.default.isExecutableFile(atPath: path), "\(path) is missing; build the whole package")
        return path
    }

    static func delivery(_ input: Input, id: String, in folder: URL) throws -> Delivery {
        let content = folder.appending(path: "in-\(id)")
        let out = folder.appending(path: "out").appending(path: id)
        for directory in [content, out] {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        }
        let all = [(role: Delivery.Part.Role.content, type: input.type, content: input.content)] + input.others
        let parts = try all.enumerated().map { index, part in
            let path = content.appending(path: index == 0 ? input.name : "part-\(index)")
            try part.content.write(to: path)
            return Delivery.Part(
                role: part.role, path: path.path, name: path.lastPathComponent, type: part.type,
                size: Int64(part.content.count), sha256: String(repeating: "\(index)", count: 64))
        }
        return Delivery(
            id: id, key: "key-\(id)", attempt: 1, title: input.title, text: input.text, parts: parts, out: out.path)
    }
}
