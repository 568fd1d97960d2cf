import Foundation
import GroupContainer
import ShareModel
import Synchronization
import SystemPackage
import Testing

@testable import Files
@testable import Ingestion
@testable import SinkHost

/// Content without room fails alone, and nothing behind it waits. The reserve is kept.
@Suite struct RoomTests {
    private static let mebibyte: Int64 = 1 << 20

    /// The least free space that a writer has seen.
    private final class LowWater: Sendable {
        private let bytes = Mutex(Int64.max)

        var value: Int64 { bytes.withLock { $0 } }
        func note(_ free: Int64) { bytes.withLock { $0 = min($0, free) } }
    }

    private let folder: TestFolder
    private let lowest = LowWater()

    init() throws { folder = try TestFolder() }

    /// Takes the folder `in` into a container on a disk with `room` bytes above the reserve of 8 MiB.
    private func ingest(
        room: Int64, jobs: Int = 1, _ input: [String] = ["in"], delivers: Bool = false
    ) async throws -> [String: Receipt] {
        let container = folder["container"]
        let used = Self.used(container)
        var fileSystem = HookedFileSystem()
        fileSystem.freeSpace = { [lowest] in
            let free = room + 8 * Self.mebibyte - (Self.used(container) - used)
            lowest.note(free)
            return FreeSpace(bytes: free, total: 1 << 40, files: 1_000_000)
        }
        var options = IngestOptions(container: container)
        options.fileSystem = fileSystem
        options.delivers = delivers
        options.jobs = jobs
        options.reserve = SpaceReserve(bytes: 8 * Self.mebibyte, files: 10)
        let receipts = Mutex<[String: Receipt]>([:])
        let paths = input.map { $0.hasPrefix("/") ? FilePath($0) : folder[$0] }
        _ = try await Pipeline(options: options, registry: SinkRegistry(sinks: [])).ingest(.paths(paths)) { event in
            guard case .settled(let receipt) = event else { return }
            receipts.withLock { $0[FilePath(receipt.source.path).lastComponent?.string ?? ""] = receipt }
        }
        #expect(Disk.names(in: container.appending("tmp")).isEmpty)
        return receipts.withLock { $0 }
    }

    private static func used(_ container: FilePath) -> Int64 {
        ["tmp", "objects"].reduce(0) { sum, name in
            let folder = container.appending(name)
            // A file may be moved while the folder is listed.
            return sum
                + Disk.files(below: folder).reduce(0) { $0 + ((try? Disk.stamp(folder.appending($1))[1]) ?? 0) }
        }
    }

    private func sparse(_ name: String, _ size: Int64) throws {
        #expect(truncate(try folder.write(name, "").string, off_t(size)) == 0)
    }

    private func isNamed(_ receipt: Receipt?) -> Bool {
        receipt?.outcome == .failed
            && receipt?.reason?.contains("make room, or lower the reserve, and run again; what came in is safe") == true
    }

    /// A sparse file takes no room of the sender's.
    @Test(arguments: [1, 3]) func aSparseFileStopsNothing(_ jobs: Int) async throws {
        try folder.write("in/a.txt", "first")
        try sparse("in/b.mov", 1 << 30)
        for number in 0..<40 { try folder.write("in/c\(number).txt", "\(number)") }
        for outcome in [PackageOutcome.accepted, .duplicate] {
            let receipts = try await ingest(room: 200 * Self.mebibyte, jobs: jobs)
            let movie = try #require(receipts["b.mov"])
            #expect(isNamed(movie) && movie.reason?.contains("it has 1024 MiB") == true)
            #expect(receipts.count == 42 && receipts.values.count(where: { $0.outcome == outcome }) == 41)
        }
        #expect(lowest.value > 200 * Self.mebibyte)
    }

    /// The package fails as a whole. The text is no better form of the movie.
    @Test func noOtherRepresentationTakesThePlaceOfOneWithoutRoom() async throws {
        try folder.share(
            "in/one", id: "one", #"{"representations": [{"text": "stays out"}]}"#,
            #"{"representations": [{"file": "movie.mov"}, {"text": "a text about the movie"}]}"#)
        try sparse("in/one.share/movie.mov", 1 << 30)
        try folder.write("in/z.txt", "last")
        let receipts = try await ingest(room: 20 * Self.mebibyte)
        #expect(isNamed(receipts["one.share"]) && receipts["z.txt"]?.outcome == .accepted)
        #expect(Disk.files(below: folder["container/objects"]).count == 1)
        // The later package of the same sender's identifier replaces the failure.
        let later = try await ingest(room: 2 << 30)
        #expect(later["one.share"]?.outcome == .accepted && later["one.share"]?.supersedes != nil)
    }

    @Test func aFolderDocumentStopsNothingAndTakesNoReserve() async throws {
        try sparse("in/a.logicx/big", 100 * Self.mebibyte)
        try sparse("in/a.logicx/bigger", 1 << 40)
        try folder.write("in/b.txt", "last")
        let receipts = try await ingest(room: 30 * Self.mebibyte)
        #expect(receipts["a.logicx"]?.outcome == .failed && receipts["b.txt"]?.outcome == .accepted)
        #expect(lowest.value > 30 * Self.mebibyte, "nothing was written")
    }

    /// The file states size 0, and has 256 GiB.
    @Test func aFileOfUnknownSizeStopsNothingAndTakesNoReserve() async throws {
        try folder.write("z.txt", "last")
        let receipts = try await ingest(room: 20 * Self.mebibyte, ["/proc/self/pagemap", "z.txt"])
        #expect(isNamed(receipts["pagemap"]) && receipts["z.txt"]?.outcome == .accepted)
        #expect(lowest.value >= 17 * Self.mebibyte)
    }

    @Test func aFullDiskEndsTheRunAndNamesTheInput() async throws {
        try folder.write("in/a.txt", "first")
        try folder.write("in/b.bin", [UInt8](repeating: 1, count: 900_000))
        try folder.write("in/c.txt", "last")
        let error = await #expect(throws: IngestionError.self) { try await ingest(room: 800_000) }
        #expect(error?.message.contains("\(folder["in/b.bin"]) has no room: ") == true)
        #expect(error?.remedy == .makeRoomOrLowerReserve)
        #expect(Disk.files(below: folder["container/objects"]).count == 1, "the first one is in")
    }

    /// Content that is stored already needs no room, in whatever form it comes.
    @Test(arguments: [0, 3 << 20]) func duplicatesNeedNoRoom(_ room: Int64) async throws {
        let bytes = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        try folder.write("first/a.bin", bytes)
        try folder.write("first/b.pages/index.xml", bytes)
        try folder.write("first/c.txt", "small")
        _ = try await ingest(room: 100 * Self.mebibyte, ["first"])
        for name in ["d", "e"] {
            try folder.share("in/\(name)", #"{"representations": [{"file": "copy.bin"}]}"#)
            try folder.write("in/\(name).share/copy.bin", bytes)
        }
        try folder.write("in/b.pages/index.xml", bytes)
        try folder.write("in/c.txt", "small")
        // A plain file needs no manifest, which would be new content.
        let receipts = try await ingest(room: room, room == 0 ? ["in/c.txt", "in/b.pages", "first"] : ["in"])
        #expect(receipts["b.pages"]?.outcome == .duplicate && receipts["c.txt"]?.outcome == .duplicate)
        #expect(receipts["b.pages"]?.providers.first?.type?.description == "application/x-tar")
        guard room > 0 else { return }
        for name in ["d.share", "e.share"] {
            let provider = try #require(receipts[name]?.providers.first)
            #expect(provider.outcome == .duplicate && provider.sha256 == Digest(of: bytes), "\(name)")
        }
        #expect(
            Disk.files(below: folder["container/objects"]).count == 3,
            "three contents, and no manifest of a known package")
    }

    /// Without room, the sizes of all objects are read for each large file, and not for each photo.
    @Test func smallContentIsHashedAtOnce() throws {
        let container = try Container.open(at: folder["container"])
        let known = KnownContent(container: container)
        #expect(try known.mayHave(size: KnownContent.sizeOfSearch - 1))
        #expect(try !known.mayHave(size: KnownContent.sizeOfSearch))
    }

    /// The staged copies of known content give their room back at once, and not at the end of the batch.
    @Test func duplicatesTakeNoRoomFromOthers() async throws {
        let bytes = (0..<4_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        try folder.write("first/a.bin", bytes)
        _ = try await ingest(room: 100 * Self.mebibyte, ["first"])
        for number in 0..<6 {
            try folder.share("in/\(number)", #"{"representations": [{"file": "copy.bin"}]}"#)
            try folder.write("in/\(number).share/copy.bin", bytes)
        }
        try folder.write("in/z.bin", bytes.reversed())
        let receipts = try await ingest(room: 10 * Self.mebibyte)
        #expect(receipts.count == 7 && receipts["z.bin"]?.outcome == .accepted)
        #expect(receipts.values.count(where: { $0.providers.first?.outcome == .duplicate }) == 6)
    }

    /// The input is a pipe in a real run. It is kept nowhere, so the run must not end as if it were.
    @Test func aSubmittedPackageWithoutRoomFails() async throws {
        var options = IngestOptions(container: folder["container"])
        var fileSystem = HookedFileSystem()
        fileSystem.freeSpace = { FreeSpace(bytes: 12 << 20, total: 1 << 40, files: 1_000_000) }
        options.fileSystem = fileSystem
        options.delivers = false
        options.reserve = SpaceReserve(bytes: 8 << 20, files: 10)
        let data = [UInt8](repeating: 7, count: 5 << 20)
        let package = SharePackage(
            source: PackageSource(kind: .submitted, path: "upload", folder: nil),
            items: [ExtensionItem(attachments: [ItemProvider(representations: [.init(content: .data(data))])])])
        let receipt = try await Pipeline(options: options, registry: SinkRegistry(sinks: [])).submit(package)
        #expect(isNamed(receipt))
    }
}
