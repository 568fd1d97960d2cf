import Foundation
import GroupContainer
import Ingestion
import ShareModel
import SystemPackage
import Testing

/// Programs that embed the pipeline run it again and again over lists.
@Suite struct ListTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder(inMemory: true) }

    private func ingest(_ list: FilePath) async throws -> Summary {
        var options = IngestOptions(container: folder["container"])
        options.delivers = false
        return try await Pipeline(options: options).ingest(.list(list, separator: UInt8(ascii: "\n"))) { _ in }
    }

    @Test func aListIsClosedAfterTheRun() async throws {
        let path = try folder.write("a.txt", "words")
        let list = try folder.write("list", "\(path)\n")
        #expect(try await ingest(list).accepted == 1)
        let links = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }
        #expect(!links.isEmpty && !links.contains(list.string))
    }

    /// A FIFO without a writer. A canceled run ends all the same.
    @Test(.timeLimit(.minutes(60))) func aListWithoutAWriterCanBeCanceled() async throws {
        #expect(mkfifo(folder["list"].string, 0o600) == 0)
        let run = Task { try await ingest(folder["list"]) }
        run.cancel()
        switch await run.result {
        case .success(let summary): #expect(summary.packages == 0)
        case .failure(let error): #expect(error is CancellationError, "\(error)")
        }
    }
}
