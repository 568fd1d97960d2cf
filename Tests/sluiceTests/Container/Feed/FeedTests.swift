import Foundation
import ShareModel
import SystemPackage
import Testing

@testable import GroupContainer

@Suite struct FeedTests {
    private let folder: TestFolder
    private var root: FilePath { folder["container"] }

    init() throws { folder = try TestFolder() }

    private func changes(_ root: FilePath, since: ChangeCursor? = nil) throws -> [ChangeEntry] {
        let feed = try CatalogReader(reading: root).feed
        return try feed.page(after: feed.start(since).cursor)
    }

    @Test func everyChangeOfStateHasItsNumber() throws {
        let container = try Container.open(at: root)
        let catalog = container.catalog
        _ = try catalog.commit([.accepted("a1", ["one"], path: "/in/1", sinks: ["s"])])
        _ = try catalog.commit([.accepted("a2", ["two"], path: "/in/1", run: "r2")])
        _ = try catalog.commit([.accepted("a1", ["one"], path: "/in/1", run: "r3", sinks: ["s", "t"])])
        var failed = PackageProposal.failed("a3", path: "/in/3")
        _ = try catalog.commit([failed])
        failed.receipt.reason = "another"
        _ = try catalog.commit([failed])
        _ = try catalog.commit([failed])
        let claimed = try container.claim(sink: "s", now: 0, limit: 1)
        try container.deliveries.complete([
            DeliveryEnding(
                record: .init(id: claimed[0].id, sink: "s", outcome: .failed), seq: claimed[0].seq,
                fence: claimed[0].fence, deaths: 0)
        ])
        try container.deliveries.reopen(["a1-s"])
        let changes = try changes(root)
        #expect(
            changes.map { "\($0.kind) \($0.id)" } == [
                "package a1", "package a2", "superseded a1", "superseded a2", "current a1", "delivery a1-t",
                "package a3", "updated a3", "delivery a1-s", "delivery a1-s",
            ])
        #expect(changes.map(\.number) == Array(1...10))
        #expect(changes.last?.package == "a1")
        #expect(changes.last?.sink == "s")
        #expect(changes.last?.outcome == "pending")
    }

    @Test func numbersHaveNoGapsAfterARollback() throws {
        let catalog = try Container.open(at: root).catalog
        var broken = PackageProposal.accepted("a2", ["two", "three"])
        broken.receipt.providers[1].index = 0
        _ = try catalog.commit([.accepted("a1", ["one"])])
        #expect(throws: (any Error).self) { try catalog.commit([.accepted("a3", ["four"]), broken]) }
        _ = try catalog.commit([.accepted("a4", ["five"])])
        #expect(try changes(root).map(\.number) == [1, 2])
    }

    @Test func aCursorIsOrderedAndOpaque() throws {
        let catalog = try Container.open(at: root).catalog
        _ = try catalog.commit([.accepted("a1", ["one"]), .accepted("a2", ["two"])])
        let first = try #require(try changes(root).first)
        let cursor = try #require(ChangeCursor(first.cursor))
        #expect(try changes(root, since: cursor).map(\.id) == ["a2"])
        #expect(try changes(root, since: ChangeCursor("1")).map(\.id) == ["a2"])
        for text in ["", "x", "-1", "1.2", "0123456789abcdeg.1", "0123456789abcdef.", "99999999999999999999"] {
            #expect(ChangeCursor(text) == nil, "\(text)")
        }
    }

    /// A cursor of another catalog, and one beyond the last number, restart the feed.
    @Test func anUnknownCursorStartsAnew() throws {
        let catalog = try Container.open(at: root).catalog
        _ = try catalog.commit([.accepted("a1", ["one"])])
        let feed = try CatalogReader(reading: root).feed
        for text in ["0123456789abcdef.1", "2"] {
            let start = try feed.start(ChangeCursor(text))
            #expect(start.cursor.number == 0)
            #expect(start.reset?.cursor == start.cursor.description)
        }
        #expect(try feed.start(ChangeCursor("1")).reset == nil)
    }

    @Test func aCopyHasAnEpochOfItsOwn() throws {
        _ = try Container.open(at: root).catalog.commit([.accepted("a1", ["one"])])
        let before = try epoch(root)
        try FileManager.default.copyItem(atPath: root.string, toPath: folder["copy"].string)
        _ = try Container.open(at: folder["copy"])
        #expect(try epoch(folder["copy"]) != before)
        try FileManager.default.moveItem(atPath: root.string, toPath: folder["moved"].string)
        _ = try Container.open(at: folder["moved"])
        #expect(try epoch(folder["moved"]) == before, "a container that was moved is the same one")
        // As if another file had the device and the inode.
        try SQL.run(folder["moved"], "UPDATE meta SET value = value || '1' WHERE name = 'file'")
        _ = try Container.open(at: folder["moved"])
        #expect(try epoch(folder["moved"]) != before)
    }

    /// A backup was copied over the file, which has older rows now.
    @Test func aCatalogBehindItsFeedHasAnotherEpoch() throws {
        _ = try Container.open(at: root).catalog.commit([.accepted("a1", ["one"])])
        let catalog = root.appending("catalog.sqlite")
        let backup = try Disk.bytes(catalog)
        let before = try epoch(root)
        _ = try Container.open(at: root).catalog.commit([.accepted("a2", ["two"])])
        #expect(try epoch(root) == before)
        let file = try FileDescriptor.open(catalog, .writeOnly, options: .truncate)
        try file.closeAfter { _ = try file.writeAll(backup) }
        _ = try Container.open(at: root)
        #expect(try epoch(root) != before)
    }

    private func epoch(_ root: FilePath) throws -> String? {
        try CatalogReader(reading: root).feed.start(nil).cursor.epoch
    }

    @Test func observersAreRememberedAndCounted() throws {
        #expect {
            _ = try Observers(opening: root)
        } throws: {
            ($0 as? ContainerError)?.code == .notAContainer
        }
        _ = try Container.open(at: root)
        let observers = try Observers(opening: root)
        #expect(try observers.cursor("mail") == nil)
        for number in [3, 5] as [Int64] {
            try observers.set("mail", ChangeCursor(epoch: "e", number: number))
            #expect(try observers.cursor("mail") == ChangeCursor(epoch: "e", number: number))
        }
        for number in 1..<Observers.limit { try observers.set("o\(number)", ChangeCursor(epoch: "e", number: 1)) }
        #expect(throws: ContainerError.self) { try observers.set("more", ChangeCursor(epoch: "e", number: 1)) }
        try observers.set("mail", ChangeCursor(epoch: "e", number: 6))
        for name in ["", "A", "library", "-a", "a b", "ä", String(repeating: "a", count: 65)] {
            #expect(!Observers.isName(name), "\(name)")
        }
    }
}
