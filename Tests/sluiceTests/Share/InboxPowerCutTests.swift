import Foundation
import ShareModel
import SystemPackage
import Testing

@testable import Files
@testable import GroupContainer
@testable import Ingestion

/// The power fails at any moment while a share is put into the inbox. What has a name there is whole, and what was acknowledged is
/// there.
@Suite struct InboxPowerCutTests {
    private let folder: TestFolder
    private let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }

    init() throws { folder = try TestFolder(inMemory: true) }

    @Test func anAcknowledgedShareSurvives() async throws {
        #expect(try await losses(omitting: nil) == [])
    }

    /// Otherwise the test above proves nothing.
    @Test(arguments: [OperationLog.Omission.files, .folders]) func theModelCatchesAMissingSync(
        _ omission: OperationLog.Omission
    ) async throws {
        #expect(try await !losses(omitting: omission).isEmpty)
    }

    /// Records one share, and looks at each disk that a power cut can leave.
    private func losses(omitting omission: OperationLog.Omission?) async throws -> [String] {
        let base = folder["disk-\(omission.map { "\($0)" } ?? "all")"]
        let root = base.appending("container")
        let fixture = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../Fixtures/containers/version-5").standardizedFileURL
        try FileManager.default.createDirectory(atPath: base.string, withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: fixture, to: URL(filePath: root.string))
        let log = OperationLog(
            below: base, holding: SurvivingDisk([.makeFolder("container")], .everything), omitting: omission)
        var options = IngestOptions(container: root)
        options.fileSystem = RecordingFileSystem(log)
        let session = SharingSession(options: options, makesContainer: false)
        session.add(file: try folder.write("in/one.bin", content))
        session.add(link: "https://example.org/")
        guard case .waiting = try await session.commit() else { return ["it does not wait"] }
        let operations = log.operations
        #expect(operations.count > 15)
        return (0...operations.count).flatMap { cut in
            PowerCuts.survivals.compactMap { survival in
                let disk = SurvivingDisk(operations[..<cut], survival)
                return loss(disk, isAcknowledged: cut == operations.count).map {
                    "\(survival), cut after \(cut): \($0)"
                }
            }
        }
    }

    private func loss(_ disk: SurvivingDisk, isAcknowledged: Bool) -> String? {
        let shares = disk.folders.filter { $0.hasPrefix("container/inbox/") && $0.hasSuffix(".share") }
        guard shares.count == 1 || shares.isEmpty && !isAcknowledged else { return "\(shares.count) shares" }
        for share in shares {
            guard disk.files["\(share)/file-0/one.bin"] == content else { return "the file is not whole" }
            let descriptions = ["share.json", "arrival.json"].map { disk.files["\(share)/\($0)"] ?? [] }
            guard descriptions.allSatisfy({ (try? JSONValue(json: Array($0))) != nil }) else {
                return "a description is not whole"
            }
        }
        return nil
    }
}
