import Foundation
import Ingestion
import ShareModel
import Synchronization
import SystemPackage
import Testing

@testable import Files

/// A program may write below a folder that comes in as one file. That changes no time of the folder itself.
@Suite struct SettleTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    /// The outcome of an ingest that skips what changed within 5 seconds.
    private func outcome(secondsAfter change: Int64) async throws -> PackageOutcome {
        let receipts = try await ingest(secondsAfter: change)
        return try #require(receipts.count == 1 ? receipts[0].outcome : nil)
    }

    private func ingest(secondsAfter change: Int64, excluding patterns: [String] = []) async throws -> [Receipt] {
        var options = IngestOptions(container: folder["container"])
        options.delivers = false
        options.settleTime = .seconds(5)
        options.excluded = patterns
        options.clock = Clock(now: { "2026-01-01T00:00:00Z" }, nanoseconds: { change + 5_000_000_000 })
        let receipts = Mutex<[Receipt]>([])
        _ = try await Pipeline(options: options).ingest(.paths([folder["in"]])) { event in
            if case .settled(let receipt) = event { receipts.withLock { $0.append(receipt) } }
        }
        return receipts.withLock { $0 }
    }

    private static func changed(_ path: FilePath) throws -> Int64 {
        let stamp = try Disk.stamp(path)
        return stamp[4] * 1_000_000_000 + stamp[5]
    }

    @Test(arguments: [
        "Letter.pages/index.xml", "Letter.pages/Data/a.txt", "a_files/b.png", "a_files/sub/c/d.png", "one.share/a.txt",
    ])
    func theNewestChangeBelowADocumentCounts(_ name: String) async throws {
        if name.hasPrefix("one.share") {
            let share = #"{"version": 1, "items": [{"attachments": [{"representations": [{"file": "a.txt"}]}]}]}"#
            try folder.write("in/one.share/share.json", share)
        }
        if name.hasPrefix("a_files") { try folder.write("in/a.html", "<img src='a_files/b.png'>") }
        let file = try folder.write("in/\(name)", "content")
        let all = try #require(FileManager.default.enumerator(atPath: folder["in"].string)).compactMap { $0 as? String }
        let others = try all.filter { $0 != name }.map { try Self.changed(folder["in/\($0)"]) }.max() ?? 0
        // The clock of a file system has ticks.
        repeat { try #require(chmod(file.string, 0o644) == 0) } while try Self.changed(file) == others
        let change = try Self.changed(file)
        #expect(change > others)
        #expect(try await outcome(secondsAfter: others) == .skipped)
        #expect(try await outcome(secondsAfter: change) == .accepted)
    }

    /// Its description is written last, so it is not there yet.
    @Test func aShareWithoutItsDescriptionIsNotBrokenYet() async throws {
        let file = try folder.write("in/one.share/a.txt", "content")
        let change = try max(Self.changed(file), Self.changed(folder["in/one.share"]))
        #expect(try await outcome(secondsAfter: change - 1) == .skipped)
        #expect(try await outcome(secondsAfter: change) == .failed)
    }

    /// The files of the document then come in one by one, and each waits for itself.
    @Test func aFileThatIsLeftOutHoldsNothingUp() async throws {
        let kept = try folder.write("in/Letter.pages/index.xml", "content")
        let left = try folder.write("in/Letter.pages/a.tmp", "content")
        repeat { try #require(chmod(left.string, 0o644) == 0) } while try Self.changed(left) <= Self.changed(kept)
        let change = try Self.changed(kept)
        #expect(try await outcome(secondsAfter: change) == .skipped, "the whole document waits")
        let receipts = try await ingest(secondsAfter: change, excluding: ["*.tmp"])
        #expect(receipts.map { $0.source.path.suffix(9) } == ["ges/a.tmp", "index.xml"])
        #expect(receipts.map(\.outcome) == [.skipped, .accepted])
        #expect(receipts[0].reason?.contains("left out by the pattern *.tmp") == true)
    }
}
