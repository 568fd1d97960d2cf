import Foundation
import ShareModel
import Synchronization
import SystemPackage
import Testing

@testable import Files
@testable import GroupContainer
@testable import Ingestion

/// One share into a container, as a program does it.
@Suite struct SharingSessionTests {
    private let folder: TestFolder
    private var options: IngestOptions { IngestOptions(container: folder["container"]) }

    init() throws { folder = try TestFolder() }

    private func commit(
        _ options: IngestOptions? = nil, makesContainer: Bool = true, _ add: (SharingSession) -> Void
    ) async throws(SharingError) -> Receipt {
        let session = SharingSession(options: options ?? self.options, makesContainer: makesContainer)
        add(session)
        guard case .stored(let receipt) = try await session.commit() else {
            throw SharingError(.needsMigration, "the share waits")
        }
        return receipt
    }

    /// Every share reads the log first, and its own part of it is some 20 pages.
    @Test func theLogOfManySharesStaysShort() async throws {
        var most = 0
        for number in 0..<40 {
            _ = try await commit { $0.add(link: "https://example.org/\(number)") }
            most = try max(most, Disk.bytes(folder["container/catalog.sqlite-wal"]).count)
        }
        #expect(most > 0)
        #expect(most < 350 * 4_120, "\(most)")
        #expect(try entries().count == 40)
    }

    private func entries() throws -> [PackageEntry] {
        var entries: [PackageEntry] = []
        try CatalogReader(reading: folder["container"]).forEachPackage { entries.append($0) }
        return entries
    }

    private func code(_ add: (SharingSession) -> Void) async -> SharingError.Code? {
        do throws(SharingError) {
            _ = try await commit(nil, add)
            return nil
        } catch { return error.code }
    }

    @Test func aFileIsThePackageOfARun() async throws {
        let file = try folder.write("in/a.txt", "the river")
        let receipt = try await commit { $0.add(file: file) }
        #expect(receipt.outcome == .accepted && receipt.source.kind == .file)
        let again = try await Pipeline(options: options).ingest(.paths([folder["in"]])) { _ in }
        #expect(again.duplicate == 1 && again.packages == 1)
        #expect(try await commit { $0.add(file: file) }.outcome == .duplicate)
    }

    @Test func severalPiecesAreOnePackage() async throws {
        let (one, two) = (try folder.write("a/one.txt", "one"), try folder.write("b/two.txt", "two"))
        try FileManager.default.createSymbolicLink(atPath: folder["link.txt"].string, withDestinationPath: two.string)
        let pipe = try FileDescriptor.pipe()
        try pipe.writeEnd.closeAfter { _ = try pipe.writeEnd.writeAll("from a pipe".utf8) }
        defer { try? pipe.readEnd.close() }
        var options = options
        options.title = "All of it"
        let receipt = try await commit(options) { session in
            session.add(file: one)
            session.add(file: folder["link.txt"])
            session.add(link: "https://example.org/")
            session.add(bytes: Array("in memory".utf8), named: "memory.txt", type: "text/plain")
            session.add(reading: pipe.readEnd, named: "pipe.txt")
        }
        #expect(receipt.outcome == .accepted && receipt.item?.title == "All of it")
        #expect(receipt.providers.map(\.name) == ["one.txt", "link.txt", "link", "memory.txt", "pipe.txt"])
        let expected = ["one", "two", nil, "in memory", "from a pipe"].map { $0.map { Digest(of: $0) } }
        for (provider, digest) in zip(receipt.providers, expected) {
            if let digest { #expect(provider.sha256 == digest) }
        }
        #expect(try entries().count == 1)
    }

    @Test func aTextAloneIsAShare() async throws {
        var options = options
        options.text = "remember the milk"
        #expect(try await commit(options) { _ in }.providers.count == 1)
    }

    @Test func aShareWithoutAPartIsPartial() async throws {
        let file = try folder.write("a.txt", "there")
        let unreadable = try FileDescriptor.open("/dev/null", .writeOnly)
        defer { try? unreadable.close() }
        let receipt = try await commit { session in
            session.add(file: file)
            session.add(reading: unreadable, named: "unreadable.txt")
        }
        #expect(receipt.outcome == .partial && receipt.providers.count == 2)
    }

    /// Nothing is stored, and no container is made.
    @Test func whatCannotBeSharedLeavesNothing() async throws {
        try folder.write("many/a.txt", "a")
        try folder.write("many/b.txt", "b")
        let empty = folder["empty"]
        try FileManager.default.createDirectory(atPath: empty.string, withIntermediateDirectories: true)
        try folder.write("broken.share/share.json", "{")
        try folder.write("empty.share/share.json", #"{"version": 1, "items": []}"#)
        let many = folder["many"]
        #expect(await code { _ in } == .nothingToShare)
        #expect(await code { $0.add(file: "/nonexistent/a") } == .unreadableSource)
        #expect(await code { $0.add(file: many) } == .unreadableSource)
        #expect(await code { $0.add(file: empty) } == .nothingToShare)
        #expect(await code { $0.add(link: "https://") } == .unreadableSource)
        #expect(await code { session in [many, many].forEach { session.add(file: $0) } } == .unreadableSource)
        #expect(await code { $0.add(file: folder["broken.share"]) } == .unreadableSource)
        #expect(!FileManager.default.fileExists(atPath: folder["container"].string))
        #expect(await code { $0.add(file: folder["empty.share"]) } == .nothingToShare)
        #expect(try entries().isEmpty)
        #expect(Disk.names(in: folder["container/tmp"]).isEmpty && Disk.names(in: folder["container/objects"]).isEmpty)
    }

    @Test func theContainerHasToFit() async throws {
        let error = await #expect(throws: SharingError.self) {
            try await commit(makesContainer: false) { $0.add(link: "https://example.org/") }
        }
        #expect(error?.code == .noContainer)
        try folder.write("other/a.txt", "not a container")
        var options = options
        options.container = folder["other"]
        let other = await #expect(throws: SharingError.self) {
            try await commit(options) { $0.add(link: "https://example.org/") }
        }
        #expect(other?.code == .noContainer)
        _ = try await commit { $0.add(link: "https://example.org/") }
        for (version, code) in [(5, SharingError.Code.needsMigration), (99, .newerFormat)] {
            try folder.write(
                "container/format", #"{"format": "sluice-container", "version": \#(version), "group": "g"}"#)
            let error = await #expect(throws: SharingError.self) {
                try await commit { $0.add(link: "https://example.org/2") }
            }
            #expect(error?.code == code)
        }
    }

    @Test func aCanceledSessionLeavesNothing() async throws {
        let session = SharingSession(options: options)
        session.add(link: "https://example.org/")
        session.cancel()
        await #expect(throws: SharingError.self) { try await session.commit() }
        #expect(!FileManager.default.fileExists(atPath: folder["container"].string))

        // The pipe never ends, so the session is within the content when it is canceled.
        let pipe = try FileDescriptor.pipe()
        defer { for end in [pipe.readEnd, pipe.writeEnd] { try? end.close() } }
        _ = try pipe.writeEnd.writeAll([UInt8](repeating: 65, count: 40_000))
        let other = SharingSession(options: options)
        other.add(reading: pipe.readEnd, named: "endless")
        other.add(link: "https://example.org/")
        let error = await #expect(throws: SharingError.self) {
            try await other.commit { progress in if progress.reading != nil { other.cancel() } }
        }
        #expect(error?.code == .canceled)
        #expect(try entries().isEmpty && Disk.names(in: folder["container/tmp"]).isEmpty)
    }

    @Test func aSessionEndsOnce() async throws {
        let session = SharingSession(options: options)
        session.add(link: "https://example.org/")
        _ = try await session.commit()
        session.add(link: "https://example.org/2")
        session.cancel()
        let again = await #expect(throws: SharingError.self) { try await session.commit() }
        #expect(again?.code == .container, "it must not say that nothing was stored")
        #expect(try entries().count == 1)
    }

    /// One process can run many sessions.
    @Test func sessionsLeaveNoDescriptors() async throws {
        /// The open files below the folder of this test.
        func open() throws -> Int {
            let links = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
            }
            return links.count { $0.hasPrefix(folder.path.string) }
        }
        for number in 0..<100 { _ = try await commit { $0.add(link: "https://example.org/\(number)") } }
        #expect(try open() == 0)
        #expect(try entries().count == 100)
        #expect(Disk.names(in: folder["container/tmp"]).isEmpty)
    }
}
