import Foundation
import GroupContainer
import ShareModel
import SystemPackage

/// A container, the sink `upload`, its account, and a server.
final class UploadScene {
    let folder: TestFolder
    let program: Program

    /// The folder of the server.
    var serverFolder: URL { URL(filePath: folder["server"].string) }

    /// - Parameter variables: more variables of the environment.
    init(variables: [String: String] = [:]) throws {
        folder = try TestFolder()
        var program = Program(container: folder["container"], sinks: folder["sinks"], configuration: folder["config"])
        program.variables = [
            "XDG_DATA_HOME": folder["data"].string, "HOME": folder["home"].string, "SLUICE_KEYCHAIN": "file",
            "XDG_RUNTIME_DIR": folder["runtime"].string, "DBUS_SESSION_BUS_ADDRESS": "", "LANG": "C.UTF-8",
        ]
        program.variables.merge(variables) { $1 }
        self.program = program
        _ = try Container.open(at: folder["container"])
    }

    /// Adds the account `cloud`, logs in, and writes the settings of the sink.
    ///
    /// - Parameter secret: another one than the right one.
    func setUp(_ service: String, at server: UploadServer, folder path: String? = nil, secret: String? = nil) throws {
        try setUp(
            service, at: server.address, kind: server.kind, user: server.user, secret: secret ?? server.secret,
            folder: path)
    }

    func setUp(
        _ service: String, at address: String, kind: String, user: String?, secret: String, folder path: String? = nil
    ) throws {
        try run(["account", "add", "cloud", "--kind", kind, "--plain-http", "--url", address])
        try run(["account", "login", "cloud"] + (user.map { ["--user", $0] } ?? []), input: secret + "\n")
        var config: [String: JSONValue] = ["service": .string(service)]
        config["folder"] = path.map { .string($0) }
        let settings: JSONValue = ["account": "cloud", "config": .object(config)]
        try folder.write("config/sinks/upload.json", String(decoding: JSONLines.encode(settings), as: UTF8.self))
    }

    @discardableResult
    private func run(_ arguments: [String], input: String = "") throws -> Program.End {
        let end = try program.run(arguments, input: input)
        guard end.status == 0 else { throw Program.Failure(end.errors) }
        return end
    }

    /// A file with content that compresses badly, the same for the same name and size.
    func file(_ name: String, size: Int) throws -> FilePath {
        var generator = Xorshift(seed: name.utf8.reduce(UInt64(size)) { $0 &* 31 &+ UInt64($1) })
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size + 8)
        while bytes.count < size { withUnsafeBytes(of: generator.next()) { bytes += $0 } }
        return try folder.write("in/\(name)", Array(bytes.prefix(size)))
    }

    /// Starts the program, which runs on.
    func start(_ arguments: [String]) throws -> Process {
        let scratch = try TestFolder()
        try scratch.write("input", "")
        return try program.start(arguments, input: scratch["input"], scratch: scratch, output: Pipe())
    }

    /// The delivery of a package to the sink.
    func delivery(of package: String) throws -> DeliveryRecord {
        let receipt = try program.run(["show", "--json", package]).receipt
        guard let record = receipt.providers.flatMap(\.deliveries).first(where: { $0.sink == "upload" }) else {
            throw Program.Failure("no delivery to upload")
        }
        return record
    }
}

/// The generator of https://www.jstatsoft.org/article/view/v008i14, with 64 bits.
private struct Xorshift {
    private var state: UInt64

    init(seed: UInt64) { state = seed | 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
