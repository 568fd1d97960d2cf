import Foundation
import ShareModel
import Synchronization
import SystemPackage
import Testing

@testable import Files
@testable import Ingestion

/// A rerun over a folder with a group sees each change of each of its files, and writes nothing if there is none.
@Suite struct UnchangedGroupTests {
    private let folder: TestFolder
    private static let files = ["a.jpg": "\u{FF}\u{D8}\u{FF} one", "a.cr2": "II*\0 one", "a.xmp": "<x:xmpmeta/> one"]

    init() throws {
        folder = try TestFolder()
        for (name, text) in Self.files { try write(name, text) }
    }

    /// Writes the low bytes of the text's scalars.
    private func write(_ name: String, _ text: String) throws {
        try folder.write("in/\(name)", text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
    }

    /// Ingests the folder at a time when all of its files are quiet.
    private func ingest() async throws -> Receipt {
        var options = IngestOptions(container: folder["container"])
        options.delivers = false
        let times = try Disk.names(in: folder["in"]).map { try Disk.stamp(folder["in"].appending($0))[4] }
        let time = ((times.max() ?? 0) + 60) * 1_000_000_000
        options.clock = Clock(now: { "2026-01-01T00:00:00Z" }, nanoseconds: { time })
        let receipts = Mutex<[Receipt]>([])
        _ = try await Pipeline(options: options).ingest(.paths([folder["in"]])) { event in
            if case .settled(let receipt) = event { receipts.withLock { $0.append(receipt) } }
        }
        return try #require(receipts.withLock { $0.count == 1 ? $0[0] : nil })
    }

    private static func isRead(_ receipt: Receipt) -> Bool { receipt.providers.first?.tried.isEmpty == false }

    /// Everything that the container keeps, but the time of the last use.
    private func content() throws -> [[String]] {
        let tables = ["package", "provider", "source", "sighting", "delivery", "record", "object", "change"]
        return try tables.map { try SQL.run(folder["container"], "SELECT * FROM \($0)") }
            + [Disk.files(below: folder["container/objects"])]
    }

    @Test func anUnchangedGroupIsNotReadAgain() async throws {
        let first = try await ingest()
        #expect(first.outcome == .accepted && first.source.kind == .group && Self.isRead(first))
        #expect(first.providers.map(\.name) == ["a.jpg", "a.cr2", "a.xmp"])
        let before = try content()
        for _ in 1...2 {
            let again = try await ingest()
            #expect(again.outcome == .duplicate && again.duplicateOf == first.id && !Self.isRead(again))
            #expect(again.providers.map(\.name) == first.providers.map(\.name))
            #expect(again.providers.map(\.sha256) == first.providers.map(\.sha256))
            #expect(again.groups == first.groups && again.bytes == first.bytes)
        }
        #expect(try content() == before)
    }

    @Test(arguments: files.keys.sorted()) func aChangeOfEachFileIsSeen(_ name: String) async throws {
        let first = try await ingest()
        let time = try FileManager.default.attributesOfItem(atPath: folder["in/\(name)"].string)[.modificationDate]
        // The same length, and the old time of modification.
        try write(name, try #require(Self.files[name]).replacing("one", with: "two"))
        try FileManager.default.setAttributes(
            [.modificationDate: try #require(time)], ofItemAtPath: folder["in/\(name)"].string)
        let second = try await ingest()
        #expect(second.outcome == .accepted && second.supersedes == first.id)
        #expect(try await !Self.isRead(ingest()), "the catalog has the new files")
    }

    @Test(arguments: files.keys.sorted()) func lostContentOfEachFileIsReadAgain(_ name: String) async throws {
        let first = try await ingest()
        let bytes = try Disk.bytes(folder["in/\(name)"])
        let object = folder["container"].object(of: bytes)
        try FileManager.default.removeItem(atPath: object.string)
        let second = try await ingest()
        #expect(second.outcome == .duplicate && second.duplicateOf == first.id && Self.isRead(second))
        #expect(try Disk.bytes(object) == bytes)
        #expect(try await !Self.isRead(ingest()))
    }
}
