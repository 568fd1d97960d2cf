import Foundation
import GroupContainer
import ShareModel
import SystemPackage

/// A container, the example sink `post-link`, its account, and the service of the tests.
final class AccountScene {
    let folder: TestFolder
    var program: Program
    let service: LinkService

    static let here = URL(filePath: #filePath).deletingLastPathComponent()
    private static let example = here.appending(path: "../../../Plugins/examples/post-link").standardizedFileURL

    /// - Parameter keychain: the value of `SLUICE_KEYCHAIN`.
    init(keychain: String = "file") throws {
        folder = try TestFolder()
        service = try LinkService()
        program = Program(container: folder["container"], sinks: folder["sinks"], configuration: folder["config"])
        program.variables = [
            "XDG_DATA_HOME": folder["data"].string, "HOME": folder["home"].string, "SLUICE_KEYCHAIN": keychain,
            "XDG_RUNTIME_DIR": folder["runtime"].string, "DBUS_SESSION_BUS_ADDRESS": "",
        ]
        _ = try Container.open(at: folder["container"])
        try addSink("post-link", account: "notes")
    }

    /// Installs a copy of the example under another name.
    ///
    /// - Parameter isIdempotent: whether its manifest says that its service knows keys.
    func addSink(
        _ id: String, account: String, isIdempotent: Bool = true, hasPassword: Bool = false
    ) throws {
        for name in ["sink.json", "post-link"] {
            var text = try String(contentsOf: Self.example.appending(path: name), encoding: .utf8)
                .replacingOccurrences(of: "\"post-link\"", with: "\"\(id)\"")
            if name == "post-link" {
                try folder.write("sinks/\(id)/\(id)", text, mode: 0o755)
            } else {
                text = text.replacingOccurrences(of: "\"idempotent\": true", with: "\"idempotent\": \(isIdempotent)")
                try folder.write("sinks/\(id)/sink.json", text)
            }
        }
        try folder.write(
            "config/sinks/\(id).json",
            """
            {"network": true, "config": {"url": "\(service.address)/links", "password": \(hasPassword)}, "secrets": {"token": {"account": "\(account)"}},
             "limits": {"startup_s": 3600, "stall_s": 3600, "total_s": 3600}}
            """)
    }

    /// Installs a copy of the example that sends files without a network, for the account `notes`.
    func addSendFile() throws {
        let example = Self.here.appending(path: "../../../Plugins/examples/send-file").standardizedFileURL
        for name in ["sink.json", "send-file"] {
            let text = try String(contentsOf: example.appending(path: name), encoding: .utf8)
            try folder.write("sinks/send-file/\(name)", text, mode: 0o755)
        }
        try folder.write("config/sinks/send-file.json", #"{"account": "notes"}"#)
    }

    /// `sluice account add`, for a kind of login.
    ///
    /// - Parameter asks: whether the service says who is logged in.
    func addAccount(_ name: String = "notes", kind: String = "oauth", asks: Bool = true, _ more: String...) throws {
        try addAccount(name, kind: kind, asks: asks, more)
    }

    func addAccount(_ name: String = "notes", kind: String = "oauth", asks: Bool = true, _ more: [String]) throws {
        var arguments = ["account", "add", name, "--kind", kind, "--plain-http"]
        if asks { arguments += ["--who-url", "\(service.address)/me", "--who-field", "account/login"] }
        if kind == "oauth" {
            arguments += ["--device-url", "\(service.address)/device", "--token-url", "\(service.address)/token"]
            arguments += ["--client-id", "sluice", "--scope", "offline upload"]
        }
        let end = try program.run(arguments + more)
        guard end.status == 0 else { throw Program.Failure(end.errors) }
    }

    /// `sluice account login`.
    @discardableResult
    func logIn(_ name: String = "notes", as user: String? = nil, secret: String = "") throws -> Program.End {
        if let user, secret.isEmpty { try service.change(["approval": .string(user)]) }
        let end = try program.run(["account", "login", name], input: secret + "\n")
        guard end.status == 0 else { throw Program.Failure(end.errors) }
        return end
    }

    /// Moves the times in the keychain of files.
    func moveKeychain(by milliseconds: Int64) throws {
        struct Entry: Codable {
            var key: [String: String]
            var secret: String
        }
        let path = folder["data/sluice/keychain"].string
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            let url = URL(filePath: "\(path)/\(name)")
            var entry = try JSONDecoder().decode(Entry.self, from: Data(contentsOf: url))
            guard case .object(var members) = try JSONValue(json: Array(entry.secret.utf8)) else { continue }
            for key in ["began", "end"] {
                if case .integer(let time)? = members[key] { members[key] = .integer(time + milliseconds) }
            }
            entry.secret = String(decoding: try JSONLines.encode(JSONValue.object(members)), as: UTF8.self)
            try JSONEncoder().encode(entry).write(to: url)
        }
    }

    /// `sluice share` of a link; returns the package.
    @discardableResult
    func share(_ link: String) throws -> String {
        let end = try program.run(["share", "--json", link])
        guard end.status == 0 else { throw Program.Failure(end.errors) }
        return try end.receipt.packageID
    }

    /// The outcome of the delivery of a package to the example, its attempts and its reason.
    func delivery(of package: String, to sink: String = "post-link") throws -> DeliveryRecord {
        let receipt = try program.run(["show", "--json", package]).receipt
        guard let record = receipt.providers.flatMap(\.deliveries).first(where: { $0.sink == sink }) else {
            throw Program.Failure("no delivery to \(sink)")
        }
        return record
    }
}

/// The service of the tests, in a process of its own: `service.py`.
final class LinkService {
    /// `http://127.0.0.1:PORT`
    let address: String
    private let process = Process()
    private let input = Pipe()

    /// What it has seen.
    struct Seen: Decodable, Equatable {
        var links: [[String]]
        var keys: [String]
        var refreshes: Int
        var reuses: Int
        var logins: Int
        var refusals: Int
        var polls: Int
        var scopes: [String]
        /// The files: person, method, name, size and digest.
        var files: [[JSONValue]]
        /// The number of requests to `/files`, also those that have no answer yet.
        var waiting: Int
    }

    private struct Answer: Decodable {
        var seen: Seen
        var secrets: [String]
    }

    init() throws {
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", AccountScene.here.appending(path: "service.py").path]
        (process.standardInput, process.standardOutput) = (input, output)
        process.standardError = FileHandle.nullDevice
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw Program.Failure("the service of the tests does not start; it needs Flask, Authlib and waitress")
        }
        address = "http://127.0.0.1:\(port)"
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.terminate()
        process.waitUntilExit()
    }

    /// Changes what it does; see the names in `service.py`.
    func change(_ change: JSONValue) throws {
        _ = try ask([
            "-H", "Content-Type: application/json", "-d", String(decoding: JSONLines.encode(change), as: UTF8.self),
        ])
    }

    var files: [[JSONValue]] { get throws { try seen.files } }
    var waiting: Int { get throws { try seen.waiting } }
    var seen: Seen { get throws { try ask([]).seen } }
    /// The tokens that it has given out.
    var secrets: [String] { get throws { try ask([]).secrets } }

    private func ask(_ arguments: [String]) throws -> Answer {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["curl", "-s", "--noproxy", "*"] + arguments + ["\(address)/control"]
        process.standardOutput = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return try JSONDecoder().decode(Answer.self, from: bytes)
    }
}
