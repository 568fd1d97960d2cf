import Foundation
import ShareModel
import SystemPackage
import Testing

@testable import Files
@testable import GroupContainer
@testable import Ingestion
@testable import SQLite

/// What a writer leaves that was killed between the names and the rows of its objects.
@Suite struct TakenNamesTests {
    private let folder: TestFolder
    private var root: FilePath { folder["container"] }

    init() throws { folder = try TestFolder() }

    /// A container with one object that has a row and one that has none, both on record by a dead writer.
    private func leave() throws -> (kept: Digest, left: Digest) {
        let container = try Container.open(at: root)
        let area = try container.objects.makeStagingArea()
        let (kept, left) = (try area.stage(Array("kept".utf8)), try area.stage(Array("left".utf8)))
        try container.store([kept, left])
        _ = try container.catalog.commit([.accepted("a1", ["kept"], path: "/in/a")])
        // The end of the line is missing, because the writer died within it.
        try folder.write(
            "container/tmp/1-1/names", "\(kept.digest)\n\(left.digest)\n\(left.digest.description.prefix(9))")
        return (kept.digest, left.digest)
    }

    private func exists(_ digest: Digest) -> Bool {
        FileManager.default.fileExists(atPath: ContainerLayout(root: root).object(digest).string)
    }

    @Test func theNextOpeningRemovesWhatHasNoRow() throws {
        let (kept, left) = try leave()
        #expect(exists(kept) && exists(left))
        _ = try Container.open(at: root)
        #expect(exists(kept) && !exists(left))
        #expect(Disk.names(in: root.appending("tmp")).isEmpty)
    }

    /// The log may have rows of the dead writer that count only after the next crash, so something must be written over them
    /// before.
    @Test func theCatalogIsWrittenBeforeARemoval() throws {
        _ = try leave()
        let reader = try DatabaseQueue(path: root.appending("catalog.sqlite").string)
        func version() throws -> Int64? { try reader.read { try Int64.fetchOne($0, sql: "PRAGMA data_version") } }
        let before = try version()
        _ = try Container.open(at: root)
        #expect(try version() != before)
        let after = try version()
        _ = try Container.open(at: root)
        #expect(try version() == after, "an opening without a removal writes nothing")
    }

    /// A folder of objects that is a link leads out of the container.
    @Test func noLinkIsFollowed() throws {
        _ = try leave()
        let digest = Digest(of: "outside")
        let shard = ContainerLayout(root: root).object(digest).removingLastComponent()
        let outside = try folder.write("outside/\(digest)", "outside")
        try FileManager.default.createSymbolicLink(
            atPath: shard.string, withDestinationPath: outside.removingLastComponent().string)
        try folder.write("container/tmp/2-2/names", "\(digest)\n")
        _ = try Container.open(at: root)
        #expect(FileManager.default.fileExists(atPath: outside.string))
    }

    /// A batch at work may be about to commit a row for one of them.
    @Test func nothingIsRemovedWhileABatchIsAtWork() throws {
        let (_, left) = try leave()
        let lock = try ContainerLayout(root: root).take(.objects, .shared, SystemFileSystem())
        _ = try withExtendedLifetime(lock) { try Container.open(at: root) }
        #expect(exists(left) && Disk.names(in: root.appending("tmp")) == ["1-1"])
    }

    /// A person may have brought a lost object back.
    @Test func aLostObjectHasARow() throws {
        let (kept, left) = try leave()
        try SQL.run(root, "UPDATE object SET lost = 'gone'")
        _ = try Container.open(at: root)
        #expect(exists(kept) && !exists(left))
    }

    /// Another engine may know the names.
    @Test func anotherQueueKeepsWhatItNames() throws {
        let (_, left) = try leave()
        _ = try Container.open(at: root) { local in
            var engines = local
            engines.deliveries = MemoryDeliveryQueue()
            return engines
        }
        #expect(exists(left))
    }

    /// A container must open, whatever has the name.
    @Test func aFolderAtAnObjectsNameStays() throws {
        let digest = Digest(of: "a folder")
        _ = try leave()
        let path = ContainerLayout(root: root).object(digest)
        try FileManager.default.createDirectory(atPath: path.string, withIntermediateDirectories: true)
        try folder.write("container/tmp/2-2/names", "\(digest)\n")
        _ = try Container.open(at: root)
        #expect(FileManager.default.fileExists(atPath: path.string))
    }

    /// A failure is no crash, and leaves no more than one.
    @Test func aShareWhoseRowsFailLeavesNothing() async throws {
        let (kept, _) = try leave()
        _ = try Container.open(at: root)
        try SQL.script(
            root, "CREATE TRIGGER refusal BEFORE INSERT ON package BEGIN SELECT RAISE(ABORT, 'refused'); END;")
        let session = SharingSession(options: IngestOptions(container: root))
        session.add(bytes: Array("new".utf8), named: "new.txt")
        let error = await #expect(throws: SharingError.self) { try await session.commit() }
        #expect(error?.code == .container)
        #expect(exists(kept) && !exists(Digest(of: "new")))
        #expect(Disk.names(in: root.appending("tmp")).isEmpty)
    }

    @Test func aWriterRecordsItsNamesBeforeItTakesThem() throws {
        let names = TakenNames(below: folder.path, SystemFileSystem())
        let digests = (0..<(TakenNames.limit * 2)).map { Digest(of: "\($0)") }
        for start in stride(from: 0, to: digests.count, by: 1_000) {
            try names.record(digests[start..<min(start + 1_000, digests.count)])
        }
        let writer = try #require(Disk.names(in: folder.path).first)
        let read = try TakenNames.read(in: folder[writer], SystemFileSystem())
        #expect(read.suffix(TakenNames.limit) == digests.suffix(TakenNames.limit))
        #expect(read.count <= digests.count)
        // A sweep leaves the folder of a writer that lives.
        try WriterFolder.sweep(folder.path, SystemFileSystem())
        #expect(Disk.names(in: folder.path) == [writer])
    }
}
