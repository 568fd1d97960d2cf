import Agent
import Foundation
import GroupChannel
import GroupContainer
import Ingestion
import ShareModel
import SystemPackage
import Testing

/// Runs `sluice agent` beside other processes, as a user does.
@Suite(.timeLimit(.minutes(5))) struct AgentTests {
    private let folder: TestFolder
    private let program: Program

    init() throws {
        folder = try TestFolder()
        program = Program(container: folder["container"])
        try FileManager.default.createDirectory(atPath: folder["container"].string, withIntermediateDirectories: true)
        _ = try program.ingest(folder.write("first.txt", "the first text"), options: ["--no-deliver"])
    }

    /// A running agent, which serves its channel.
    private final class Running {
        let process: Process
        private let scratch: TestFolder
        private let output = Pipe()

        init(_ program: Program, _ arguments: String...) throws {
            scratch = try TestFolder()
            process = try program.start(
                ["agent", "--json"] + arguments, input: "/dev/null", scratch: scratch, output: output)
            // Its first line says that it serves.
            let line = output.fileHandleForReading.availableData
            guard String(decoding: line, as: UTF8.self).contains(#""event":"serves""#) else {
                kill(process.processIdentifier, SIGKILL)
                throw Program.Failure("the agent does not serve")
            }
        }

        deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
    }

    private func share(_ text: String) throws -> String {
        let end = try program.run(["share", "--json", "--text", text])
        guard end.status == 0 else { throw Program.Failure(end.errors) }
        return try end.receipt.packageID
    }

    private func outcomes(_ package: String) throws -> [DeliveryOutcome] {
        try program.run(["show", "--json", package]).receipt.providers.flatMap(\.deliveries).map(\.outcome)
    }

    private func connect() throws -> ChannelConnection {
        try Agent.address(of: program.container).connect(
            accepting: ChannelTypes(ContainerChanged.self, AttentionNeeded.self))
    }

    /// Waits until a delivery of the package has ended, as the hints tell.
    private func wait(for package: String, on connection: ChannelConnection) async throws {
        for await event in connection.events {
            guard case .message(let message) = event, let changed = message.value as? ContainerChanged else { continue }
            if changed.changes.contains(where: { $0.package == package && $0.outcome != "pending" }) { return }
        }
        throw Program.Failure("the connection ended first")
    }

    /// Follows the feed, from its beginning, up to a change.
    private func feedTells(_ isWanted: @escaping @Sendable (ChangeEntry) -> Bool) async throws {
        struct Found: Error {}
        var request = ChangeFeed.Request()
        request.follows = true
        do {
            try await ChangeFeed(reading: program.container).read(request) { events in
                for case .change(let change) in events where isWanted(change) { throw Found() }
            }
        } catch is Found {}
    }

    private func status() throws -> AgentStatus? {
        struct Line: Decodable {
            struct Status: Decodable { var agent: AgentStatus? }
            var status: Status
        }
        let end = try program.run(["status", "--json"])
        return try JSONDecoder().decode(Line.self, from: Data(end.output.utf8)).status.agent
    }

    @Test func itMakesWhatIsOpenAndEndsWhenIdle() throws {
        let package = try share("a second text")
        let end = try program.run(["agent", "--exit-when-idle"])
        #expect(end.status == 0 && end.output.contains("delivered    text-note"), "\(end.errors)")
        #expect(end.output.contains("sluice agent stop --container \(program.container) or Ctrl-C"), "\(end.output)")
        #expect(try outcomes(package) == [.delivered] && status() == nil)
        let idle = try program.run(["status"])
        #expect(
            idle.status == 0 && idle.output.contains("no agent runs;") && idle.output.hasSuffix("no delivery is open\n")
        )
    }

    @Test func itNoticesWhatOthersAddAndTellsItsClients() async throws {
        let agent = try Running(program)
        let connection = try connect()
        // The first answer says that the connection is greeted, so no hint is missed after it.
        let (before, _) = try await connection.request(AgentStatusRequest())
        #expect(before.process == agent.process.processIdentifier)
        let package = try share("words for the agent")
        try await wait(for: package, on: connection)
        #expect(try outcomes(package) == [.delivered])
        let (after, _) = try await connection.request(AgentOrder(.stop))
        #expect(after.deliveries.delivered == 2 && after.open.isEmpty && after.attention.isEmpty)
        #expect(try await agent.process.end() == 0)
        #expect(try program.run(["agent", "stop"]).status == 1, "there is none any more")
    }

    @Test func oneAgentRunsForAContainer() throws {
        let agent = try Running(program)
        let second = try program.run(["agent"])
        #expect(second.status == 1 && second.errors.contains("process \(agent.process.processIdentifier) serves"))
        #expect(try status()?.process == agent.process.processIdentifier)
    }

    @Test func aPausedAgentMakesNoDelivery() async throws {
        let agent = try Running(program)
        let connection = try connect()
        let (paused, _) = try await connection.request(AgentOrder(.pause))
        #expect(paused.activity == .paused)
        let again = try program.run(["agent", "pause"])
        #expect(again.output.hasSuffix("until sluice agent resume --container \(program.container)\n"), "\(again)")
        let package = try share("not yet")
        let waiting = try program.run(["status"])
        #expect(waiting.status == 1 && waiting.output.contains("is paused") && waiting.output.contains("wait"))
        #expect(try outcomes(package) == [.pending])
        _ = try await connection.request(AgentOrder(.resume))
        try await wait(for: package, on: connection)
        #expect(try outcomes(package) == [.delivered] && agent.process.isRunning)
    }

    @Test func aSignalEndsIt() async throws {
        let agent = try Running(program)
        agent.process.terminate()
        #expect(try await agent.process.end() == 0 && agent.process.terminationReason == .exit)
        #expect(try status() == nil)
    }

    /// What is to be done is in the container, so the next agent goes on.
    @Test func itsDeathLosesNothing() async throws {
        let agent = try Running(program)
        kill(agent.process.processIdentifier, SIGKILL)
        _ = try await agent.process.end()
        let package = try share("after its death")
        #expect(try program.run(["agent", "--exit-when-idle"]).status == 0)
        #expect(try outcomes(package) == [.delivered])
    }

    @Test func aShareStartsItUnlessThatIsForbidden() async throws {
        #expect(try outcomes(share("without an agent")) == [.pending] && status() == nil)
        var program = program
        program.variables["SLUICE_AGENT"] = ""
        let end = try program.run(["share", "--json", "--text", "with an agent"])
        let package = try end.receipt.packageID
        try await feedTells { $0.package == package && $0.outcome == "delivered" }
    }

    @Test func aShareWaitsForItsDeliveries() throws {
        var program = program
        program.variables["SLUICE_AGENT"] = ""
        let end = try program.run(["share", "--wait", "--json", "--text", "awaited words"])
        #expect(end.status == 0, "\(end.errors)")
        #expect(try end.receipt.providers.flatMap(\.deliveries).map(\.outcome) == [.delivered])
        let text = try program.run(["share", "--wait", "--text", "more words"])
        #expect(text.status == 0 && text.output.contains("\ndelivered    text-note"), "\(text)")
        // There is nothing to wait for.
        let again = try program.run(["share", "--wait", "--text", "more words"])
        #expect(again.status == 0 && again.output.contains("duplicate"), "\(again)")
        let off = try self.program.run(["share", "--wait", "--text", "words"])
        #expect(off.status == 64 && off.errors.contains("SLUICE_AGENT=off forbids"), "\(off.errors)")
    }

    /// A sink that lacks its secret waits for a person, so the share does not wait for the sink.
    @Test func aShareDoesNotWaitForAPerson() throws {
        try folder.write(
            "sinks/closed/sink.json",
            """
            {"id": "closed", "version": "1", "protocol": 1, "command": ["closed"], "role": "also", "secrets": ["token"],
             "accepts": [{"type": "*/*"}]}
            """)
        try folder.write("sinks/closed/closed", "#!/bin/sh\nexit 1\n", mode: 0o755)
        var program = program
        program.variables["SLUICE_AGENT"] = ""
        program.sinks = folder["sinks"]
        let end = try program.run(["share", "--wait", "--json", "--text", "words for a closed door"])
        #expect(end.status == 1, "\(end)")
        let outcomes = try end.receipt.providers.flatMap(\.deliveries).map { "\($0.sink) \($0.outcome.rawValue)" }
        #expect(outcomes.sorted() == ["closed pending", "text-note delivered"])
    }

    /// Starts a share that waits for an agent, which is paused first. Returns once the share is durable.
    private func startWaiting() async throws -> (process: Process, scratch: TestFolder) {
        let connection = try connect()
        _ = try await connection.request(AgentOrder(.pause))
        var program = program
        program.variables["SLUICE_AGENT"] = ""
        let scratch = try TestFolder()
        let output = Pipe()
        let process = try program.start(
            ["share", "--wait", "--text", "for later"], input: "/dev/null", scratch: scratch, output: output)
        // The line of the receipt says that the share is durable.
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        #expect(line.hasPrefix("accepted"), "\(line)")
        return (process, scratch)
    }

    @Test func anInterruptEndsOnlyTheWaiting() async throws {
        let agent = try Running(program)
        let (process, scratch) = try await startWaiting()
        process.interrupt()
        #expect(try await process.end() == 0)
        let errors = String(decoding: try Disk.bytes(scratch["errors"]), as: UTF8.self)
        let found = try #require(errors.firstMatch(of: /sluice forget ([0-9A-Za-z-]+)/))
        #expect(try outcomes(String(found.1)) == [.pending] && agent.process.isRunning)
    }

    /// Otherwise it would hold the files of a container that no one sees, and locks that no one meets, for ever.
    @Test(arguments: ["container", "container/run"]) func itEndsWithItsContainer(_ removed: String) async throws {
        let agent = try Running(program)
        // By then it has opened the container.
        try await feedTells { $0.outcome == "delivered" }
        // The agent removes the folders of its sink at the same time, and then the removal may miss one.
        while (try? FileManager.default.removeItem(atPath: folder[removed].string)) == nil,
            FileManager.default.fileExists(atPath: folder[removed].string)
        {}
        #expect(try await agent.process.end() == 2)
        #expect(!FileManager.default.fileExists(atPath: folder[removed].string))
    }

    @Test func itEndsIfItsContainerIsReplaced() async throws {
        let agent = try Running(program)
        try await feedTells { $0.outcome == "delivered" }
        let old = folder["old"]
        try FileManager.default.moveItem(atPath: program.container.string, toPath: old.string)
        _ = try Container.open(at: program.container)
        #expect(try await agent.process.end() == 2)
    }

    /// What the process runs now.
    private func name(of process: Process) throws -> String {
        let path = FilePath("/proc/\(process.processIdentifier)/comm")
        return String(decoding: try Disk.bytes(path), as: UTF8.self).trimmingCharacters(in: .newlines)
    }

    /// Without work it is a small process, and for each client or change it is the agent again.
    @Test func itRestsAsASmallProcess() async throws {
        let agent = try Running(program, "--rest-after", "0")
        try await feedTells { $0.outcome == "delivered" }
        func expectRest() throws {
            while try name(of: agent.process) != "sluice-launch", agent.process.isRunning { sched_yield() }
            #expect(agent.process.isRunning)
        }
        try expectRest()
        let status = String(
            decoding: try Disk.bytes(FilePath("/proc/\(agent.process.processIdentifier)/status")), as: UTF8.self)
        let memory = try #require(status.firstMatch(of: /VmRSS:\s+(\d+) kB/).flatMap { Int($0.1) })
        #expect(memory < 8_192, "\(memory) KiB")
        #expect(try program.run(["agent"]).status == 1, "it still has the lock")
        let first = try #require(try self.status())
        #expect(first.process == agent.process.processIdentifier && first.deliveries.delivered == 1)
        try expectRest()
        let package = try share("words for a resting agent")
        try await feedTells { $0.package == package && $0.outcome == "delivered" }
        try expectRest()
        let second = try #require(try self.status())
        #expect(second.began == first.began && second.deliveries.delivered == 2)
        try expectRest()
        agent.process.terminate()
        #expect(try await agent.process.end() == 0)
        #expect(!Disk.names(in: program.container.appending("run")).contains("agent.socket"))
    }

    /// A copy of the program with one sink, so that a test can replace it.
    private func copyOfProgram() throws -> (program: Program, file: FilePath) {
        var copy = program
        let file = folder["bin/sluice"]
        try FileManager.default.createDirectory(atPath: folder["bin"].string, withIntermediateDirectories: true)
        for name in ["sluice", "sluice-launch", "text-note", "sluice_text-note.resources"] {
            try FileManager.default.copyItem(
                atPath: Program.folder.appending(path: name).path, toPath: folder["bin"].appending(name).string)
        }
        copy.executable = file
        return (copy, file)
    }

    @Test func anUpgradeReplacesItByTheNewProgram() async throws {
        let (program, file) = try copyOfProgram()
        let agent = try Running(program)
        try await feedTells { $0.outcome == "delivered" }
        let before = try #require(try status())
        try FileManager.default.removeItem(atPath: file.string)
        try FileManager.default.copyItem(
            atPath: Program.folder.appending(path: "sluice").path, toPath: file.string)
        let package = try share("after the upgrade")
        try await feedTells { $0.package == package && $0.outcome == "delivered" }
        let after = try #require(try status())
        #expect(after.process == before.process && after.began == before.began && after.deliveries.delivered == 2)
        // Otherwise the kernel adds that the file was deleted.
        let runs = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(after.process)/exe")
        #expect(FilePath(runs).lastComponent == file.lastComponent)
        #expect(try self.program.run(["agent", "stop"]).status == 0)
        #expect(try await agent.process.end() == 0)
    }

    /// The system executes the first part of a program, which dies at once.
    @Test(arguments: [false, true]) func aBrokenUpgradeStopsNothing(_ isAPart: Bool) async throws {
        let (program, file) = try copyOfProgram()
        let agent = try Running(program)
        try await feedTells { $0.outcome == "delivered" }
        let before = try #require(try status())
        try FileManager.default.removeItem(atPath: file.string)
        let whole = try isAPart ? Disk.bytes(FilePath(Program.folder.appending(path: "sluice").path)) : []
        try folder.write(
            "bin/sluice", isAPart ? Array(whole.prefix(whole.count / 3)) : Array("words".utf8), mode: 0o755)
        let package = try share("after the broken upgrade")
        try await feedTells { $0.package == package && $0.outcome == "delivered" }
        let after = try #require(try status())
        #expect(after.process == before.process && after.began == before.began && agent.process.isRunning)
    }

    @Test func otherOptionsThanThoseOfTheAgentAreTold() async throws {
        let agent = try Running(program)
        try await feedTells { $0.outcome == "delivered" }
        let same = try program.run(["status"])
        #expect(!same.output.contains("the agent uses"), "\(same.output)")
        var other = program
        other.variables["SLUICE_SINKS"] = folder["sinks"].string
        let end = try other.run(["status"])
        #expect(end.output.contains("this command \(folder["sinks"])"), "\(end.output)")
        #expect(agent.process.isRunning)
    }

    /// The agent might make the deliveries of the run.
    @Test(arguments: [["ingest"], ["deliver"]]) func aStricterRunIsRefusedBesideTheAgent(_ command: [String])
        async throws
    {
        let file = try folder.write("second.txt", "the second text").string
        let strict = command + ["--require-sandbox"] + (command == ["ingest"] ? [file] : [])
        let agent = try Running(program)
        let refused = try program.run(strict)
        #expect(refused.status == 2 && refused.errors.contains("sluice agent stop"), "\(refused.errors)")
        #expect(try program.run(["agent", "stop"]).status == 0)
        #expect(try await agent.process.end() == 0)
        let other = try Running(program, "--require-sandbox")
        defer { withExtendedLifetime(other) {} }
        let allowed = try program.run(strict)
        #expect(allowed.status != 2 && !allowed.errors.contains("sluice agent stop"), "\(allowed.errors)")
    }

    /// The small process is the agent again when the file can be run.
    @Test func aBrokenUpgradeStopsNoAgentAtRest() async throws {
        let (program, file) = try copyOfProgram()
        let agent = try Running(program, "--rest-after", "0")
        try await feedTells { $0.outcome == "delivered" }
        while try name(of: agent.process) != "sluice-launch", agent.process.isRunning { sched_yield() }
        let whole = try Disk.bytes(file)
        try FileManager.default.removeItem(atPath: file.string)
        // It says that it is tried, and is a part of no program.
        let tried = folder["tried"]
        try folder.write("bin/sluice", "#!/bin/sh\ntouch '\(tried.string)'\nexit 1\n", mode: 0o755)
        let package = try share("after the broken upgrade")
        while !FileManager.default.fileExists(atPath: tried.string), agent.process.isRunning { sched_yield() }
        #expect(agent.process.isRunning)
        try folder.write("new", whole, mode: 0o755)
        try FileManager.default.removeItem(atPath: file.string)
        try FileManager.default.moveItem(atPath: folder["new"].string, toPath: file.string)
        try await feedTells { $0.package == package && $0.outcome == "delivered" }
        #expect(try #require(try status()).process == agent.process.processIdentifier)
    }

    /// Without its container, a wait neither goes on nor makes another one.
    @Test func aWaitEndsWithItsContainer() async throws {
        let agent = try Running(program)
        let (process, scratch) = try await startWaiting()
        // Both processes still make files in it, so a removal may find a folder that is not empty.
        while FileManager.default.fileExists(atPath: program.container.string) {
            try? FileManager.default.removeItem(atPath: program.container.string)
        }
        #expect(try await process.end() == 1)
        let errors = String(decoding: try Disk.bytes(scratch["errors"]), as: UTF8.self)
        #expect(errors.contains("the share is stored; the wait for its deliveries failed"), "\(errors)")
        #expect(try await agent.process.end() == 2)
        #expect(!FileManager.default.fileExists(atPath: program.container.string))
    }

    @Test func mistakesSayTheRemedy() throws {
        let none = try program.run(["agent", "pause"])
        #expect(none.status == 1 && none.errors.contains("no agent runs for this container"))
        #expect(try program.run(["agent", "status"]).errors.contains("sluice status"))
        let word = try program.run(["agent", "dance"])
        #expect(word.status == 64 && word.errors.contains("the orders are deliver, pause, resume and stop"))
        let missing = try Program(container: folder["missing"]).run(["agent"])
        #expect(missing.status == 2 && missing.errors.contains("there is no container at"), "\(missing)")
        #expect(try Program(container: folder["missing"]).run(["status"]).status == 2)
    }
}
