import Foundation
import ShareModel
import SystemPackage
import Testing

@testable import GroupContainer
@testable import Ingestion
@testable import Sniffing
@testable import Unpacking

/// The bugs of programs that took in shares before this one, each as a test. A nested use of a lock is among
/// ``KernelLockTests``, two messages in one read among those of the line buffer.
@Suite struct AncestorTests {
    private let folder: TestFolder
    private let program: Program

    init() throws {
        folder = try TestFolder()
        program = Program(container: folder["container"])
    }

    private func opened(_ path: FilePath) throws -> OpenedFile { try SourceOpener.open(named: path) }

    /// A read that fails half-way once counted as the end of the file, and a truncated import was accepted.
    @Test func aReadErrorIsNotTheEndOfTheFile() throws {
        let path = try folder.write("big.bin", [UInt8](repeating: 7, count: 1 << 20))
        let file = try opened(path)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 12, alignment: 16)
        defer { buffer.deallocate() }
        #expect(try file.read(into: buffer) == 1 << 12)
        // From here on the kernel refuses to read: the descriptor is open for writing only.
        let writing = try FileDescriptor.open(path, .writeOnly)
        try writing.closeAfter { _ = try writing.duplicate(as: file.descriptor) }
        do {
            _ = try file.read(into: buffer)
            Issue.record("the read should have failed")
        } catch {
            #expect(error.code == .unreadable)
        }
    }

    /// The same with the whole program, over a file whose reading the kernel refuses: its own memory, at address 0.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/mem"), "Linux has such a file"))
    func aSourceThatCannotBeReadFails() throws {
        try folder.share(
            "one", #"{"representations": [{"file": "/proc/self/mem"}]}"#,
            #"{"representations": [{"text": "the other"}]}"#)
        let end = try program.ingest(folder["one.share"], options: ["--allow-root", "/proc/self"])
        #expect(end.status == 1)
        let receipt = try end.receipt
        #expect(receipt.outcome == .partial)
        #expect(receipt.providers.map(\.outcome) == [.failed, .stored])
        #expect(receipt.providers[0].reason.contains("cannot be read"))
        #expect(Disk.names(in: folder["container/tmp"]).isEmpty)
    }

    enum Change: CaseIterable {
        case grows, shrinks, sameSize
    }

    /// A file that was still being written once came in as whatever was there.
    @Test(arguments: Change.allCases)
    func aSourceThatChangesWhileItIsReadIsNoContent(_ change: Change) throws {
        let path = try folder.write("big.bin", [UInt8](repeating: 7, count: 1 << 20))
        let file = try opened(path)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 12, alignment: 16)
        defer { buffer.deallocate() }
        var count = Int64(try file.read(into: buffer))
        switch change {
        case .grows: try append("more", to: path)
        case .shrinks: #expect(truncate(path.string, 1 << 14) == 0)
        case .sameSize: try setTime(of: path)
        }
        while case let read = try file.read(into: buffer), read > 0 { count += Int64(read) }
        do {
            try file.checkUnchanged(afterReading: count)
            Issue.record("the change should have been noticed")
        } catch {
            #expect(error.code == .changed)
        }
    }

    private func append(_ text: String, to path: FilePath) throws {
        let file = try FileDescriptor.open(path, .writeOnly, options: .append)
        try file.closeAfter { _ = try file.writeAll(text.utf8) }
    }

    private func setTime(of path: FilePath) throws {
        let file = try FileDescriptor.open(path, .writeOnly)
        try file.closeAfter { _ = try file.writeAll([8]) }
        try FileManager.default.setAttributes([.modificationDate: Date.distantPast], ofItemAtPath: path.string)
    }

    /// Crashes once left originals of no bytes. An empty file that is meant is content; one in place of a picture is not.
    @Test func emptyOriginals() throws {
        try folder.write("in/empty.txt", "")
        let end = try program.ingest(folder["in"])
        #expect(try end.receipt.outcome == .accepted)
        #expect(try end.receipt.providers[0].type == .empty)
        try folder.write("photo.share/photo.jpg", "")
        try folder.share("photo", #"{"representations": [{"type": "public.jpeg", "file": "photo.jpg"}]}"#)
        let photo = try program.ingest(folder["photo.share"])
        #expect(photo.status == 1)
        #expect(try photo.receipt.outcome == .failed)
    }

    /// A crash between the bytes and the rows leaves a file under an object's name that nobody vouches for.
    @Test func anEmptyLeftoverIsNotTakenForTheContent() throws {
        let bytes = Array("what was shared".utf8)
        let name = Digest(of: bytes).description
        try folder.write("in/note.txt", bytes)
        _ = try Container(opening: folder["container"])
        let object = try folder.write("container/objects/\(name.prefix(2))/\(name)", "", mode: 0o400)
        #expect(try program.ingest(folder["in"]).receipt.outcome == .accepted)
        #expect(try Disk.bytes(object) == bytes)
    }

    /// A batch that half succeeded once reported failure, and the retry doubled the good half.
    @Test func aRetryDoublesNothing() throws {
        try folder.write("two.share/good.txt", "the good half")
        try folder.share(
            "two", #"{"representations": [{"file": "good.txt"}]}"#, #"{"representations": [{"file": "late.txt"}]}"#)
        let first = try program.ingest(folder["two.share"])
        #expect(first.status == 1)
        #expect(try first.receipt.outcome == .partial)
        #expect(try first.receipt.providers.map(\.outcome) == [.stored, .failed])
        let objects = Disk.files(below: folder["container/objects"])

        let again = try program.ingest(folder["two.share"])
        #expect(try again.receipt.outcome == .partial)
        #expect(try again.summary.storedBytes == 0)
        #expect(try again.summary.deliveries.delivered == 0)
        #expect(Disk.files(below: folder["container/objects"]) == objects)

        try folder.write("two.share/late.txt", "the rest")
        let whole = try program.ingest(folder["two.share"])
        #expect(whole.status == 0)
        #expect(try whole.receipt.outcome == .accepted)
        #expect(try whole.receipt.providers.map(\.outcome) == [.duplicate, .stored])
        #expect(try whole.receipt.supersedes == first.receipt.id)
        #expect(try whole.summary.storedBytes == 8)
        let deliveries = try whole.receipt.providers.flatMap(\.deliveries)
        #expect(deliveries.map(\.outcome) == [.duplicate, .delivered])
    }

    /// An existing file of the same name was once deleted before the new one was there.
    @Test func filesOfTheSameNameAreBothKept() throws {
        try folder.write("a/IMG_0001.txt", "one")
        try folder.write("b/IMG_0001.txt", "two")
        let end = try program.ingest(folder["a"], folder["b"])
        let receipts = try end.receipts
        #expect(receipts.map(\.outcome) == [.accepted, .accepted])
        #expect(receipts.flatMap(\.providers).map(\.name) == ["IMG_0001.txt", "IMG_0001.txt"])
        let kept = Disk.files(below: folder["container/objects"]).map { folder["container/objects"].appending($0) }
        #expect(try Set(kept.map { String(decoding: try Disk.bytes($0), as: UTF8.self) }) == ["one", "two"])
        #expect(try Disk.bytes(folder["a/IMG_0001.txt"]) == Array("one".utf8), "the sources stay as they are")
    }

    /// A failed copy once never told anybody, and the share hung: the others come in, and it is named.
    @Test func oneBadAttachmentDoesNotHoldUpTheOthers() throws {
        try folder.share(
            "mixed", #"{"representations": [{"file": "missing.jpg"}]}"#, #"{"representations": [{"text": "one"}]}"#,
            #"{"representations": []}"#, #"{"representations": [{"text": "two"}]}"#)
        let receipt = try program.ingest(folder["mixed.share"]).receipt
        #expect(receipt.outcome == .partial)
        #expect(receipt.providers.map(\.outcome) == [.failed, .stored, .failed, .stored])
        #expect(receipt.providers[0].reason.contains("missing.jpg"))
    }

    /// A second load of a load-once attachment once never returned: what is passed over is not opened again.
    @Test func aFailedRepresentationGivesWayToTheNext() throws {
        try folder.share(
            "forms", #"{"representations": [{"type": "public.jpeg", "file": "gone.jpg"}, {"text": "a word"}]}"#)
        let provider = try #require(try program.ingest(folder["forms.share"]).receipt.providers.first)
        #expect(provider.outcome == .stored)
        #expect(provider.tried.map(\.outcome) == [.failed, .chosen])
        #expect(provider.chosen == 1)
    }

    /// A read error on the shared records once gave an empty list, and the next save erased everything.
    @Test func aDamagedCatalogIsNotAnEmptyOne() throws {
        try folder.write("in/a.txt", "a")
        _ = try program.ingest(folder["in"])
        let garbage = [UInt8](repeating: 0x5A, count: 1 << 14)
        for name in ["catalog.sqlite-wal", "catalog.sqlite-shm"] {
            try? FileManager.default.removeItem(atPath: folder["container/\(name)"].string)
        }
        try folder.write("container/catalog.sqlite", garbage)
        for command in [["ingest", folder["in"].string], ["list"], ["deliver"]] {
            let end = try program.run(command)
            #expect(end.status == 2, "\(command)")
            #expect(end.errors.contains("catalog"), "\(command)")
        }
        #expect(try Disk.bytes(folder["container/catalog.sqlite"]) == garbage)
    }

    /// Sources that yield other bytes each time once filled a disk with one video.
    @Test func aSourceThatIsUnstableIsToldSo() throws {
        let path = try folder.write("in/video.bin", [UInt8](repeating: 1, count: 100))
        _ = try program.ingest(path)
        try folder.write("in/video.bin", [UInt8](repeating: 2, count: 100))
        let second = try program.ingest(path).receipt
        #expect(second.supersedes != nil)
        let listed = try program.run(["list", "--json"]).messages.compactMap(\.package)
        #expect(listed.map(\.supersededBy) == [second.id, nil])
    }
}
