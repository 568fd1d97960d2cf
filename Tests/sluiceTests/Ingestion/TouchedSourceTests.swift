import Foundation
import GroupContainer
import ShareModel
import Sniffing
import SystemPackage
import Testing

@testable import Files
@testable import Ingestion
@testable import Reading

/// A file whose name or permissions change while it is read. No later run may find it, so its bytes decide.
@Suite struct TouchedSourceTests {
    private let folder: TestFolder
    private let source: FilePath
    /// More than the stager's buffer holds, so that most of it is read after the first piece.
    private let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20)

    init() throws {
        folder = try TestFolder()
        source = try folder.write("in/a.txt", bytes)
    }

    /// Stages the source, and acts after the first piece.
    private func stage(_ action: @escaping () throws -> Void) throws -> StagedContent {
        try folder.write("store/x", "")
        let store = MemoryObjectStore(folder: folder["store"]) { Digest(of: $0) }
        let area = DisturbedArea(base: try store.makeStagingArea(), action: action)
        let stager = Stager(area: area, sniffer: try MagicSniffer(), meter: ProgressMeter())
        let file = try SourceOpener.open(named: source)
        // The clock of a file system is coarse: an action within one tick would leave the time of change as it was.
        while try Self.now(in: folder) <= file.stamp.changed {}
        return try stager.stage(file, Candidate(file: .path(source)), claims: TypeClaims())
    }

    /// The time that the file system gives to a file now.
    private static func now(in folder: TestFolder) throws -> Int64 {
        try SourceOpener.open(named: folder.write("clock", "")).stamp.changed
    }

    private func isStaged(_ content: StagedContent) -> Bool {
        content.object.digest == Digest(of: bytes) && content.stamp == nil && content.modified != nil
    }

    @Test func aSenderMayRemoveTheFile() throws {
        #expect(isStaged(try stage { try FileManager.default.removeItem(atPath: source.string) }))
    }

    @Test func aSenderMayMoveTheFile() throws {
        let place = folder["moved.txt"].string
        #expect(isStaged(try stage { try FileManager.default.moveItem(atPath: source.string, toPath: place) }))
    }

    @Test func permissionsAreNotContent() throws {
        #expect(
            isStaged(
                try stage {
                    try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: source.string)
                }))
    }

    /// As `exiftool -P` does it, in the midst of the reading.
    @Test func otherBytesUnderTheOldTimeAreAChange() throws {
        let time = try #require(
            try FileManager.default.attributesOfItem(atPath: source.string)[.modificationDate] as? Date)
        try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: source.string)
        let error = try #require(throws: ReadingError.self) {
            _ = try stage {
                let writer = try FileDescriptor.open(source, .writeOnly)
                try writer.closeAfter { _ = try writer.writeAll([UInt8](repeating: 0x62, count: bytes.count)) }
                try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: source.string)
            }
        }
        #expect(error.code == .changed)
    }
}

/// Acts once, while a file is copied.
private final class DisturbedArea: StagingArea {
    private let base: any StagingArea
    private let action: () throws -> Void

    init(base: any StagingArea, action: @escaping () throws -> Void) { (self.base, self.action) = (base, action) }

    func makeFile(expecting size: Int64) throws -> any StagingFile {
        DisturbedFile(base: try base.makeFile(expecting: size), action: action)
    }

    func stage(_ bytes: UnsafeRawBufferPointer, digest: Digest) throws -> StagedObject {
        try base.stage(bytes, digest: digest)
    }
}

private final class DisturbedFile: StagingFile {
    private let base: any StagingFile
    private let action: () throws -> Void
    var descriptor: FileDescriptor { base.descriptor }
    var size: Int64 { base.size }

    init(base: any StagingFile, action: @escaping () throws -> Void) { (self.base, self.action) = (base, action) }

    func append(_ bytes: UnsafeRawBufferPointer) throws { try base.append(bytes) }

    func finish() -> StagedObject { base.finish() }

    func take(
        _ source: FileDescriptor, after first: UnsafeRawBufferPointer,
        read: (UnsafeMutableRawBufferPointer) throws -> Int, _ body: (Int) throws -> Void
    ) throws -> StagedObject {
        var isDone = false
        return try base.take(source, after: first, read: read) { count in
            try body(count)
            guard count > 0, !isDone else { return }
            isDone = true
            try action()
        }
    }
}
