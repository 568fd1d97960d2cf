import Foundation
import ShareModel
import SystemPackage
import Testing

@testable import Files
@testable import GroupContainer
@testable import Ingestion
@testable import Reading
@testable import Sniffing

/// Known bugs of earlier programs for shares, each as a test. ``KernelLockTests`` covers the nested use of a lock. The
/// tests of line framing cover two messages in one read.
@Suite struct AncestorTests {
    private let folder: TestFolder
    private let program: Program

    init() throws {
        folder = try TestFolder()
        program = Program(container: folder["container"])
    }

    private func opened(_ path: FilePath) throws -> OpenedFile { try SourceOpener.open(named: path) }

    /// An ancestor took a read error in the middle for the end of the file, and accepted a truncated import.
    @Test func aReadErrorIsNotTheEndOfTheFile() throws {
        let path = try folder.write("big.bin", [UInt8](repeating: 7, count: 1 << 20))
        let file = try opened(path)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 12, alignment: 16)
        defer { buffer.deallocate() }
        #expect(try file.read(into: buffer) == 1 << 12)
        // The second descriptor is open for writing only, so the kernel refuses to read from it.
        let writing = try FileDescriptor.open(path, .writeOnly)
        try writing.closeAfter { _ = try writing.duplicate(as: file.descriptor) }
        do {
            _ = try file.read(into: buffer)
            Issue.record("the read should have failed")
        } catch {
            #expect(error.code == .unreadable)
        }
    }

    /// A read error in the whole program. `/proc/self/mem` is the program's own memory, and the kernel refuses to read
    /// it at address 0.
    @Test
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

    /// An ancestor stored the beginning of a file that was still being written.
    @Test(arguments: Change.allCases)
    func aSourceThatChangesDuringTheReadFails(_ change: Change) throws {
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

    /// An ancestor left empty originals after a crash. An intended empty file is content; an empty file in place of a
    /// picture is not.
    @Test func onlyAnIntendedEmptyFileIsContent() throws {
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

    /// To refuse the file would fail every run over its folder.
    @Test func anEmptyFileWithANameAloneIsContentWithAWarning() throws {
        try folder.write("in/report.pdf", "")
        let end = try program.ingest(folder["in"])
        #expect(end.status == 0)
        let provider = try end.receipt.providers[0]
        #expect(provider.type == .empty && provider.warnings.contains { $0.contains("no bytes") }, "\(provider)")
        let again = try program.ingest(folder["in"])
        #expect(try again.status == 0 && again.receipt.outcome == .duplicate)
        try folder.write("in/report.pdf", PDFBuilder().data)
        let written = try program.ingest(folder["in"]).receipt
        #expect(written.outcome == .accepted && written.providers[0].type == "application/pdf")
    }

    /// A crash between the object and its row leaves a file under the object's name, without a row.
    @Test func anEmptyLeftoverIsNotTakenForTheContent() throws {
        let bytes = Array("what was shared".utf8)
        let name = Digest(of: bytes).description
        try folder.write("in/note.txt", bytes)
        _ = try Container.open(at: folder["container"])
        let object = try folder.write("container/objects/\(name.prefix(2))/\(name)", "", mode: 0o400)
        #expect(try program.ingest(folder["in"]).receipt.outcome == .accepted)
        #expect(try Disk.bytes(object) == bytes)
    }

    /// An ancestor reported a half-successful batch as failed, and the retry duplicated the good half.
    @Test func aRetryDuplicatesNothing() throws {
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

    /// An ancestor deleted an existing file of the same name before the new one was complete.
    @Test func filesOfTheSameNameAreBothKept() throws {
        try folder.write("a/IMG_0001.txt", "one")
        try folder.write("b/IMG_0001.txt", "two")
        let end = try program.ingest(folder["a"], folder["b"], options: ["--no-deliver"])
        let receipts = try end.receipts
        #expect(receipts.map(\.outcome) == [.accepted, .accepted])
        #expect(receipts.flatMap(\.providers).map(\.name) == ["IMG_0001.txt", "IMG_0001.txt"])
        let kept = Disk.files(below: folder["container/objects"]).map { folder["container/objects"].appending($0) }
        #expect(try Set(kept.map { String(decoding: try Disk.bytes($0), as: UTF8.self) }) == ["one", "two"])
        #expect(try Disk.bytes(folder["a/IMG_0001.txt"]) == Array("one".utf8), "the sources stay as they are")
    }

    /// In an ancestor, a failed copy never called its completion, and the share hung.
    @Test func oneBadAttachmentDoesNotHoldUpTheOthers() throws {
        try folder.share(
            "mixed", #"{"representations": [{"file": "missing.jpg"}]}"#, #"{"representations": [{"text": "one"}]}"#,
            #"{"representations": []}"#, #"{"representations": [{"text": "two"}]}"#)
        let receipt = try program.ingest(folder["mixed.share"]).receipt
        #expect(receipt.outcome == .partial)
        #expect(receipt.providers.map(\.outcome) == [.failed, .stored, .failed, .stored])
        #expect(receipt.providers[0].reason.contains("missing.jpg"))
    }

    /// In an ancestor, a second load of a load-once attachment never returned. A failed representation must not be
    /// opened again.
    @Test func aFailedRepresentationGivesWayToTheNext() throws {
        try folder.share(
            "forms", #"{"representations": [{"type": "public.jpeg", "file": "gone.jpg"}, {"text": "a word"}]}"#)
        let provider = try #require(try program.ingest(folder["forms.share"]).receipt.providers.first)
        #expect(provider.outcome == .stored)
        #expect(provider.tried.map(\.outcome) == [.failed, .chosen])
        #expect(provider.chosen == 1)
    }

    /// An ancestor took a read error on the shared records for an empty list, and the next save erased everything.
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

    /// An ancestor stored a source that yields other bytes at each load until the disk was full.
    @Test func anUnstableSourceGivesAWarning() throws {
        let path = try folder.write("in/video.bin", [UInt8](repeating: 1, count: 100))
        _ = try program.ingest(path)
        try folder.write("in/video.bin", [UInt8](repeating: 2, count: 100))
        let second = try program.ingest(path).receipt
        #expect(second.supersedes != nil)
        let listed = try program.run(["list", "--json"]).messages.compactMap(\.package)
        #expect(listed.map(\.supersededBy) == [second.id, nil])
    }
}
