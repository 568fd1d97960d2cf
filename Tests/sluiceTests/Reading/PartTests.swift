import Foundation
import Ingestion
import ShareModel
import Synchronization
import SystemPackage
import Testing

@testable import Files
@testable import Reading

/// Parts of containers pass through the whole pipeline.
@Suite struct PartTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func ingest(_ input: IngestInput? = nil, _ change: (inout IngestOptions) -> Void = { _ in }) async throws
        -> [Receipt]
    {
        var options = IngestOptions(container: folder["container"])
        options.readers = Readers([TarReader(), FileReader()])
        options.delivers = false
        change(&options)
        let receipts = Mutex<[Receipt]>([])
        _ = try await Pipeline(options: options).ingest(input ?? .paths([folder["in"]])) { event in
            if case .settled(let receipt) = event { receipts.withLock { $0.append(receipt) } }
        }
        return receipts.withLock { $0 }
    }

    @Test func partsAreStoredIdentifiedAndDelivered() async throws {
        let page = Array("<!DOCTYPE html><html><title>x</title></html>".utf8)
        try folder.write("in/two.tar", tar(["notes/one.txt": Array("a note".utf8), "../../page.html": page]))
        let receipts = try await ingest {
            $0.delivers = true
            $0.containment = .off
            $0.sinkFolders = [FilePath(Program.folder.path)]
        }
        let receipt = try #require(receipts.first)
        #expect(receipts.count == 1 && receipt.outcome == .accepted && receipt.source.kind == .container)
        #expect(receipt.providers.map(\.name) == ["one.txt", "page.html"])
        #expect(receipt.providers.map { $0.type?.description } == ["text/plain", "text/html"])
        #expect(receipt.providers.map(\.sha256) == [Digest(of: "a note"), Digest(of: page)])
        #expect(receipt.providers.flatMap(\.deliveries).map(\.outcome) == [.delivered, .delivered])
        let again = try await ingest()
        #expect(again.map(\.outcome) == [.duplicate])
    }

    @Test func aBrokenContainerFailsAndTheRunGoesOn() async throws {
        let whole = tar(["one.txt": [UInt8](repeating: 65, count: 5_000)])
        try folder.write("in/a.tar", whole.prefix(3_000))
        try folder.write("in/b.txt", "a note")
        let receipts = try await ingest()
        #expect(receipts.map(\.outcome) == [.failed, .accepted])
        #expect(receipts[0].source.kind == .container)
        #expect(receipts[0].reason?.contains("a.tar is a broken archive") == true)
    }

    /// The parts of an inner container replace it. A broken inner container fails alone.
    @Test func containersInsideAreOpened() async throws {
        let inner = tar(["b.txt": Array("bee".utf8), "c.txt": Array("sea".utf8)])
        let broken = Array(inner.prefix(514))
        try folder.write(
            "in/a.tar", tar(["in.tar": inner, "broken.tar": broken, "d.txt": Array("dee".utf8)]))
        let receipt = try #require(try await ingest().first)
        #expect(receipt.outcome == .partial)
        #expect(receipt.providers.map(\.name) == ["b.txt", "c.txt", "broken.tar", "d.txt"])
        #expect(receipt.providers.map(\.outcome) == [.stored, .stored, .failed, .stored])
        #expect(receipt.providers[2].reason.contains("broken"))
    }

    @Test(arguments: [false, true])
    func aLargePartTakesFixedMemory(_ isDeclared: Bool) async throws {
        let reader = MadeReader()
        try folder.write("in/large", "made\nlarge.txt \(64 << 20)\(isDeclared ? "" : " ?")\nsmall.txt 7\n")
        let receipt = try #require(try await ingest { $0.readers = Readers([reader, FileReader()]) }.first)
        #expect(receipt.providers.map(\.size) == [64 << 20, 7])
        #expect(receipt.providers[1].sha256 == Digest(of: "xxxxxxx"))
        #expect(reader.log.now.buffer <= 256 << 10)
        #expect(reader.log.now.passes == 2, "one pass lists the parts, one reads them")
    }

    @Test func aContainerThatChangedIsNotRead() async throws {
        let path = try folder.write("in/a.tar", tar(["a.txt": Array("one".utf8)]))
        var reader = PackageReader(paths: [path], readers: Readers([TarReader(), FileReader()]))
        guard case .package(_, let parts?) = reader.next() else {
            Issue.record("it is no container")
            return
        }
        try folder.write("in/a.tar", tar(["a.txt": Array("two, and longer".utf8)]))
        #expect {
            _ = try parts.open()
        } throws: {
            ($0 as? ReadingError)?.code == .changed
        }
    }

    /// A program can pass a package as a value, with files below its own folder.
    @Test func aPackageCanBeHandedIn() async throws {
        try folder.write("upload/1", "the file")
        let source = PackageSource(kind: .submitted, path: "upload 1", folder: folder["upload"])
        let providers = [Representation.Content.file(.path("1")), .text("a text")].map {
            ItemProvider(representations: [Representation(content: $0)])
        }
        var options = IngestOptions(container: folder["container"])
        options.delivers = false
        let package = SharePackage(id: "u-1", source: source, items: [ExtensionItem(attachments: providers)])
        let receipt = try await Pipeline(options: options).submit(package)
        #expect(receipt.outcome == .accepted && receipt.source.kind == .submitted)
        #expect(receipt.providers.map(\.sha256) == [Digest(of: "the file"), Digest(of: "a text")])
        #expect(try await Pipeline(options: options).submit(package).outcome == .duplicate)
    }

    /// A program may name all its packages alike. Their descriptions tell two failures apart, and are kept.
    @Test func failuresOfProgramsAreToldApart() async throws {
        var options = IngestOptions(container: folder["container"])
        options.delivers = false
        let source = PackageSource(kind: .submitted, path: "upload", folder: folder["upload"])
        var ids: [String] = []
        for name in ["one", "two", "one"] {
            let provider = ItemProvider(representations: [Representation(content: .file(.path(FilePath(name))))])
            let package = SharePackage(source: source, items: [ExtensionItem(attachments: [provider])])
            let receipt = try await Pipeline(options: options).submit(package)
            #expect(receipt.outcome == .failed)
            ids.append(receipt.id)
        }
        #expect(ids[0] != ids[1] && ids[0] == ids[2])
        let program = Program(container: folder["container"])
        #expect(try program.run(["list", "--json"]).messages.compactMap(\.package?.id) == Array(ids[..<2]))
        #expect(try SQL.run(folder["container"], "SELECT package FROM record ORDER BY package") == ["1", "2"])
        #expect(try program.run(["verify"]).status == 0)
    }
}
