import Foundation
import ShareModel
import SystemPackage
import Testing

@testable import GroupContainer

/// A container that the program of format 1 made: read as it is, refused for writing, migrated when asked.
@Suite struct MigrationTests {
    private let folder: TestFolder
    private var root: FilePath { folder["container"] }
    private var program: Program { Program(container: root) }

    init() throws {
        folder = try TestFolder()
        let fixture = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Fixtures/containers/version-1").standardizedFileURL
        try FileManager.default.copyItem(at: fixture, to: URL(filePath: root.string))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: root.string)
    }

    /// Without the log and its index, which reading leaves too.
    private var names: [String] { Disk.names(in: root).filter { !$0.hasPrefix("catalog.sqlite-") } }

    /// What `list` and `show` say of it.
    private func story() throws -> [String] {
        let list = try program.run(["list", "--json"])
        #expect(list.status == 0, "\(list.errors)")
        let ids = try list.messages.compactMap(\.package?.id)
        return [list.output] + (try ids.map { try program.run(["show", "--json", $0]).output })
    }

    @Test func isReadAsItIs() throws {
        let before = try Disk.bytes(root.appending("catalog.sqlite"))
        let story = try story()
        #expect(story.count == 13)
        #expect(!story.contains(""))
        #expect(try program.run(["search", "letter"]).output.contains("letter.docx"))
        #expect(try program.run(["changes"]).errors.contains("sluice migrate"))
        #expect(try Disk.bytes(root.appending("catalog.sqlite")) == before)
        #expect(names == ["catalog.sqlite", "format", "objects"])
    }

    @Test(arguments: [["ingest", "-"], ["deliver"], ["changes", "--as", "me"]])
    func isRefusedForWriting(_ command: [String]) throws {
        let before = try Disk.bytes(root.appending("catalog.sqlite"))
        let end = try program.run(command, input: "{}")
        #expect(end.status == 2)
        #expect(end.errors.contains("sluice migrate"))
        #expect(try Disk.bytes(root.appending("catalog.sqlite")) == before)
        #expect(names == ["catalog.sqlite", "format", "objects"])
    }

    @Test func tellsTheSameAfterwards() throws {
        let before = try story()
        #expect(try program.run(["migrate"]).status == 0)
        #expect(try story() == before)
        #expect(!Disk.names(in: root).contains { $0.hasPrefix("catalog.sqlite.") })
        #expect(try program.run(["search", "letter"]).output.contains("letter.docx"))
        #expect(try program.run(["changes"]).output.hasPrefix("1  package"))
        #expect(try program.run(["migrate"]).output.contains("already"))
    }

    @Test func whatIsInIsKnownAgain() throws {
        _ = try program.run(["migrate"])
        let container = try Container(opening: root)
        let receipt = try #require(
            try CatalogReader(reading: root).allReceipts().first { $0.outcome == .accepted && $0.groups.count == 1 })
        let settled = try container.catalog.commit([
            PackageProposal(
                receipt: receipt, senderID: nil, sourcePath: nil, received: "2026-01-01T00:00:00Z", run: "again")
        ])
        #expect(settled.map(\.outcome) == [.duplicate])
        #expect(settled.map(\.storedBytes) == [0])
    }

    private static let reopening = """
        import sqlite3, sys
        with sqlite3.connect(sys.argv[1]) as catalog:
            catalog.execute("UPDATE delivery SET outcome = 'pending', run = NULL WHERE sink = 'image-import'")
        """

    @Test func openDeliveriesCanBeDriven() throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", Self.reopening, root.appending("catalog.sqlite").string]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        _ = try program.run(["migrate"])
        let container = try Container(opening: root)
        let claimed = try container.deliveries.claim(sink: "image-import", now: 0, limit: 100)
        #expect(!claimed.isEmpty)
        for delivery in claimed {
            let group = try #require(try delivery.receipt().groups.first { $0.providers.first == delivery.lead })
            #expect(delivery.payload.split(separator: " ").count == group.providers.count)
            #expect(delivery.payload.hasPrefix("content"))
        }
        #expect(try program.run(["deliver"]).status == 0)
    }

    @Test func waitsForNobody() throws {
        try FileManager.default.createDirectory(
            atPath: root.appending("tmp/1-1").string, withIntermediateDirectories: true)
        let before = try Disk.bytes(root.appending("catalog.sqlite"))
        let writer = try KernelLock(folder: root.appending("tmp/1-1"), SystemFileSystem())
        let end = try program.run(["migrate"])
        #expect(end.status == 2)
        #expect(end.errors.contains("another process"))
        #expect(try Disk.bytes(root.appending("catalog.sqlite")) == before)
        withExtendedLifetime(writer) {}
    }

    /// A death after the catalog's transaction, and before the format is replaced.
    @Test func aHalfMigrationIsReadAndFinished() throws {
        let before = try story()
        let format = try Disk.bytes(root.appending("format"))
        _ = try program.run(["migrate"])
        try Data(format).write(to: URL(filePath: root.appending("format").string))
        try folder.write("container/catalog.sqlite.version-1", "left behind")
        #expect(try story() == before)
        #expect(try program.run(["deliver"]).errors.contains("sluice migrate"))
        #expect(try program.run(["migrate"]).status == 0)
        #expect(try story() == before)
        #expect(!Disk.names(in: root).contains("catalog.sqlite.version-1"))
    }
}

extension CatalogReader {
    fileprivate func allReceipts() throws -> [Receipt] {
        var ids: [String] = []
        try forEachPackage { ids.append($0.id) }
        return try ids.map(receipt)
    }
}
