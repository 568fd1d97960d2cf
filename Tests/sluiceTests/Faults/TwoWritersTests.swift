import ShareModel
import SystemPackage
import Testing

@testable import Files
@testable import GroupContainer

/// Two processes ingest the same content, and the power fails while the second commits.
@Suite struct TwoWritersTests {
    private let folder: TestFolder
    private let log: OperationLog
    private let bytes = Array("the same twice".utf8)

    init() throws {
        folder = try TestFolder(inMemory: true)
        log = OperationLog(below: folder.path)
    }

    @Test func theSecondNeverRemovesTheFirstOnesBytes() throws {
        let (first, second) = (try store(), try store())
        let areas = try (first.makeStagingArea(), second.makeStagingArea())
        try first.commit([areas.0.stage(bytes)])
        let acknowledged = log.operations.count
        // The first process has not committed its row yet.
        try second.commit([areas.1.stage(bytes)])
        withExtendedLifetime(areas) {}

        let object = ContainerLayout.relativeObject(Digest(of: bytes))
        let operations = log.operations
        for cut in acknowledged...operations.count {
            for survival in PowerCuts.survivals {
                let disk = SurvivingDisk(operations[..<cut], survival)
                #expect(disk.files[object] == bytes, "\(survival), cut after \(cut) of \(operations.count) operations")
            }
        }
    }

    /// Makes a store and its folders, which a store expects to exist.
    private func store() throws -> LocalObjectStore {
        let layout = ContainerLayout(root: folder.path)
        let fileSystem = RecordingFileSystem(log)
        for folder in [layout.objects, layout.staging] { try fileSystem.ensureFolder(folder) }
        return LocalObjectStore(layout: layout, fileSystem: fileSystem, reserve: .none)
    }
}
