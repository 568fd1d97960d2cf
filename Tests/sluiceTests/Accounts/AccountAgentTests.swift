import Foundation
import GroupContainer
import ShareModel
import Synchronization
import SystemPackage
import Testing

/// Logins beside a running agent, in other processes.
@Suite(.timeLimit(.minutes(5))) struct AccountAgentTests {
    private let scene: AccountScene

    init() throws {
        scene = try AccountScene()
        try scene.addAccount()
    }

    /// A running agent.
    private final class Running {
        let process: Process
        let scratch: TestFolder

        init(_ program: Program) throws {
            scratch = try TestFolder()
            let output = Pipe()
            process = try program.start(["agent", "--json"], input: "/dev/null", scratch: scratch, output: output)
            let line = output.fileHandleForReading.availableData
            guard String(decoding: line, as: UTF8.self).contains(#""event":"serves""#) else {
                throw Program.Failure("the agent does not serve")
            }
        }

        deinit {
            if process.isRunning { kill(process.processIdentifier, SIGKILL) }
            process.waitUntilExit()
        }
    }

    /// Waits until deliveries of these packages to the example have ended.
    private func wait(for packages: [String]) async throws {
        struct Found: Error {}
        var request = ChangeFeed.Request()
        request.follows = true
        let left = Set(packages)
        do {
            let ended = Mutex<Set<String>>([])
            try await ChangeFeed(reading: scene.program.container).read(request) { events in
                for case .change(let change) in events where change.sink == "post-link" && change.outcome != "pending" {
                    if let package = change.package { _ = ended.withLock { $0.insert(package) } }
                }
                if left.isSubset(of: ended.withLock(\.self)) { throw Found() }
            }
        } catch is Found {}
    }

    /// The sink's process rests between deliveries, with the token of the person who has logged out.
    @Test func noTokenOutlivesItsLogin() async throws {
        try scene.logIn(as: "ada")
        let first = try scene.share("https://example.org/1")
        let agent = try Running(scene.program)
        try await wait(for: [first])
        #expect(try scene.program.run(["account", "logout", "notes"]).status == 0)
        let second = try scene.share("https://example.org/2")
        #expect(try scene.delivery(of: second).why?.contains("ada has logged out") == true)
        try scene.logIn(as: "bob")
        let third = try scene.share("https://example.org/3")
        try await wait(for: [third])
        #expect(try scene.service.seen.links == [["ada", "https://example.org/1"], ["bob", "https://example.org/3"]])
        let waiting = try scene.delivery(of: second)
        #expect(waiting.outcome == .pending && waiting.attempts == 0, "\(waiting)")
        try scene.logIn(as: "ada")
        try await wait(for: [second])
        #expect(try scene.service.seen.links.last == ["ada", "https://example.org/2"])
        withExtendedLifetime(agent) {}
    }

    /// A worker claims many deliveries at once. Those that it still has go to no other person.
    @Test func noClaimOutlivesItsLogin() async throws {
        let packages = try (1...20).map { try scene.share("https://example.org/\($0)") }
        try scene.logIn(as: "ada")
        try scene.service.change(["links_delay": .number(0.1)])
        let agent = try Running(scene.program)
        while try scene.service.seen.links.count < 3 {}
        try scene.logIn(as: "bob")
        let last = try scene.share("https://example.org/last")
        try await wait(for: [last])
        let links = try scene.service.seen.links
        #expect(links.filter { $0[0] == "bob" } == [["bob", "https://example.org/last"]], "\(links)")
        let waiting = try scene.delivery(of: packages[19])
        #expect(waiting.outcome == .pending && waiting.login?.user == "ada", "\(waiting)")
        withExtendedLifetime(agent) {}
    }

    @Test func aLoginSendsWhatWaitsInItsOrder() async throws {
        let packages = try (1...12).map { try scene.share("https://example.org/\($0)") }
        let agent = try Running(scene.program)
        #expect(try scene.delivery(of: packages[0]).attempts == 0)
        try scene.logIn(as: "ada")
        try await wait(for: packages)
        #expect(try scene.service.seen.links.map { $0[1] } == (1...12).map { "https://example.org/\($0)" })
        withExtendedLifetime(agent) {}
    }

    /// The person logs in where they are.
    @Test func aShareThatWaitsShowsTheCode() throws {
        try scene.service.change(["approval": "ada"])
        var program = scene.program
        program.variables["SLUICE_AGENT"] = "on"
        let command = """
            '\(Program.folder.appending(path: "sluice").path)' share --wait https://example.org/1 \
            --container '\(program.container)'
            """
        let script = try scene.folder.write("run.sh", "script -qec \"\(command)\" /dev/null\n")
        let end = try TerminalRun.run(script, program)
        #expect(end.contains("enter the code") && end.contains("logged in to notes as ada"), "\(end)")
        #expect(end.contains("delivered    post-link"), "\(end)")
        _ = try scene.program.run(["agent", "stop"])
    }

    /// A second share that waits, and an agent, say it once.
    @Test func whatWaitsIsSaidOnce() throws {
        for number in 1...3 { try scene.share("https://example.org/\(number)") }
        let end = try scene.program.run(["list"])
        let notice = end.errors.split(separator: "\n").filter { $0.contains("needs a login") }
        #expect(notice.count == 1 && notice[0].contains("3 deliveries wait"), "\(end.errors)")
    }

    /// Without accounts nothing is read or said.
    @Test func withoutAccountsNothingChanges() throws {
        let folder = try TestFolder()
        _ = try Container.open(at: folder["c"])
        let plain = Program(container: folder["c"])
        let end = try plain.run(["share", "https://example.org/1"])
        #expect(end.status == 0 && end.errors.isEmpty, "\(end.errors)")
        #expect(!Disk.names(in: folder["c"]).contains("accounts"))
    }

    /// An earlier attempt whose outcome is unknown is not repeated, unless the service knows its key.
    @Test(arguments: [true, false]) func anUnknownOutcome(isIdempotent: Bool) throws {
        try scene.addSink("post-link", account: "notes", isIdempotent: isIdempotent)
        try scene.logIn(as: "ada")
        let package = try scene.share("https://example.org/1")
        // As a process leaves it that died after it had handed the delivery over.
        try SQL.run(
            scene.program.container,
            "UPDATE delivery SET unanswered = 1, attempts = 1, account = 'notes', user = 'ada' WHERE sink = 'post-link'"
        )
        _ = try scene.program.run(["deliver"])
        let record = try scene.delivery(of: package)
        #expect(record.outcome == (isIdempotent ? .delivered : .quarantined), "\(record)")
        #expect(try scene.service.seen.links.count == (isIdempotent ? 1 : 0))
        guard !isIdempotent else { return }
        #expect(record.why?.contains("may have arrived") == true, "\(record)")
        _ = try scene.program.run(["deliver", "--retry", String(record.id.prefix(12))])
        #expect(try scene.service.seen.links.count == 1, "a person has asked for it")
    }
}

/// Runs a script whose commands have a terminal.
enum TerminalRun {
    static func run(_ script: FilePath, _ program: Program) throws -> String {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = [script.string]
        process.environment = ProcessInfo.processInfo.environment.merging(
            [
                "SLUICE_SINKS": program.sinks?.string ?? "", "SLUICE_CONFIG": program.configuration?.string ?? "",
                "TERM": "dumb",
            ]
        ) { $1 }.merging(program.variables) { $1 }
        process.standardInput = FileHandle.nullDevice
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self)
    }
}
