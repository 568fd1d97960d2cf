import Foundation
import SystemPackage
import Testing

@testable import GroupContainer

@Suite struct ChangeWatchTests {
    private let folder: TestFolder
    private let container: Container

    init() throws {
        folder = try TestFolder()
        container = try Container(opening: folder["container"])
    }

    /// A commit between watching and waiting is not missed.
    @Test func seesWhatCameBeforeTheWait() throws {
        let watch = try ChangeWatch(container.layout)
        _ = try container.catalog.commit([.accepted("a1", ["one"])])
        #expect(try watch.wait())
    }

    @Test func isWokenByAnotherThread() throws {
        let watch = try ChangeWatch(container.layout)
        let catalog = container.catalog
        Thread.detachNewThread {
            do { _ = try catalog.commit([.accepted("a1", ["one"])]) } catch { Issue.record(error) }
        }
        #expect(try watch.wait())
    }

    /// Locks are files in the same folder; what changes nothing wakes nobody.
    @Test func isNotWokenByWhatChangesNothing() throws {
        _ = try container.catalog.commit([.accepted("a1", ["one"], path: "/in/1", sinks: ["s"])])
        let watch = try ChangeWatch(container.layout)
        _ = try container.lock(.objects, .shared)
        _ = try container.deliveries.claim(sink: "s", now: 0, limit: 1)
        try container.observers.set("me", .init(epoch: "e", number: 1))
        watch.stop()
        #expect(try !watch.wait())
    }

    @Test func endsWhereNobodyReadsOn() throws {
        let pipe = try FileDescriptor.pipe()
        let watch = try ChangeWatch(container.layout, output: pipe.writeEnd)
        try pipe.readEnd.close()
        #expect(try !watch.wait())
        try pipe.writeEnd.close()
    }

    @Test func saysThatTheFolderIsGone() throws {
        // One that no process has anything open in: the kernel tells of a folder's end when nobody uses it.
        try folder.write("other/run/changes", "")
        let watch = try ChangeWatch(ContainerLayout(root: folder["other"]))
        try FolderTree.remove(folder["other/run"])
        #expect(throws: ContainerError.self) { try watch.wait() }
    }
}
