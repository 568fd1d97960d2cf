import Agent
import Files
import Foundation
import GroupContainer
import ShareModel
import SystemPackage
import Testing

@testable import GroupChannel

/// The agent as a service of systemd. Its user manager itself does not run in the tests.
@Suite(.timeLimit(.minutes(5))) struct ServiceManagerTests {
    private let folder: TestFolder
    private let program: Program

    init() throws {
        folder = try TestFolder()
        program = Program(container: folder["container"])
        try FileManager.default.createDirectory(atPath: folder["container"].string, withIntermediateDirectories: true)
        _ = try program.ingest(folder.write("first.txt", "the first text"), options: ["--no-deliver"])
    }

    private static func tool(_ name: String) -> FilePath { FilePath("/usr/bin").appending(name) }

    private static func isThere(_ name: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: tool(name).string)
    }

    /// It ends with 0 even for a key that it does not know, but prints a warning.
    @Test(.needs("systemd-analyze", isThere("systemd-analyze"))) func theUnitsAreValid() throws {
        let units = ["sluice-agent.socket", "sluice-agent.service"]
        for unit in units {
            let text = try String(
                contentsOf: PackageDump.root.appending(path: "Scripts/units/\(unit)"), encoding: .utf8)
            try folder.write(
                "units/\(unit)", text.replacingOccurrences(of: "@BINDIR@", with: Program.folder.path))
        }
        let output = Pipe()
        let process = Process()
        process.executableURL = URL(filePath: Self.tool("systemd-analyze").string)
        process.arguments = ["--user", "verify"] + units.map { folder["units/\($0)"].string }
        process.environment = ["XDG_RUNTIME_DIR": folder.path.string, "HOME": "/home/ada"]
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
        let told = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(told.isEmpty && process.terminationStatus == 0, "\(told)")
    }

    @Test(.needs("systemd-socket-activate", isThere("systemd-socket-activate")))
    func aConnectionStartsIt() async throws {
        let address = Agent.address(of: program.container)
        let socket = program.container.appending("run/agent.socket")
        var activator = program
        // The activator closes all descriptors that it does not know, also the one by which Foundation sees its end. So it runs
        // below a shell.
        activator.executable = "/bin/sh"
        let (scratch, messages) = (try TestFolder(), Pipe())
        let process = try activator.start(
            [
                "-c", #""$@"; exit $?"#, "sh", Self.tool("systemd-socket-activate").string, "--listen=\(socket)",
                "--setenv=SLUICE_SINKS", "--setenv=SLUICE_CONFIG", "--setenv=HOME",
                Program.folder.appending(path: "sluice").path, "agent",
            ], input: "/dev/null", scratch: scratch, output: nil, errors: messages)
        // Its first message says that it listens.
        let message = messages.fileHandleForReading
        #expect(
            try await BlockingCall.run { String(decoding: message.availableData, as: UTF8.self) }.contains("Listening"))
        let connection = try address.connect()
        _ = try await connection.request(AgentOrder(.stop))
        #expect(try await process.end() == 0)
        #expect(FileManager.default.fileExists(atPath: socket.string), "its maker removes it")
    }

    /// The manager's socket would have no name any more.
    @Test func itLeavesASocketThatHasAListener() throws {
        let socket = try Socket.listen("agent.socket", in: program.container.appending("run"))
        defer { socket.close() }
        let end = try program.run(["agent"])
        #expect(end.status == 1 && end.errors.contains("process \(getpid()) serves"), "\(end)")
        #expect(FileManager.default.fileExists(atPath: program.container.appending("run/agent.socket").string))
    }

    @Test func itSaysWhenItServes() async throws {
        let path = folder["notify"]
        let notices = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(notices) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        try #require(path.string.utf8.count < MemoryLayout.size(ofValue: address.sun_path))
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.string.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(notices, $0, size) == 0 }
        }
        try #require(isBound)
        var program = program
        program.variables["NOTIFY_SOCKET"] = path.string
        let scratch = try TestFolder()
        let process = try program.start(["agent"], input: "/dev/null", scratch: scratch, output: nil)
        func notice() async throws -> String {
            try await BlockingCall.run {
                var bytes = [UInt8](repeating: 0, count: 256)
                let count = recv(notices, &bytes, bytes.count, 0)
                return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
            }
        }
        #expect(try await notice() == "READY=1")
        process.terminate()
        #expect(try await notice() == "STOPPING=1")
        #expect(try await process.end() == 0)
    }
}
