import Files
import Foundation
import ShareModel
import SystemPackage
import Testing

@testable import GroupContainer

@Suite(.timeLimit(.minutes(10))) struct ContainerObserverTests {
    private let folder: TestFolder
    private var root: FilePath { folder["container"] }

    init() throws { folder = try TestFolder() }

    private func observe() throws -> ContainerObserver.Iterator {
        try ContainerObserver(of: root, as: "widget").makeAsyncIterator()
    }

    private func commit(_ id: String) throws {
        _ = try Container.open(at: root).catalog.commit([.accepted(id, [id])])
    }

    private func ids(_ page: ContainerObserver.Page?) throws -> [String] { try #require(page).changes.map(\.id) }

    @Test func eachChangeComesOnceAndInOrder() async throws {
        let catalog = try Container.open(at: root).catalog
        let count = 2_300
        _ = try catalog.commit((0..<count).map { .accepted("a\(10_000 + $0)", ["\($0)"]) })
        var iterator = try observe()
        var seen: [ContainerObserver.Change] = []
        while seen.count < count { seen += try #require(try await iterator.next()).changes }
        #expect(seen.map(\.id) == (0..<count).map { "a\(10_000 + $0)" })
        #expect(try seen.allSatisfy { try $0.package.get()?.id == $0.id })
    }

    /// A page is handled when the next one is asked for. Until then another process of this name gets it again.
    @Test func aRestartGoesOnAfterTheLastHandledPage() async throws {
        try commit("a1")
        var first = try observe()
        #expect(try ids(await first.next()) == ["a1"])
        var second = try observe()
        #expect(try ids(await second.next()) == ["a1"])
        try commit("a2")
        #expect(try ids(await second.next()) == ["a2"])
        var third = try observe()
        #expect(try ids(await third.next()) == ["a2"])
    }

    @Test func aCommitWakesIt() async throws {
        try commit("a1")
        var iterator = try observe()
        _ = try await iterator.next()
        // The next page is asked for before or after the commit; both must do.
        async let committed: Void = BlockingCall.run { try commit("a2") }
        #expect(try ids(await iterator.next()) == ["a2"])
        try await committed
    }

    /// A notice may be lost, if the file cannot be written. The next commit brings both changes.
    @Test func aLostNoticeLosesNoChange() async throws {
        try commit("a1")
        var iterator = try observe()
        _ = try await iterator.next()
        let changes = root.appending("run/changes")
        let told = try Disk.bytes(changes)
        // A folder in the place of the file.
        try FileManager.default.removeItem(atPath: changes.string)
        try FileManager.default.createDirectory(atPath: changes.string, withIntermediateDirectories: false)
        try commit("a2")
        try FileManager.default.removeItem(atPath: changes.string)
        try folder.write("container/run/changes", String(decoding: told, as: UTF8.self))
        try commit("a3")
        var seen: [String] = []
        while seen.count < 2 { seen += try ids(await iterator.next()) }
        #expect(seen == ["a2", "a3"])
    }

    /// Writers at the same time: the numbers of the feed have no gap, and no change is passed over.
    @Test func writersAtTheSameTimeLoseNoChange() async throws {
        try commit("first")
        let (writers, count) = (4, 100)
        var iterator = try observe()
        let written = Task {
            try await withThrowingTaskGroup { group in
                for writer in 0..<writers {
                    group.addTask {
                        try await BlockingCall.run {
                            let catalog = try Container.open(at: root).catalog
                            for number in 0..<count {
                                let id = "w\(writer)-\(number)"
                                _ = try catalog.commit([.accepted(id, [id])])
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        var seen: [ChangeEntry] = []
        while seen.count < writers * count + 1 { seen += try #require(try await iterator.next()).changes.map(\.entry) }
        try await written.value
        #expect(seen.map(\.number) == Array(1...Int64(writers * count + 1)))
        #expect(Set(seen.map(\.id)).count == seen.count)
    }

    @Test func aForgottenPackageIsNoneAndAnUnreadableOneHidesNoOther() async throws {
        for id in ["a1", "a2", "a3"] { try commit(id) }
        try SQL.run(root, "DELETE FROM package WHERE id = 'a1'; UPDATE package SET receipt = '{' WHERE id = 'a2'")
        var iterator = try observe()
        let page = try #require(try await iterator.next())
        #expect(page.changes.map(\.id) == ["a1", "a2", "a3"])
        #expect(try page.changes[0].package.get() == nil)
        #expect(throws: ContainerError.self) { try page.changes[1].package.get() }
        #expect(try page.changes[2].package.get()?.id == "a3")
    }

    /// The container becomes an older copy of itself.
    @Test func aRestoredContainerBeginsAgain() async throws {
        try commit("a1")
        try FileManager.default.copyItem(atPath: root.string, toPath: folder["backup"].string)
        try commit("a2")
        var iterator = try observe()
        #expect(try ids(await iterator.next()) == ["a1", "a2"])
        try FileManager.default.moveItem(atPath: root.string, toPath: folder["old"].string)
        try FileManager.default.moveItem(atPath: folder["backup"].string, toPath: root.string)
        let page = try #require(try await iterator.next())
        #expect(page.reset != nil)
        #expect(page.changes.map(\.id) == ["a1"])
        try commit("a3")
        #expect(try ids(await iterator.next()) == ["a3"])
    }

    @Test func itEndsWithItsContainer() async throws {
        try commit("a1")
        var iterator = try observe()
        _ = try await iterator.next()
        // In one step, while the observer records the page or waits.
        async let moved: Void = BlockingCall.run {
            try FileManager.default.moveItem(atPath: root.string, toPath: folder["gone"].string)
        }
        let error = await #expect(throws: ContainerError.self) { _ = try await iterator.next() }
        #expect(error?.code == .notAContainer)
        try await moved
        #expect(!FileManager.default.fileExists(atPath: root.string))
    }

    @Test func aCancellationEndsAWait() async throws {
        try commit("a1")
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let task = Task {
            var iterator = try observe()
            _ = try await iterator.next()
            begin.finish()
            _ = try await iterator.next()
        }
        for await _ in begun {}
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func aNameThatIsNoneIsRefused() throws {
        #expect(throws: ContainerError.self) { _ = try ContainerObserver(of: root, as: "library") }
    }
}
