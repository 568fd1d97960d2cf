import Foundation
import ShareModel
import SystemPackage
import Testing

/// The table of requests: each file of `Cases` is one, with the real programs and real servers. To add a case, add a file.
@Suite(.timeLimit(.minutes(5))) struct RequestCaseTests {
    struct Case: Decodable {
        var what: String
        /// What the mock asks for: the method, the URL and more; see its behavior `request`. SERVICE, HOSTILE, HOSTILEPORT and TLSPORT stand for
        /// the servers.
        var request: [String]
        var behavior: String?
        var features: String?
        /// The address of the account; `SERVICE/files` by default.
        var url: String?
        var kind: String?
        /// More arguments of `account add`.
        var add: [String]?
        var login: Bool?
        /// Whether the settings name the account; `true` by default.
        var account: Bool?
        /// The key `hosts` of the sink's settings.
        var hosts: [String]?
        var limits: JSONValue?
        /// The size of the content; 4 bytes by default.
        var content: Int?
        /// A change of the service after the login.
        var service: JSONValue?
        /// How many times `sluice deliver` runs afterward.
        var deliver: Int?
        /// What the mock got, as far as it matters.
        var answer: [String: JSONValue]?
        /// What the reason of its failure has.
        var why: [String]?
        /// What the answer has, as JSON, and what it has not.
        var says: [String]?
        var saysNot: [String]?
        /// The reason for which the delivery is still open.
        var pending: [String]?
        /// The reason for which the sink was ended.
        var failed: [String]?
        /// What the service has seen: person, method, name and size.
        var files: [[JSONValue]]?
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Cases")

    static let names = Result { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }

    @Test func thereAreCases() throws { #expect(try Self.names.get().count >= 50) }

    @Test(arguments: (try? names.get()) ?? []) func isAsItsFileSays(_ name: String) throws {
        let own = try JSONDecoder().decode(Case.self, from: Data(contentsOf: Self.folder.appending(path: name)))
        let scene = try AccountScene()
        let text = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
        // Its certificate takes a while.
        let hostile = text.contains("HOSTILE") || text.contains("TLSPORT") ? try HostileServer() : nil
        func filled(_ text: String) -> String {
            [
                ("SERVICE", scene.service.address), ("HOSTILEPORT", "\(hostile?.port ?? 0)"),
                ("HOSTILE", "http://127.0.0.1:\(hostile?.port ?? 0)"), ("TLSPORT", "\(hostile?.securePort ?? 0)"),
            ].reduce(text) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
        }
        try scene.addAccount(
            kind: own.kind ?? "token", asks: own.kind != "password",
            ["--url", filled(own.url ?? "SERVICE/files")] + (own.add ?? []).map(filled))
        if own.login ?? true {
            let isPassword = own.kind == "password"
            var program = scene.program
            program.variables["LANG"] = "C.UTF-8"
            let end = try program.run(
                ["account", "login", "notes"] + (isPassword ? ["--user", "ada"] : []),
                input: (isPassword ? "password-of-ada" : "token-of-ada") + "\n")
            try #require(end.status == 0, "\(end.errors)")
        }
        let behavior = own.behavior ?? "request"
        let features = own.features ?? "transfer"
        try MockSink.install(
            [behavior] + own.request.map(filled) + (features.isEmpty ? [] : ["--features", features]),
            in: scene.folder, makesRequests: true)
        var settings: [String: JSONValue] = [
            "hosts": .array((own.hosts ?? []).map { .string(filled($0)) }), "limits": own.limits ?? [:],
        ]
        if own.account ?? true { settings["account"] = "notes" }
        try scene.folder.write(
            "config/sinks/mock.json", String(decoding: JSONLines.encode(JSONValue.object(settings)), as: UTF8.self))
        if let change = own.service { try scene.service.change(change) }
        let content = String(repeating: "word", count: (own.content ?? 4) / 4)
        let end = try scene.program.ingest(try scene.folder.write("in/a.txt", content))
        for _ in 0..<(own.deliver ?? 0) { _ = try scene.program.run(["deliver"]) }
        let receipt = try scene.program.run(["show", "--json", end.receipt.packageID]).receipt
        let record = try #require(
            receipt.providers.flatMap(\.deliveries).first { $0.sink == "mock" }, "\(end.errors)")
        if let reasons = own.pending ?? own.failed {
            let outcomes: [DeliveryOutcome] = own.pending != nil ? [.pending] : [.quarantined, .failed]
            #expect(outcomes.contains(record.outcome), "\(name): \(record)")
            for reason in reasons { #expect(record.why?.contains(reason) == true, "\(name): \(record)") }
        } else {
            #expect(record.outcome == .delivered, "\(name): \(record)")
        }
        let answer = record.metadata ?? [:]
        for (key, value) in own.answer ?? [:] {
            #expect(answer[key] == (value.text.map { .string(filled($0)) } ?? value), "\(name): \(answer)")
        }
        for reason in own.why ?? [] { #expect(answer["why"]?.text?.contains(reason) == true, "\(name): \(answer)") }
        let json = String(decoding: try JSONLines.encode(answer), as: UTF8.self)
        for words in (own.says ?? []).map(filled) { #expect(json.contains(words), "\(name): \(json)") }
        for words in own.saysNot ?? [] { #expect(!json.contains(words), "\(name): \(json)") }
        if let files = own.files {
            #expect(try scene.service.files.map { Array($0.prefix(4)) } == files, "\(name)")
        }
        #expect(!json.contains("token-of-ada") && !json.contains("password-of-ada"))
    }
}

/// A server that misbehaves, in a process of its own: `hostile.py`.
final class HostileServer {
    let port: Int
    /// A server with a certificate for another name.
    let securePort: Int
    /// The file of that certificate.
    let certificate: String
    private let process = Process()
    private let input = Pipe()

    init() throws {
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "python3", URL(filePath: #filePath).deletingLastPathComponent().appending(path: "hostile.py").path,
        ]
        (process.standardInput, process.standardOutput) = (input, output)
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        let words = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).split(separator: " ")
        guard words.count == 3, let port = Int(words[0]), let secure = Int(words[1]) else {
            try? input.fileHandleForWriting.close()
            let why = String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self)
            throw Program.Failure("the hostile server does not start; it needs Python's cryptography: \(words) \(why)")
        }
        (self.port, securePort) = (port, secure)
        certificate = words[2].trimmingCharacters(in: .whitespacesAndNewlines)
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
