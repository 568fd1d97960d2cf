import Foundation
import ShareModel
import Synchronization
import SystemPackage
import Testing

@testable import Ingestion
@testable import SinkHost

/// A path that a sender makes while the run looks for it.
@Suite struct LatePathTests {
    /// The letter appears after the run has looked for it. No container stores it, so it must not count as taken in.
    @Test func aPathThatAppearsLateIsNotAccepted() async throws {
        let folder = try TestFolder()
        let (letter, none) = (folder["letter.txt"], folder["none"])
        var fileSystem = HookedFileSystem()
        fileSystem.beforeStatus = { path in
            if path == none { _ = FileManager.default.createFile(atPath: letter.string, contents: Data("a".utf8)) }
        }
        var options = IngestOptions(container: folder["container"])
        options.fileSystem = fileSystem
        options.delivers = false
        let settled = Mutex<[Receipt]>([])
        let pipeline = Pipeline(options: options, registry: SinkRegistry(sinks: []))
        let summary = try await pipeline.ingest(.paths([letter, none])) { event in
            if case .settled(let receipt) = event { settled.withLock { $0.append(receipt) } }
        }
        #expect(FileManager.default.fileExists(atPath: letter.string))
        #expect(settled.withLock { $0 }.map(\.outcome) == [.failed, .failed])
        #expect(settled.withLock { $0 }.map(\.source.path) == [letter.string, none.string])
        #expect(summary.failed == 2)
        #expect(!FileManager.default.fileExists(atPath: folder["container"].string))
    }
}
