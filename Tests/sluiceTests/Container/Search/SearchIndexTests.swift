import Foundation
import ShareModel
import SystemPackage
import Testing

@testable import ContainerTools
@testable import Files
@testable import GroupContainer

/// The index follows the container, and everything in it can be made again.
@Suite struct SearchIndexTests {
    private let folder: TestFolder
    private let container: Container
    private var root: FilePath { folder["container"] }
    private var file: FilePath { root.appending("search.sqlite") }

    init() throws {
        folder = try TestFolder()
        container = try Container.open(at: folder["container"])
    }

    private func takeIn(_ ids: [String], text: String = "river") throws {
        _ = try container.catalog.commit(
            ids.map { id in
                var proposal = PackageProposal.accepted(id, [id], path: FilePath("/in/\(id)"), sinks: ["s"])
                proposal.receipt.item = .init(index: 0, title: nil, text: text, rule: "", why: "")
                return proposal
            })
    }

    private func open() throws -> SearchIndex { try SearchIndex(of: CatalogReader(reading: root)) }

    private func found(_ words: String..., in index: SearchIndex? = nil) throws -> [String] {
        var ids: [String] = []
        let index = try index ?? open()
        try index.update()
        try index.search(SearchQuery(words), limit: 100) { ids.append($0.entry.id) }
        return ids.sorted()
    }

    @Test func anUpdateReadsOnlyWhatIsNew() throws {
        try takeIn(["a1", "a2"])
        let index = try open()
        #expect(try index.update() == SearchIndex.Progress(done: 2, total: 2))
        #expect(try index.update() == SearchIndex.Progress(done: 0, total: 0))
        try takeIn(["a3"])
        #expect(try index.update() == SearchIndex.Progress(done: 1, total: 1))
        #expect(try found("river", in: index) == ["a1", "a2", "a3"])
    }

    /// One read sees all changes of a package.
    @Test func aPackageWithSeveralChangesIsReadOnce() throws {
        try takeIn(["a1"])
        let claimed = try #require(try container.claim(sink: "s", now: 0, limit: 1).first)
        try container.deliveries.complete([
            DeliveryEnding(
                of: claimed, DeliveryRecord(id: claimed.id, sink: "s", outcome: .delivered, metadata: ["a": "lake"]))
        ])
        _ = try open().update()
        #expect(try SQL.run(root, "SELECT package, seen FROM entry", in: "search.sqlite") == ["1|2"])
        #expect(try found("lake") == ["a1"])
    }

    @Test func theUpdateCanBeEnded() throws {
        try takeIn((1...1_500).map { "a\($0)" })
        var index = try open()
        index.pageLimit = 500
        let first = try index.update { _ in false }
        #expect(first.done == 500 && first.total == 1_500)
        #expect(try index.update().total == 1_000)
    }

    /// Beside an ingest, a search must not read all that the ingest adds.
    @Test func theUpdateEndsAtTheLastChangeThatItFound() throws {
        try takeIn((1...300).map { "a\($0)" })
        var index = try open()
        index.pageLimit = 100
        var count = 0
        let end = try index.update { _ in
            count += 1
            try takeIn(["b\(count)"])
            return count < 10
        }
        #expect(end == SearchIndex.Progress(done: 300, total: 300))
        #expect(try index.update().total == 3)
    }

    @Test func aLargeTextEndsATransaction() throws {
        let text = String(repeating: "river ", count: 1 << 20)
        try takeIn(["a1", "a2", "a3"], text: text)
        var steps: [Int64] = []
        try open().update { progress in
            steps.append(progress.done)
            return true
        }
        #expect(steps == [2, 3])
    }

    @Test(arguments: ["", "no database", "SQLite format 3\0 and more"]) func aDamagedFileIsMadeAgain(_ bytes: String)
        throws
    {
        try takeIn(["a1"])
        _ = try found("river")
        for ending in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.string + ending) }
        try Data(bytes.utf8).write(to: URL(filePath: file.string))
        #expect(try found("river") == ["a1"])
    }

    @Test func anotherVersionIsMadeAgain() throws {
        try takeIn(["a1"])
        _ = try found("river")
        try SQL.run(root, "DELETE FROM words; PRAGMA user_version = 99", in: "search.sqlite")
        #expect(try found("river") == ["a1"])
    }

    @Test func aRemovedFileIsMadeAgain() throws {
        try takeIn(["a1"])
        _ = try found("river")
        try SearchFile.remove(ContainerLayout(root: root), SystemFileSystem())
        #expect(!Disk.names(in: root).contains { $0.hasPrefix("search") })
        #expect(try found("river") == ["a1"])
    }

    /// A catalog that was restored from a backup has used the same numbers for other packages.
    @Test func anotherCatalogIsReadFromItsBeginning() throws {
        try takeIn(["a1", "a2"])
        _ = try found("river")
        try SQL.run(root, "UPDATE meta SET value = '0123456789abcdef' WHERE name = 'epoch'")
        try SQL.run(root, "DELETE FROM package WHERE id = 'a2'")
        #expect(try found("river") == ["a1"])
    }

    @Test func aPackageThatIsForgottenElsewhereIsNotFound() throws {
        try takeIn(["a1", "a2"])
        let index = try open()
        #expect(try found("river", in: index).count == 2)
        try SQL.run(
            root, "DELETE FROM package WHERE id = 'a1'; INSERT INTO change (kind, subject) VALUES ('forgotten', 'a1')")
        #expect(try found("river", in: index) == ["a2"])
        #expect(try SQL.run(root, "SELECT id FROM entry", in: "search.sqlite") == ["a2"])
    }

    /// The words of a forgotten package leave the file, even if another process removed its row before, or the program was
    /// killed between the catalog and the index.
    @Test(arguments: [true, false]) func wordsOfAForgottenPackageLeaveTheFile(_ isRemovedBefore: Bool) throws {
        try takeIn(["a1"], text: "zephyranthes")
        try takeIn(["a2"])
        let index = try open()
        _ = try index.update()
        try SQL.run(
            root, "DELETE FROM package WHERE id = 'a1'; INSERT INTO change (kind, subject) VALUES ('forgotten', 'a1')")
        if isRemovedBefore {
            // As an update that is killed before its end.
            try index.file.queue.writeWithoutTransaction { database in
                try database.inTransaction {
                    try SearchPlace.remove(database, id: "a1")
                    return .commit
                }
            }
            #expect(try SearchIndex.forget(["a1"], ContainerLayout(root: root), SystemFileSystem()))
        } else {
            _ = try index.update()
        }
        for name in Disk.names(in: root) where name.hasPrefix("search") {
            let bytes = try Disk.bytes(root.appending(name))
            #expect(Data(bytes).range(of: Data("zephyranthes".utf8)) == nil, "\(name)")
        }
    }

    @Test func severalProcessesMakeTheIndexAtOnce() async throws {
        try takeIn((1...50).map { "a\($0)" })
        let program = Program(container: root)
        let ends = try await withThrowingTaskGroup(of: Program.End.self) { group in
            for _ in 1...6 { group.addTask { try program.run(["search", "--json", "--limit", "100", "river"]) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(ends.allSatisfy { [0, 1].contains($0.status) && !$0.errors.contains("cannot be used") })
        #expect(ends.contains { $0.output.split(separator: "\n").count == 50 }, "one of them read everything")
    }

    @Test func aDamagedReceiptIsFoundByItsName() throws {
        try takeIn(["a1", "a2"])
        try SQL.run(root, "UPDATE package SET receipt = 'torn' WHERE id = 'a1'")
        #expect(try found("a1") == ["a1"])
        #expect(try found("river") == ["a2"])
    }

    /// Whoever may only read finds all the same, in an index that ends with the search.
    @Test func withoutAFileTheIndexIsTemporary() throws {
        try takeIn(["a1"])
        try SystemFileSystem().ensureFolders(file)
        #expect(try found("river") == ["a1"])
        #expect(Disk.names(in: file).isEmpty)
    }

    @Test func anotherProcessIsNotWaitedFor() throws {
        try takeIn(["a1"])
        let index = try open()
        _ = try index.update()
        try takeIn(["a2"])
        let other = try open()
        try other.file.queue.writeWithoutTransaction { database in
            try database.inTransaction {
                let progress = try index.update()
                #expect(progress.isBusy && progress.done == 0)
                var ids: [String] = []
                try index.search(SearchQuery(["river"]), limit: 10) { ids.append($0.entry.id) }
                #expect(ids == ["a1"], "what is there is found")
                return .rollback
            }
        }
    }

    /// A long run reads what is new itself, and a search beside it would never come to the end.
    @Test func besideALongRunLittleIsRead() async throws {
        try takeIn((1...30).map { "a\($0)" })
        let reader = try CatalogReader(reading: root)
        let read = try await SearchIndex.keeping(root) { kept in
            var index = try SearchIndex(of: reader)
            (index.pageLimit, index.keptPatience) = (10, .zero)
            let progress = try index.update()
            #expect(progress.isBusy && progress.done == 10 && progress.total >= 30)
            let logPages = try [index, kept].map { index in
                try index.file.queue.read { try Int.fetchOne($0, sql: "PRAGMA wal_autocheckpoint") ?? -1 }
            }
            #expect(logPages[0] == 0 && logPages[1] > 0, "a search does not stop to copy the run's log")
            let second = try await SearchIndex.keeping(root) { _ in true }
            #expect(second == nil, "one process keeps the index")
            index.keptPatience = .seconds(3_600)
            try index.file.queue.writeWithoutTransaction { try $0.execute(sql: "INSERT INTO owed (purge) VALUES (1)") }
            let rest = try index.update().done
            let owed = { try index.file.queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM owed") } }
            #expect(try owed() == 1, "a search does not stop to remove words")
            _ = try kept.update()
            #expect(try owed() == 0, "the run removes them")
            return rest
        }
        #expect(try #require(read) >= 20, "with time, the search reads the rest")
        #expect(try !open().update().isBusy)
    }

    /// A search at the beginning of a long run would otherwise read on while the run takes in more.
    @Test func aRunKeepsTheIndexBeforeItOpensIt() async throws {
        try takeIn((1...30).map { "a\($0)" })
        let root = root
        let run = Task {
            // A search looks at the lock, and the run fails to take it at this moment.
            while try await SearchIndex.keeping(root, after: .seconds(3_600), { _ in true }) == nil {}
        }
        var progress = SearchIndex.Progress(done: 0, total: 0)
        var known: [Int64] = []
        while !progress.isBusy, known.count < 100_000 {
            try SearchFile.remove(ContainerLayout(root: root), SystemFileSystem())
            var index = try open()
            (index.pageLimit, index.keptPatience) = (10, .zero)
            progress = try index.update()
            known.append(progress.done)
            await Task.yield()
        }
        #expect(progress.isBusy && progress.done == 10)
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
    }

    @Test func wordsOfOnePackageHaveALimit() throws {
        let long = String(repeating: "word ", count: 4 << 20)
        var proposal = PackageProposal.accepted("a1", ["a1"], path: "/in/a1")
        proposal.receipt.item = .init(index: 0, title: long, text: long, rule: "", why: "")
        _ = try container.catalog.commit([proposal])
        _ = try open().update()
        let sizes = try SQL.run(root, "SELECT length(title), length(text) FROM words", in: "search.sqlite")
        #expect(sizes == ["\(SearchRow.columnLimit)|\(SearchRow.textLimit)"])
    }

    /// The signs around hits, and those between texts, cannot come from a text.
    @Test func signsOfTheIndexAreRemovedFromTexts() throws {
        try takeIn(["a1"], text: "a \u{1}river\u{2} \u{1C} \u{200B}lake")
        let index = try open()
        _ = try index.update()
        var hits: [SearchHit] = []
        try index.search(SearchQuery(["lake"]), limit: 1) { hits.append($0) }
        #expect(hits.first?.snippet?.parts.map(\.text) == ["a river ", "lake"])
    }
}
