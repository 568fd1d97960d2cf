import Foundation
import GroupContainer
import Ingestion
import ShareModel
import Synchronization
import SystemPackage
import Testing

@testable import Files

/// A file that has not changed since its ingest is not read again; any other file is.
@Suite struct UnchangedSourceTests {
    private let folder: TestFolder
    private var file: FilePath { folder["in/letter.txt"] }

    init() throws {
        folder = try TestFolder()
        try folder.write("in/letter.txt", "a letter")
    }

    /// Ingests the file at a time when it has been unchanged for a number of seconds.
    private func ingest(quietFor seconds: Int64 = 60, _ change: (inout IngestOptions) -> Void = { _ in }) async throws
        -> Receipt
    {
        let receipts = try await all(quietFor: seconds, change)
        return try #require(receipts.count == 1 ? receipts[0] : nil)
    }

    private func all(quietFor seconds: Int64, _ change: (inout IngestOptions) -> Void = { _ in }) async throws
        -> [Receipt]
    {
        var options = IngestOptions(container: folder["container"])
        options.delivers = false
        let status = try Disk.stamp(file)
        let time = status[4] * 1_000_000_000 + status[5]
        options.clock = Clock(now: { "2026-01-01T00:00:00Z" }, nanoseconds: { time + seconds * 1_000_000_000 })
        change(&options)
        let receipts = Mutex<[Receipt]>([])
        _ = try await Pipeline(options: options).ingest(.paths([folder["in"]])) { event in
            if case .settled(let receipt) = event { receipts.withLock { $0.append(receipt) } }
        }
        return receipts.withLock(\.self)
    }

    private static func isRead(_ receipt: Receipt) -> Bool { receipt.providers.first?.tried.isEmpty == false }

    @Test func anUnchangedFileIsRecognized() async throws {
        let first = try await ingest()
        #expect(first.outcome == .accepted && Self.isRead(first))
        let second = try await ingest()
        #expect(second.outcome == .duplicate && !Self.isRead(second))
        #expect(second.duplicateOf == first.id && second.id == first.id)
        #expect(second.providers[0].sha256 == first.providers[0].sha256)
        #expect(second.providers[0].type == first.providers[0].type)
        #expect(second.bytes == first.bytes && second.storedBytes == 0)
        #expect(second.providers[0].deliveries.map(\.id) == first.providers[0].deliveries.map(\.id))
        #expect(try await Self.isRead(ingest { $0.rereads = true }), "the option reads it although it is unchanged")
    }

    /// A walk knows a forgotten file by its stamp. A file that was touched has to be read.
    @Test func aForgottenFileIsNotReadAgain() async throws {
        let first = try await ingest { $0.machine = "one" }
        let program = Program(container: folder["container"])
        #expect(try program.run(["forget", first.id]).status == 0)
        let second = try await ingest()
        #expect(second.outcome == .skipped && second.reason?.contains("forgotten") == true)
        #expect(second.id != first.id, "the identifier of a package comes from its content")
        #expect(try await ingest { $0.machine = "another" }.id == first.id, "a stamp belongs to its machine")
        let read = try await ingest { $0.rereads = true }
        #expect(read.id == first.id && read.outcome == .skipped)
        // The same content comes in again from elsewhere.
        let copy = try folder.write("elsewhere/copy.txt", "a letter")
        #expect(try program.ingest(copy, options: ["--no-deliver"]).receipt.outcome == .accepted)
        #expect(try await ingest().outcome == .duplicate)
    }

    /// Two files swap their names. Both contents stay current, and a further run finds both unchanged.
    @Test(arguments: [2, 60]) func filesMaySwapTheirNames(_ quietFor: Int64) async throws {
        try folder.write("in/reply.txt", "a reply")
        _ = try await all(quietFor: 60)
        for (name, other) in [("letter", "third"), ("reply", "letter"), ("third", "reply")] {
            try FileManager.default.moveItem(
                atPath: folder["in/\(name).txt"].string, toPath: folder["in/\(other).txt"].string)
        }
        // Files that were moved a moment ago have no stamp yet, and are read again.
        let program = Program(container: folder["container"])
        let first = try await all(quietFor: quietFor)
        #expect(first.map(\.outcome) == [.duplicate, .duplicate] && first.allSatisfy(Self.isRead))
        let changes = try program.run(["changes"]).output
        let second = try await all(quietFor: quietFor)
        #expect(second.map(\.supersedes) == [nil, nil] && second.map(Self.isRead) == [quietFor < 3, quietFor < 3])
        #expect(try program.run(["changes"]).output == changes)
        let entries = try Program(container: folder["container"]).run(["list", "--json"]).messages.compactMap(\.package)
        #expect(entries.map(\.supersededBy) == [nil, nil])
    }

    /// A share is read each time.
    @Test func sharesMaySwapTheirNames() throws {
        for name in ["first", "second"] {
            try folder.share("shares/\(name)", "{\"representations\": [{\"text\": \"\(name)\"}]}")
        }
        let program = Program(container: folder["container"])
        let ingest = ["ingest", "--no-deliver", folder["shares"].string]
        #expect(try program.run(ingest).status == 0)
        for (name, other) in [("first", "third"), ("second", "first"), ("third", "second")] {
            try FileManager.default.moveItem(
                atPath: folder["shares/\(name).share"].string, toPath: folder["shares/\(other).share"].string)
        }
        #expect(try program.run(ingest).status == 0)
        let changes = try program.run(["changes"]).output
        #expect(try program.run(ingest).status == 0)
        #expect(try program.run(["changes"]).output == changes)
        #expect(try program.run(["list", "--json"]).messages.compactMap(\.package).map(\.supersededBy) == [nil, nil])
    }

    /// Two writes within one tick of a coarse clock leave the same stamp.
    @Test func aFileThatWasJustChangedIsReadAgain() async throws {
        _ = try await ingest(quietFor: 2)
        #expect(try await Self.isRead(ingest(quietFor: 60)))
        #expect(try await !Self.isRead(ingest(quietFor: 60)), "it was quiet when it was read")
    }

    /// No program can set back the time of an inode's last change.
    @Test func otherBytesOfTheSameSizeAndTimeAreRead() async throws {
        let first = try await ingest()
        let times = try FileManager.default.attributesOfItem(atPath: file.string)[.modificationDate] as? Date
        try Data("another!".utf8).write(to: URL(filePath: file.string))
        try FileManager.default.setAttributes(
            [.modificationDate: try #require(times)], ofItemAtPath: file.string)
        let second = try await ingest()
        #expect(second.outcome == .accepted)
        #expect(second.supersedes == first.id)
        #expect(try await !Self.isRead(ingest()), "the catalog now has the newer content")
    }

    @Test func lostContentIsIngestedAgain() async throws {
        let first = try await ingest()
        let object = folder["container"].object(of: "a letter")
        try FileManager.default.removeItem(atPath: object.string)
        let second = try await ingest()
        #expect(second.outcome == .duplicate && Self.isRead(second) && second.duplicateOf == first.id)
        #expect(try Disk.bytes(object) == Array("a letter".utf8))
    }

    @Test(arguments: [(5, "5 s"), (90, "90 s"), (120, "2 min"), (3_600, "1 h"), (5_400, "90 min")])
    func theReasonHasTheTimeThatWasNamed(_ seconds: Int64, _ words: String) async throws {
        let receipt = try await ingest(quietFor: 4) { $0.settleTime = .seconds(seconds) }
        #expect(receipt.reason?.contains("it changed less than \(words) ago; ") == true, "\(receipt)")
    }

    @Test func aFileThatIsStillWrittenIsLeftToALaterRun() async throws {
        let receipt = try await ingest(quietFor: 4) { $0.settleTime = .seconds(5) }
        #expect(receipt.outcome == .skipped)
        #expect(receipt.reason?.contains("still being written") == true)
        #expect(try await ingest(quietFor: 6) { $0.settleTime = .seconds(5) }.outcome == .accepted)
    }

    /// The machine's clock was set back by two days.
    @Test func aTimeOfChangeFarInTheFutureIsNoSignOfWriting() async throws {
        #expect(try await ingest(quietFor: -3_500) { $0.settleTime = .seconds(5) }.outcome == .skipped)
        #expect(try await ingest(quietFor: -2 * 86_400) { $0.settleTime = .seconds(5) }.outcome == .accepted)
    }

    /// Files of `/proc` report no size, and the system's copy call refuses them.
    @Test func aFileWithoutASizeIsReadToItsEnd() throws {
        let receipt = try Program(container: folder["other"]).ingest("/proc/version").receipt
        #expect(receipt.outcome == .accepted)
        #expect(receipt.providers[0].sha256 == Digest(of: try Disk.bytes("/proc/version")))
    }

    /// A write through a memory mapping may leave a file's stamp as it was. Then only rereading finds the change.
    @Test func aChangeThroughAMappingIsFoundByRereading() throws {
        let folder = try TestFolder(inMemory: true)
        let program = Program(container: folder["container"])
        let file = try folder.write("in/letter.txt", "a letter")
        let first = try program.ingest(file, options: ["--no-deliver"]).receipt
        try Disk.changeThroughMapping(file)
        let second = try program.ingest(file, options: ["--no-deliver", "--reread"]).receipt
        #expect(second.outcome == .accepted && second.supersedes == first.id)
        #expect(second.providers.first?.sha256 == Digest(of: try Disk.bytes(file)))
    }

    @Test func theReserveIsKept() throws {
        let program = Program(container: folder["other"])
        let end = try program.ingest(file, options: ["--reserve", "8000000T"])
        #expect(end.status == 2)
        #expect(end.errors.contains("--reserve") && end.errors.contains("what came in is safe"))
        #expect(try program.run(["list", "--json"]).messages.isEmpty)
        #expect(try program.ingest(file, options: ["--reserve", "0"]).receipt.outcome == .accepted)
    }

    /// A file that can never fit fails alone; later files are ingested.
    @Test func aFileLargerThanTheDiskFailsAlone() throws {
        let huge = try FileDescriptor.open(
            folder["in/huge"], .writeOnly, options: [.create], permissions: .ownerReadWrite)
        try huge.closeAfter { try huge.resize(to: 8 << 40) }
        let program = Program(container: folder["other"])
        let receipts = try program.ingest(folder["in"]).receipts
        #expect(receipts.map(\.outcome) == [.failed, .accepted])
        #expect(receipts.first?.reason?.contains("disk holds") == true)
        #expect(Disk.names(in: folder["other/tmp"]).isEmpty)
    }

    /// A program can set any time of modification; the system sets the time of change.
    @Test func aModificationTimeInTheFutureIsNoSignOfWriting() async throws {
        try FileManager.default.setAttributes([.modificationDate: Date.distantFuture], ofItemAtPath: file.string)
        #expect(try await ingest(quietFor: 6) { $0.settleTime = .seconds(5) }.outcome == .accepted)
    }

    @Test func aBagsFilesAreCheckedEvenIfTheyAreKnown() async throws {
        _ = try await ingest()
        let digest = Digest(of: "another!")
        try FileManager.default.moveItem(atPath: folder["in"].string, toPath: folder["data"].string)
        try FileManager.default.createDirectory(atPath: folder["in"].string, withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: folder["data"].string, toPath: folder["in/data"].string)
        try folder.write("in/bagit.txt", "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n")
        try folder.write("in/manifest-sha256.txt", "\(digest)  data/letter.txt\n")
        let program = Program(container: folder["container"])
        #expect(try program.ingest(folder["in"]).receipts.map(\.outcome) == [.failed])
    }
}
