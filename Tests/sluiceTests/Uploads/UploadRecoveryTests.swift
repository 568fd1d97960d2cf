import Foundation
import ShareModel
import SystemPackage
import Testing

@testable import GroupChannel
@testable import GroupContainer

/// Uploads whose processes, service or login fail in the middle, with the real programs.
@Suite(.timeLimit(.minutes(5))) struct UploadRecoveryTests {
    private static let size = 3_000_000

    /// What the service refused is sent again when a person asks for that, and not concluded with the old answer.
    @Test(arguments: [6, size]) func aRetryMakesAnotherRequest(_ size: Int) throws {
        let (scene, service) = try sceneWithService()
        try service.change(["files_status": 400])
        let end = try scene.program.ingest(try scene.file("a.bin", size: size))
        let package = try end.receipt.packageID
        #expect(try scene.delivery(of: package).outcome == .failed)
        try service.change(["files_status": 0])
        let again = try scene.program.run(["deliver", "--retry", "upload"])
        #expect(again.status == 0, "\(again.output)\(again.errors)")
        #expect(try scene.delivery(of: package).outcome == .delivered)
        #expect(try service.files.count == 1)
    }

    /// One login is enough for all that waits, and what the service said about the earlier one says nothing about it.
    @Test func oneLoginIsEnough() throws {
        let (scene, service) = try sceneWithService()
        try service.change(["tokens": [:]])
        for number in 1...5 { _ = try scene.file("\(number).bin", size: Self.size) }
        _ = try scene.program.ingest(scene.folder["in"])
        #expect(try service.files.isEmpty)
        try service.change(["tokens": ["another-of-ada": "ada"]])
        var program = scene.program
        program.variables["SLUICE_AGENT"] = "off"
        let login = try program.run(["account", "login", "cloud", "--user", "ada"], input: "another-of-ada\n")
        #expect(login.status == 0, "\(login.errors)")
        let end = try program.run(["deliver"])
        #expect(end.status == 0, "\(end.output)\(end.errors)")
        #expect(try service.files.count == 5)
    }

    /// The command that began an upload is killed, and no one else runs. The agent that is started for its end concludes.
    @Test func anAgentConcludesForADeadStarter() throws {
        let (scene, service) = try sceneWithService(variables: ["SLUICE_AGENT": "on"])
        try service.change(["files_delay": 3_600])
        let file = try scene.file("a.bin", size: Self.size)
        let process = try scene.start(["ingest", file.string])
        while try service.waiting == 0, process.isRunning { sched_yield() }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try service.change(["files_delay": 0])
        var outcome: DeliveryOutcome?
        while outcome != .delivered { outcome = try anyDelivery(scene)?.outcome }
        #expect(try service.files.count == 1)
    }

    /// Of several starters that died, a single command takes all ends.
    @Test func aCommandTakesTheEndsOfDeadStarters() throws {
        let (scene, service) = try sceneWithService(variables: ["SLUICE_AGENT": "off"])
        try service.change(["files_delay": 3_600])
        let file = try scene.file("a.bin", size: Self.size)
        let process = try scene.start(["ingest", file.string])
        while try service.waiting == 0, process.isRunning { sched_yield() }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        // Its end comes while this waits for it.
        let other = try scene.start(["deliver"])
        let address = ChannelAddress(folder: scene.program.container.appending("run"), name: "transfer")
        while !address.isServed { sched_yield() }
        try service.change(["files_delay": 0])
        other.waitUntilExit()
        #expect(other.terminationStatus == 0)
        #expect(try anyDelivery(scene)?.outcome == .delivered)
        #expect(try service.files.count == 1)
    }

    /// An upload goes on at the byte that the service has.
    @Test(arguments: [[], ["--strict"]]) func aTusUploadGoesOn(_ arguments: [String]) throws {
        let scene = try UploadScene()
        let server = try UploadServer("tus", in: scene.serverFolder, arguments)
        try scene.setUp("tus", at: server)
        let size = 64 << 20
        let file = try scene.file("a.bin", size: size)
        let process = try scene.start(["ingest", file.string])
        let uploads = scene.serverFolder.appending(path: "uploads")
        func arrived() -> Int {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: uploads.path)) ?? []
            return names.compactMap { name in
                let place = uploads.appending(path: name).path
                return try? FileManager.default.attributesOfItem(atPath: place)[.size] as? Int
            }.filter { $0 <= size && $0 > 100_000 }.max() ?? 0
        }
        let address = ChannelAddress(folder: scene.program.container.appending("run"), name: "transfer")
        while arrived() < size / 4, process.isRunning { sched_yield() }
        if let peer = try? address.connect().peer.process { kill(peer, SIGKILL) }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        let end = try scene.program.run(["deliver"])
        #expect(end.status == 0, "\(end.output)\(end.errors)")
        #expect(try server.files().values.filter { $0 == size }.count == 1)
    }

    /// A record that cannot be read is set aside, and what was under way begins again.
    @Test func aDamagedRecordIsSetAside() throws {
        let (scene, service) = try sceneWithService()
        let record = scene.program.container.appending("transfers.sqlite")
        try Data(repeating: 7, count: 10_000).write(to: URL(filePath: record.string))
        let end = try scene.program.ingest(try scene.file("a.bin", size: Self.size))
        #expect(end.status == 0, "\(end.errors)")
        #expect(try service.files.count == 1)
        #expect(FileManager.default.fileExists(atPath: record.string + ".damaged"))
    }

    /// The first transfer process died while it made its record. What comes in meanwhile does not need it, and the next one completes it.
    @Test func anUnfinishedRecordIsNoFault() throws {
        let (scene, service) = try sceneWithService()
        let samples = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Transfers/Interrupted")
        for name in ["transfers.sqlite", "transfers.sqlite-journal"] {
            try scene.folder.write("container/\(name)", Array(Data(contentsOf: samples.appending(path: name))))
        }
        #expect(try scene.program.run(["transfers"]).status == 0)
        let end = try scene.program.ingest(try scene.file("a.bin", size: Self.size))
        #expect(end.status == 0, "\(end.errors)")
        #expect(try service.files.count == 1)
    }

    /// What was forgotten is not sent any more.
    @Test func whatIsForgottenIsCanceled() throws {
        let (scene, service) = try sceneWithService(variables: ["SLUICE_AGENT": "off"])
        try service.change(["files_delay": 3_600])
        let file = try scene.file("a.bin", size: Self.size)
        let process = try scene.start(["ingest", file.string])
        while try service.waiting == 0, process.isRunning { sched_yield() }
        let package = try #require(try scene.program.run(["list", "--json"]).messages.compactMap(\.package).first)
        #expect(try scene.program.run(["forget", package.id]).status == 0)
        process.waitUntilExit()
        let transfers = try scene.program.run(["transfers", "--all"]).output
        #expect(transfers.contains("canceled"), "\(transfers)")
        try service.change(["files_delay": 0])
    }

    // MARK: -

    private func sceneWithService(variables: [String: String] = [:]) throws -> (UploadScene, LinkService) {
        let (scene, service) = (try UploadScene(variables: variables), try LinkService())
        try scene.setUp(
            "put", at: "\(service.address)/files", kind: "token", user: "ada", secret: "token-of-ada")
        return (scene, service)
    }

    private func anyDelivery(_ scene: UploadScene) throws -> DeliveryRecord? {
        let packages = try scene.program.run(["list", "--json"]).messages.compactMap(\.package)
        return try packages.first.map { try scene.delivery(of: $0.id) }
    }
}
