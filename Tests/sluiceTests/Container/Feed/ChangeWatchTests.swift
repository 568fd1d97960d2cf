import Foundation
import SystemPackage
import Testing

@testable import Files
@testable import GroupContainer

@Suite struct ChangeWatchTests {
    private let folder: TestFolder
    private let container: Container

    init() throws {
        folder = try TestFolder()
        container = try Container.open(at: folder["container"])
    }

    /// A commit between the start of the watch and the wait must be seen.
    @Test func seesACommitBeforeTheWait() throws {
        let watch = try container.layout.watchChanges()
        _ = try container.catalog.commit([.accepted("a1", ["one"])])
        #expect(try watch.wait())
    }

    @Test func isWokenByAnotherThread() throws {
        let watch = try container.layout.watchChanges()
        let catalog = container.catalog
        Thread.detachNewThread {
            do { _ = try catalog.commit([.accepted("a1", ["one"])]) } catch { Issue.record(error) }
        }
        #expect(try watch.wait())
    }

    /// Lock files are in the same folder, but only a change in the feed may wake the watch.
    @Test func isNotWokenWithoutAChange() throws {
        _ = try container.catalog.commit([.accepted("a1", ["one"], path: "/in/1", sinks: ["s"])])
        let observers = try Observers(opening: folder["container"])
        let watch = try container.layout.watchChanges()
        _ = try container.lock(.objects, .shared)
        _ = try container.claim(sink: "s", now: 0, limit: 1)
        try observers.set("me", .init(epoch: "e", number: 1))
        #expect(try watch.wake(atMost: .milliseconds(100)) == .timedOut)
    }

    @Test func endsWhenItsReaderIsGone() throws {
        let pipe = try FileDescriptor.pipe()
        let watch = try container.layout.watchChanges(output: pipe.writeEnd)
        try pipe.readEnd.close()
        #expect(try !watch.wait())
        try pipe.writeEnd.close()
    }

    @Test func reportsThatTheFolderIsGone() throws {
        // No process may have a file in this folder open, because the kernel reports the removal of a folder only when
        // it is no longer in use.
        try folder.write("other/run/changes", "")
        let watch = try ContainerLayout(root: folder["other"]).watchChanges()
        SystemFileSystem().removeTree(folder["other/run"])
        #expect(throws: FileError.self) { try watch.wait() }
    }
}
