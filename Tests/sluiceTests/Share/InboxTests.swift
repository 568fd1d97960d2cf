import Foundation
import GroupChannel
import ShareModel
import SystemPackage
import Testing

@testable import Agent
@testable import Files
@testable import GroupContainer
@testable import Ingestion

/// A share into a container that has to be migrated first waits in the inbox, and is in the container after the migration.
@Suite(.timeLimit(.minutes(5))) struct InboxTests {
    private let folder: TestFolder
    private let program: Program
    private var root: FilePath { program.container }
    private var inbox: FilePath { root.appending("inbox") }

    init() throws {
        folder = try TestFolder()
        program = Program(container: folder["container"])
    }

    /// Puts a container of an older format in place.
    private func putContainer(_ version: Int) throws {
        let fixture = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../Fixtures/containers/version-\(version)").standardizedFileURL
        try FileManager.default.copyItem(at: fixture, to: URL(filePath: root.string))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: root.string)
    }

    private var waiting: [String] { Disk.names(in: inbox).filter { $0.hasSuffix(".share") } }

    private func shared(_ arguments: String...) throws {
        let end = try program.run(["share"] + arguments)
        #expect(end.status == 0, "\(end.errors)")
        #expect(end.output.contains("sluice migrate"), "\(end.output)")
    }

    private func receipt(_ title: String) throws -> Receipt {
        let list = try program.run(["list", "--json"])
        let packages = try list.messages.compactMap(\.package)
        let found = packages.first { $0.title == title || $0.source.path.hasSuffix("/\(title)") }
        let id = try #require(found?.id, "\(list.output)")
        return try program.run(["show", "--json", id]).receipt
    }

    @Test(arguments: MigrationTests.formats) func aShareWaitsForTheMigration(_ version: Int) throws {
        try putContainer(version)
        let before = try Disk.bytes(root.appending("catalog.sqlite"))
        let (one, two) = (
            try folder.write("in/one.txt", "the river"),
            try folder.write("in/two.bin", [UInt8](repeating: 7, count: 300_000))
        )
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)], ofItemAtPath: one.string)
        try shared(one.string)
        try shared(
            one.string, two.string, "https://example.org/a", "--title", "All of it", "--tag", "picnic", "--to", "keep")
        try shared("https://example.org/b")
        try shared("--text", "buy tea", "--title", "Shopping")
        let description = """
            {"version": 1, "id": "x", "items": [{"title": "Piped", "attachments": [
            {"name": "p.txt", "group": "g", "representations": [{"type": "public.png", "data": "YWJj"}, {"text": "abc"}]}
            ]}]}
            """
        let piped = try program.run(["share", "-"], input: description)
        #expect(piped.status == 0, "\(piped.errors)")
        #expect(waiting.count == 5 && Disk.names(in: inbox.appending("parts")).isEmpty)
        #expect(try Disk.bytes(root.appending("catalog.sqlite")) == before)
        let migrated = try program.run(["migrate"])
        #expect(migrated.status == 0 && migrated.output.contains("took in 5 shares of the inbox"), "\(migrated)")
        #expect(waiting.isEmpty && Disk.names(in: inbox.appending("parts")).isEmpty)

        let all = try receipt("All of it")
        #expect(all.tags == ["picnic"] && all.destination == "keep")
        #expect(all.providers.map(\.name).prefix(2) == ["one.txt", "two.bin"] && all.providers.count == 3)
        #expect(all.providers[0].modified == Timestamp(seconds: 1_000_000_000, nanoseconds: 0))
        let file = try receipt("one.txt")
        #expect(file.source.kind == .file && file.source.path == one.string && file.outcome == .accepted)
        #expect(try receipt("Shopping").item?.text == "buy tea")
        #expect(try receipt("Piped").providers[0].type == .plainText)
        let again = try program.run(["ingest", one.string, "https://example.org/b", "--no-deliver", "--json"])
        #expect(try again.summary.duplicate == 2, "\(again.output)")
        // A fixture has the modes of a checkout.
        _ = try program.run(["verify", "--repair"])
        #expect(try program.run(["verify"]).status == 0)
    }

    @Test func aContainerBehindALinkIsOne() throws {
        try putContainer(#require(MigrationTests.formats.last))
        let (old, new) = (folder["old"], folder["new"])
        for (link, target) in [(old, root), (new, folder["empty"])] {
            try FileManager.default.createDirectory(atPath: target.string, withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(atPath: link.string, withDestinationPath: target.string)
        }
        let file = try folder.write("in/one.txt", "the river")
        for link in [old, new] {
            let linked = Program(container: link)
            if link == old {
                #expect(try linked.run(["share", "--text", "tea"]).status == 0 && waiting.count == 1)
                let migrated = try linked.run(["migrate"])
                #expect(migrated.status == 0 && migrated.output.contains("took in 1 share"), "\(migrated)")
            }
            let ingested = try linked.ingest(file, options: ["--no-deliver"])
            #expect(ingested.status == 0, "\(ingested.errors)")
        }
    }

    @Test func aFullInboxIsAnError() async throws {
        try putContainer(5)
        var options = IngestOptions(container: root)
        options.limits.waitingShares = 2
        for number in 0..<3 {
            let session = SharingSession(options: options, makesContainer: false)
            session.add(link: "https://example.org/\(number)")
            do throws(SharingError) {
                guard case .waiting = try await session.commit() else {
                    Issue.record("it is stored")
                    return
                }
                #expect(number < 2)
            } catch {
                #expect(number == 2 && error.code == .needsMigration, "\(error)")
            }
        }
        #expect(waiting.count == 2)
    }

    /// Each operation of the disk fails once. Either the share is there as a whole, or nothing of it is.
    @Test(arguments: [FaultSchedule.Fault.error, .shortWrite, .noSpace])
    func aFailedShareLeavesNothing(_ fault: FaultSchedule.Fault) async throws {
        try putContainer(5)
        let file = try folder.write("in/one.txt", "the river")
        var place = 0
        while true {
            place += 1
            let schedule = FaultSchedule(fault, at: place)
            var options = IngestOptions(container: root)
            options.fileSystem = FaultyFileSystem(schedule)
            let session = SharingSession(options: options, makesContainer: false)
            session.add(file: file)
            session.add(link: "https://example.org/")
            // Each share in the inbox is looked at, and that is an operation, too.
            try? FileManager.default.removeItem(atPath: inbox.string)
            do throws(SharingError) {
                _ = try await session.commit()
                #expect(waiting.count == 1)
            } catch {
                #expect(waiting.isEmpty, "operation \(place): \(error)")
            }
            guard schedule.isHit else { break }
        }
        #expect(place > (fault == .shortWrite ? 2 : 8))
        // What a failed writer could not remove goes with the next share.
        try shared("https://example.org/last")
        #expect(Disk.names(in: inbox.appending("parts")).isEmpty)
        for share in waiting { #expect(Disk.names(in: inbox.appending(share)).contains("share.json")) }
    }

    @Test func aBrokenShareHindersNoOther() throws {
        _ = try program.ingest(folder.write("first.txt", "the first text"), options: ["--no-deliver"])
        try folder.write("container/inbox/0-broken.share/share.json", "not JSON")
        try folder.write(
            "container/inbox/1-whole.share/share.json",
            #"{"version": 1, "items": [{"title": "Whole", "text": "it is"}]}"#)
        let status = try program.run(["status"])
        #expect(status.status == 1 && status.output.contains("2 shares"), "\(status.output)")
        try folder.write("container/inbox/2-file.share", "no folder")
        try folder.write("container/inbox/3-later.share/share.json", #"{"version": 1, "items": [{"text": "later"}]}"#)
        try folder.write("container/inbox/3-later.share/arrival.json", #"{"kind": "of the future"}"#)
        let end = try program.run(["deliver"])
        #expect(end.status == 1 && end.errors.contains("0-broken.share stays in the inbox"), "\(end)")
        #expect(end.errors.contains("arrival.json cannot be read"), "\(end.errors)")
        #expect(waiting == ["0-broken.share", "2-file.share", "3-later.share"])
        #expect(try receipt("Whole").item?.text == "it is")
        let backup = folder["backup"]
        #expect(try program.run(["backup", backup.string]).status == 0)
        #expect(try Disk.bytes(backup.appending("inbox/0-broken.share/share.json")) == Array("not JSON".utf8))
    }

    /// What cannot be read is refused as a whole, so that the person learns of it.
    @Test func aShareThatCannotBeReadDoesNotWait() throws {
        try putContainer(5)
        let file = try folder.write("in/one.txt", "the river")
        let description =
            #"{"version": 1, "items": [{"attachments": [{"representations": [{"text": "a"}]}, {"representations": [{"file": "/etc/hostname"}]}]}]}"#
        let end = try program.run(["share", "-"], input: description)
        #expect(end.status == 11 && waiting.isEmpty, "\(end)")
        #expect(try program.run(["share", file.string, folder["missing"].string]).status == 11)
        #expect(waiting.isEmpty && Disk.names(in: inbox.appending("parts")).isEmpty)
        let status = try program.run(["status"])
        #expect(status.status == 0 && status.output.contains("sluice migrate"), "\(status)")
    }

    /// The inbox has the only copy.
    @Test func aShareStaysIfAPartCannotBeRead() throws {
        try putContainer(5)
        let (one, two) = (try folder.write("in/one.txt", "one"), try folder.write("in/two.txt", "two"))
        try shared(one.string, two.string, "--title", "Both")
        let share = inbox.appending(try #require(waiting.first))
        let part = share.appending("file-1/two.txt")
        try FileManager.default.moveItem(atPath: part.string, toPath: folder["away"].string)
        let first = try program.run(["migrate"])
        #expect(first.status == 1 && first.errors.contains("stays in the inbox"), "\(first)")
        #expect(waiting.count == 1)
        try FileManager.default.moveItem(atPath: folder["away"].string, toPath: part.string)
        #expect(try program.run(["migrate"]).status == 0)
        #expect(waiting.isEmpty)
        #expect(try receipt("Both").outcome == .accepted)
    }

    /// After a crash between the commit and the removal, the share is there twice.
    @Test func aShareThatIsThereAlreadyIsADuplicate() throws {
        try putContainer(5)
        try shared("--text", "buy tea", "--title", "Shopping")
        let share = try #require(waiting.first)
        try FileManager.default.copyItem(atPath: inbox.appending(share).string, toPath: folder["copy"].string)
        #expect(try program.run(["migrate"]).status == 0)
        try FileManager.default.moveItem(atPath: folder["copy"].string, toPath: inbox.appending(share).string)
        #expect(try program.run(["deliver"]).status == 0)
        #expect(waiting.isEmpty)
        let list = try program.run(["list", "--json"])
        #expect(try list.messages.compactMap(\.package).count { $0.title == "Shopping" } == 1, "\(list.output)")
    }

    @Test func anAgentTakesTheInboxIn() async throws {
        _ = try program.ingest(folder.write("first.txt", "the first text"), options: ["--no-deliver"])
        try folder.write(
            "container/inbox/1-whole.share/share.json",
            #"{"version": 1, "items": [{"title": "Whole", "text": "it is"}]}"#)
        let end = try program.run(["agent", "--exit-when-idle"])
        #expect(end.status == 0, "\(end.errors)")
        #expect(waiting.isEmpty)
        #expect(try receipt("Whole").providers.flatMap(\.deliveries).map(\.outcome) == [.delivered])
    }

    @Test func aMigrationStopsTheAgentAndKeepsOthersOut() async throws {
        _ = try program.ingest(folder.write("first.txt", "the first text"), options: ["--no-deliver"])
        let agent = Agent(of: root) { [root] in IngestOptions(container: root) }
        async let ended: AgentRest? = agent.run { _ in }
        _ = try await Agent.address(of: root).connectWhenServed()
        let absence = try await AgentAbsence(of: root) { _ in }
        _ = try await ended
        let other = try program.run(["agent"])
        #expect(other.status == 1, "\(other)")
        absence.end()
        #expect(try program.run(["agent", "--exit-when-idle"]).status == 0)
    }
}
