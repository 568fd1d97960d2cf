import Formats
import GroupContainer
import ShareModel
import Sniffing
import Synchronization
import SystemPackage
import Testing

@testable import Files
@testable import Ingestion
@testable import Reading

/// An object that is discarded twice could have its file given to two later ones.
@Suite struct DiscardTests {
    @Test func aFailedIdentificationDiscardsOnce() throws {
        let folder = try TestFolder()
        let source = try folder.write("in/a.txt", [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20))
        try folder.write("store/x", "")
        let store = MemoryObjectStore(folder: folder["store"]) { Digest(of: $0) }
        let count = DiscardCount()
        let area = CountingArea(base: try store.makeStagingArea(), count: count)
        let stager = Stager(area: area, sniffer: FailingSniffer(), meter: ProgressMeter())
        #expect(throws: ReadingError.self) {
            _ = try stager.stage(SourceOpener.open(named: source), Candidate(file: .path(source)), claims: TypeClaims())
        }
        #expect(count.value == 1)
    }

    @Test func aFileIsSparedOnce() throws {
        let folder = try TestFolder()
        let container = try Container.open(at: folder["container"])
        let area = try container.objects.makeStagingArea()
        let first = try area.stage(Array("first".utf8))
        first.discard()
        first.discard()
        let texts = ["second", "third"]
        try container.objects.commit(texts.map { try area.stage(Array($0.utf8)) })
        for text in texts { #expect(try Disk.bytes(folder["container"].object(of: text)) == Array(text.utf8)) }
    }
}

private struct FailingSniffer: ContentSniffer {
    func identify(_ content: ContentBytes, claims: TypeClaims) throws -> Identification {
        throw ReadingError(.malformed, "made to fail")
    }
}

private final class DiscardCount: StagedPlace {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }
    func discard() { count.withLock { $0 += 1 } }
}

/// Counts how often its objects are discarded.
private final class CountingArea: StagingArea {
    private let base: any StagingArea
    private let count: DiscardCount

    init(base: any StagingArea, count: DiscardCount) { (self.base, self.count) = (base, count) }

    func makeFile(expecting size: Int64) throws -> any StagingFile {
        CountingFile(base: try base.makeFile(expecting: size), count: count)
    }

    func stage(_ bytes: UnsafeRawBufferPointer, digest: Digest) throws -> StagedObject {
        counted(try base.stage(bytes, digest: digest))
    }

    private func counted(_ object: StagedObject) -> StagedObject {
        StagedObject(digest: object.digest, size: object.size, place: count)
    }
}

private final class CountingFile: StagingFile {
    private let base: any StagingFile
    private let count: DiscardCount
    var descriptor: FileDescriptor { base.descriptor }
    var size: Int64 { base.size }

    init(base: any StagingFile, count: DiscardCount) { (self.base, self.count) = (base, count) }

    func append(_ bytes: UnsafeRawBufferPointer) throws { try base.append(bytes) }

    func finish() -> StagedObject { counted(base.finish()) }

    func take(
        _ source: FileDescriptor, after first: UnsafeRawBufferPointer,
        read: (UnsafeMutableRawBufferPointer) throws -> Int, _ body: (Int) throws -> Void
    ) throws -> StagedObject {
        counted(try base.take(source, after: first, read: read, body))
    }

    private func counted(_ object: StagedObject) -> StagedObject {
        StagedObject(digest: object.digest, size: object.size, place: count)
    }
}
